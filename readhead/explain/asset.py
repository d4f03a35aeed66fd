"""The styles and the script of pages, as files beside this one: read once, and handed out as they are."""

from __future__ import annotations

from importlib.resources import files


def asset(*names: str) -> str:
    """The text of one file in `assets/`, or of several one after the other."""
    folder = files("readhead.explain") / "assets"
    return "".join((folder / name).read_text(encoding="utf-8") for name in names)
