"""What a page shows that can be run: its blocks of shell and Python, in order, and what they are said to print.

A block of `text` right behind one that is run is what that prints. Comments, which a reader of the page does not see,
tell what else there is to know:

    <!-- given: tutorial, pairs.csv -->     what lies in the folder that the page's blocks are run in
    <!-- not run: it needs the network -->  of the next block, and why
    <!-- exits with 2 -->                   the next block's last command does
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted(path for path in ROOT.glob("docs/**/*.md") if "_build" not in path.parts)]
RUN = ("sh", "python")

BLOCK = re.compile(
    r"^(?P<fence>```+|:::+)(?:(?P<language>\w+)|\{code-block\} (?P<named>\w+)\n:caption: (?P<file>\S+))?[^\n]*\n"
    r"(?P<text>.*?)^(?P=fence)$"
    r"|^<!-- not run: (?P<why>[^>]+) -->$|^<!-- exits with (?P<status>\d+) -->$",
    flags=re.M | re.S,
)
GIVEN = re.compile(r"^<!-- given: (.+) -->$", flags=re.M)


@dataclass(frozen=True, slots=True)
class Block:
    """A block of a page.

    language: `sh`, `python`, or another for a file.
    text: its lines.
    at: where in the page it stands, in characters.
    file: the file it is, if it is one; it is then written, and not run.
    shown: the block of what it prints, if there is one behind it.
    status: with which its last command exits.
    why_not: why it is not run, where it is not.
    """

    language: str
    text: str
    at: tuple[int, int]
    file: str | None = None
    shown: Block | None = None
    status: int = 0
    why_not: str = ""


def given(page: Path) -> list[str]:
    """What lies in the folder that a page's blocks are run in."""
    return [name.strip() for names in GIVEN.findall(page.read_text(encoding="utf-8")) for name in names.split(",")]


def blocks(page: Path) -> list[Block]:
    """All blocks that are run, written, or left alone with a reason."""
    found: list[Block] = []
    text, end = page.read_text(encoding="utf-8"), 0
    for match, block in _all(text):
        follows = found and not text[end : match.start()].strip()
        if block.language == "text" and follows:
            found[-1] = replace(found[-1], shown=block)
        elif block.file or block.language in RUN:
            found.append(block)
        end = match.end()
    return found


def _all(text: str) -> Iterator[tuple[re.Match[str], Block]]:
    why, status = "", 0
    for match in BLOCK.finditer(text):
        if match["why"] or match["status"]:
            why, status = match["why"] or why, int(match["status"] or status)
            continue
        language = match["language"] or match["named"] or ""
        yield match, Block(language, match["text"], match.span("text"), match["file"], None, status, why)
        why, status = "", 0
