"""Whether what a command prints is what its page shows, but for what differs from machine to machine.

Those are numbers, bars, the shades of attention, and how many blanks stand between columns. A line `…` stands for any
number of lines.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import zip_longest

LEFT_OUT = "…"
NUMBER = re.compile(r"(?:[-+−]|(?<!\w))\.?\d[\d.,]*(?:e-\d+)?(?![A-Za-z_])")
SHADED = re.compile(r"[·░▒▓█] ?(?:\.\d\d|1\.0)?")
BARS = re.compile(r"[▏▎▍▌▋▊▉█]+")


def masked(line: str) -> str:
    """A line without what may differ."""
    bare = BARS.sub("", SHADED.sub("", line))
    return " ".join(NUMBER.sub("#", bare).split())


def differences(shown: str, printed: str) -> str:
    """Where they first differ, or nothing.

    shown: by the page.
    printed: by the command.
    """
    first, *others = _pieces(shown)
    rest = [masked(line) for line in printed.splitlines() if line.strip()]
    if not others:
        return _unlike(first, rest)
    *within, last = others
    begin, end = rest[: len(first)], rest[max(len(first), len(rest) - len(last)) :]
    told = _unlike(first, begin) or _unlike(last, end)
    rest = rest[len(begin) : len(rest) - len(end)]
    for piece in within:
        place = next((at for at in range(len(rest)) if rest[at : at + len(piece)] == piece), None)
        if place is None:
            return told or f"the page shows {piece[0]!r} and what follows it; nowhere is that printed"
        rest = rest[place + len(piece) :]
    return told


def _pieces(shown: str) -> list[list[str]]:
    """The lines before, between and behind those that stand for any number of lines."""
    pieces: list[list[str]] = [[]]
    for line in shown.splitlines():
        if line == LEFT_OUT:
            pieces.append([])
        elif line.strip():
            pieces[-1].append(masked(line))
    return pieces


def _unlike(shown: Sequence[str], printed: Sequence[str]) -> str:
    for line, found in zip_longest(shown, printed, fillvalue="nothing"):
        if line != found:
            return f"the page shows {line!r}, the command prints {found!r}"
    return ""
