"""The models that come with the package, and what a RUN on the command line may be: a directory, or one of their names.

They lie in `readhead/trained`, a run directory each.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from readhead.errors import InputError
from readhead.schema import nearest

SHIPPED = Path(__file__).parent / "trained"


def shipped() -> list[str]:
    """The names of all shipped models, sorted."""
    return sorted(path.parent.name for path in SHIPPED.glob("*/run.json"))


def weights_size(name: str) -> int:
    """How many bytes the weights of a shipped model take, its word rows among them."""
    return sum(path.stat().st_size for path in (SHIPPED / name).glob("*.safetensors"))


def find(run: str | Path, *, tell: Callable[[str], None]) -> Path:
    """A run's directory: the one that is given, or that of the shipped model of this name.

    tell: is given a note where a directory has a shipped model's name: the directory is meant.
    Raises: InputError, with the nearest shipped name, where it is neither.
    """
    path, names = Path(run), shipped()
    if path.is_dir():
        if str(run) in names:
            tell(f"{run}: the directory here is read, not the shipped model of that name")
        return path
    if str(run) in names:
        return SHIPPED / str(run)
    if path.exists():
        raise InputError("this is a file; expected a run directory, or the name of a shipped model", file=path)
    if path.name != str(run):  # it has folders in front, as no name has
        raise InputError("no such run directory", file=path)
    known = nearest(str(run), names) if names else "no model is shipped with this readhead"
    raise InputError(f"no such run directory, and no shipped model of this name; {known}", file=path)
