"""An attribution as lines of a terminal: a text's words, shaded, those that matter with their numbers."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterator, Sequence

import numpy as np
from jaxtyping import Float
from rich.cells import cell_len
from rich.text import Text

from readhead.explain.printable import isolate
from readhead.explain.svg.attribution import signed

MOST_WORDS = 400  # of a text
LEGEND = (
    "bits that a word adds to log2 of the probability, or takes from it; ░ from .1 of the greatest, ▒ .25, ▓ .5, █ .75"
)

_THRESHOLDS = (0.1, 0.25, 0.5, 0.75)
_SHADES = ("", "░", "▒", "▓", "█")
_FOR = ("", "blue", "cyan", "bold cyan", "bold bright_cyan")
_AGAINST = ("", "yellow", "yellow", "bold yellow", "bold bright_yellow")


def shaded_words(
    words: Sequence[str], shares: Float[np.ndarray, " T"], greatest: float, width: int, margin: int
) -> Iterator[Text]:
    """Words in lines: before each how much it matters, behind those that matter what they add or take.

    words: printable.
    greatest: of all shares, without a sign; what shades are measured by.
    width: of the terminal; margin: left of every line, both in cells.
    """
    line = Text(" " * margin)
    for word, share in zip(words[:MOST_WORDS], shares.tolist(), strict=False):
        level = bisect(_THRESHOLDS, abs(share) / greatest)
        number = signed(share) if level else ""
        shown = f"{_SHADES[level]}{isolate(word)}{number}"
        if line.cell_len > margin and line.cell_len + 1 + cell_len(shown) > width:
            yield line
            line = Text(" " * margin)
        if line.cell_len > margin:
            line.append(" ")
        line.append(shown, style=(_AGAINST if share < 0 else _FOR)[level])
    if line.cell_len > margin:
        yield line
    if len(words) > MOST_WORDS:
        yield Text(f"{' ' * margin}… and {len(words) - MOST_WORDS} more words")
