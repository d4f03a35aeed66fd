"""How the command line refuses: one line, nothing printed, nothing written."""

from __future__ import annotations

from pathlib import Path
from typing import Any


def refusal(ended: Any) -> str:
    """What a refused command said, without the program's name."""
    assert ended.status == 2, ended
    assert ended.stdout == ""
    assert ended.stderr.startswith("readhead: ")
    assert ended.stderr.count("\n") == 1
    assert ended.stderr.endswith("\n")
    return str(ended.stderr).removeprefix("readhead: ").removesuffix("\n")


def files_below(folder: Path) -> dict[str, bytes | None]:
    """Everything in a folder, so that a test can say that nothing was written."""
    paths = sorted(folder.rglob("*"))
    return {str(path.relative_to(folder)): path.read_bytes() if path.is_file() else None for path in paths}
