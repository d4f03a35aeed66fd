"""Which runs are served, and under which names: `NAME=DIR`, a directory, or a shipped model's name."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path

from readhead import shipped
from readhead.errors import InputError

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_SEED = re.compile(r"seed-\d+")


def runs_by_name(given: Sequence[str], *, tell: Callable[[str], None]) -> dict[str, Path]:
    """The directory of each run, by its name, in the order given.

    given: as on the command line.
    tell: is given a note where a directory has a shipped model's name.
    Raises: InputError where there is no such run, or two have one name.
    """
    found: dict[str, Path] = {}
    for one in given:
        name, folder = _parted(one, tell)
        if name in found:
            told = f"two runs are called '{name}': {found[name]} and {folder}; name them: NAME={folder}"
            raise InputError(told)
        found[name] = folder
    return found


def run_name(folder: Path) -> str:
    """A run's name: that of its last folder, or of one of a recipe's seeds the recipe's and the seed's."""
    name = folder.name if folder.name not in ("", "..") else folder.resolve().name
    recipe = folder.absolute().parent.resolve().name.partition("@")[0]
    return f"{recipe}-{name}" if _SEED.fullmatch(name) and recipe else name


def _parted(given: str, tell: Callable[[str], None]) -> tuple[str, Path]:
    name, sign, run = given.partition("=")
    if not sign or Path(given).is_dir():
        folder = shipped.find(given, tell=tell)
        return run_name(folder), folder
    if not _NAME.fullmatch(name):
        raise InputError(f"'{given}': expected NAME=DIR, the name of letters, digits, '.', '_' and '-'")
    return name, shipped.find(run, tell=tell)
