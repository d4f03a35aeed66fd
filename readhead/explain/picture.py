"""What a picture of an explanation is, before it is drawn."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from readhead.explain.printable import brief, visible

WIDE = 720  # of a page, in pixels

_LONGEST = 400  # cells of a text in a table


@dataclass(frozen=True, slots=True)
class Numbers:
    """A picture's content as a table: plain text, the first cell of a row its heading."""

    header: tuple[str, ...]
    rows: Sequence[Sequence[str]]


@dataclass(frozen=True, slots=True)
class Slot:
    """A slot of a memory, printed.

    word: that it began with. writes: the steps, from 0, in which a word was put to it. holds: what it holds after all.
    """

    word: str
    writes: tuple[int, ...]
    holds: str


@dataclass(frozen=True, slots=True)
class Picture:
    """One picture.

    name: a word for a file's name or an anchor, which no other picture of the explanation has.
    title: plain text, as the caption.
    caption: how it is to be read, and what is left out of it.
    draw: from the width of the page, in pixels, to SVG.
    numbers: the same as a table, where no other picture's table has it.
    flows: whether it is laid out for the width, so that a narrow page is better served by a drawing of its own.
    steps: how many steps it can be taken through; 0 for a still one.
    readout: what stands beside it before anything is visited; None if nothing in it can be.
    slots: of a memory, after the last step.
    """

    name: str
    title: str
    caption: str
    draw: Callable[[int], str]
    numbers: Numbers | None
    flows: bool = True
    steps: int = 0
    readout: str | None = None
    slots: Sequence[Slot] = ()


def arrowed(name: str) -> str:
    """The name of an attention, as it is shown."""
    return visible(name.replace("->", " → "))


def slug(name: str) -> str:
    """The same as a part of a file's name."""
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-") or "text"


def in_table(text: str) -> str:
    """A user's text in a table: visible, the end of a long one left out."""
    return brief(text, _LONGEST)
