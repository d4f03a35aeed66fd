"""A matrix of attention as lines of a terminal: a shaded grid, or each word's strongest links."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterator, Sequence

import numpy as np
from jaxtyping import Float
from rich.cells import cell_len
from rich.text import Text

from readhead.explain.printable import isolate, pad

LEGEND = "░ from .05, ▒ from .25, ▓ from .50, █ from .75"
MOST_LINKS = 3

_THRESHOLDS = (0.05, 0.25, 0.5, 0.75)
_SHADES = "·░▒▓█"
_STYLES = ("dim", "blue", "cyan", "bold cyan", "bold bright_cyan")
_MARGIN = 2  # left of every line, and between a word and its row; in cells, like every width here


def grid(
    rows: Sequence[str], columns: Sequence[str], weights: Float[np.ndarray, "T S"], width: int
) -> list[Text] | None:
    """A line for each of T rows, a shaded cell for each of S columns, with its number if there is room.

    rows, columns: printable words.
    width: of the terminal, in cells.

    Returns: the lines, the column words first; None if they are wider than the terminal.
    """
    row_width = max(map(cell_len, rows))
    for narrowest, draw in ((4, _shade_and_number), (2, _shade)):
        widths = [max(cell_len(word), narrowest) for word in columns]
        if 2 * _MARGIN + row_width + sum(widths) + len(widths) - 1 <= width:
            head = _row("", row_width, [Text(pad(*cell)) for cell in zip(columns, widths, strict=True)])
            cells = [[draw(*cell) for cell in zip(row, widths, strict=True)] for row in weights]
            return [head, *(_row(word, row_width, row) for word, row in zip(rows, cells, strict=True))]
    return None


def _row(word: str, row_width: int, cells: Sequence[Text]) -> Text:
    margin = " " * _MARGIN
    line = Text.assemble(margin, pad(word, row_width), margin, Text(" ").join(cells))
    line.rstrip()
    return line


def _shade_and_number(weight: float, width: int) -> Text:
    shade, style = _shading(weight)
    seen = shade + _number(weight) if weight >= _THRESHOLDS[0] else shade
    return Text(seen.ljust(width), style=style)


def _shade(weight: float, width: int) -> Text:
    shade, style = _shading(weight)
    return Text((shade * 2).ljust(width), style=style)


def links(rows: Sequence[str], columns: Sequence[str], weights: Float[np.ndarray, "T S"], width: int) -> Iterator[Text]:
    """A line for each of T rows: the words it attends to most, as many of its three strongest as fit.

    rows, columns: printable words, at least one column.
    width: of the terminal, in cells.
    """
    row_width = max(map(cell_len, rows))
    for word, row in zip(rows, weights, strict=True):
        line = Text(f"{' ' * _MARGIN}{pad(word, row_width)}")
        if not row.any():  # of a tape, the first word; of some models, all but the last
            yield line.append(f"  {_SHADES[0]}", style=_STYLES[0])
            continue
        for rank, column in enumerate(np.argsort(-row, kind="stable")[:MOST_LINKS]):
            shade, style = _shading(row[column])
            link = f"  {shade} {isolate(columns[column])} {_number(row[column])}"
            fits = line.cell_len + cell_len(link) <= width
            if rank == 0 or (fits and row[column] >= _THRESHOLDS[0]):
                line.append(link, style=style)
        yield line


def _shading(weight: float) -> tuple[str, str]:
    """Character and style of a weight."""
    level = bisect(_THRESHOLDS, weight)
    return _SHADES[level], _STYLES[level]


def _number(weight: float) -> str:
    """Three cells: `.62`, `1.0`."""
    return "1.0" if weight >= 0.995 else f"{weight:.2f}"[1:]
