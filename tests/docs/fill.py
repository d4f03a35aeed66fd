"""Puts into pages what their commands print now: `python -m tests.docs.fill docs/tutorial.md ...`.

For whoever has changed a command's output, or a page. What is filled in is read before it is kept: a line `…` stands
for lines that are left out, and must be put back.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from tests.docs.pages import Block
from tests.docs.shell import TUTORIAL, warm_shell
from tests.docs.shown import differences


def filled(page: Path, printed: dict[Block, str]) -> str:
    """The page's text, with what its commands print in the place of what differs from it."""
    text = page.read_text(encoding="utf-8")
    for block in reversed(printed):
        if block.shown and ("…\n" not in block.shown.text or differences(block.shown.text, printed[block])):
            begin, end = block.shown.at
            text = text[:begin] + printed[block].rstrip("\n") + "\n" + text[end:]
    return text


def main(pages: list[Path]) -> None:
    """Fills the pages."""
    with tempfile.TemporaryDirectory() as made:
        room = Path(made)
        folders = [room / name for name in ("bin", "tutorial", *map(str, range(len(pages))))]
        for folder in folders:
            folder.mkdir()
        programs, tutorial, *own = folders
        with warm_shell(programs) as shell:
            of_tutorial = shell.run_page(TUTORIAL, tutorial, tutorial)
            for page, folder in zip(pages, own, strict=True):
                printed = of_tutorial if page == TUTORIAL else shell.run_page(page, folder, tutorial)
                page.write_text(filled(page, printed), encoding="utf-8")


if __name__ == "__main__":
    main([Path(name).absolute() for name in sys.argv[1:]])
