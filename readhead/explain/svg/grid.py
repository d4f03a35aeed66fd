"""How two texts are aligned: Parikh et al. 2016 (arXiv:1606.01933v2), eq. (2), as a grid of shaded cells."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from readhead.explain.links import LEAST, written
from readhead.explain.svg.boxes import TALL, baseline
from readhead.explain.svg.canvas import drawing, element, number, shade
from readhead.explain.svg.lettering import SIZE, printed, text, width_of

MOST_CELLS = 1_600  # more than that are no picture any more
_WIDE = 34.0  # a cell, in pixels like all here
_SINE, _COSINE = 0.82, 0.58  # of the 55 degrees that column words are turned by
_BOLD = 1.1  # how much wider a word is in bold, as it is when it is visited


@dataclass(frozen=True, slots=True)
class _Grid:
    """Where its cells begin; the words of rows and columns, printed."""

    left: float
    top: float
    rows: Sequence[str]
    columns: Sequence[str]

    def head(self, column: int) -> str:
        """A column's word, slanting."""
        x, y = self.left + _WIDE * (column + 0.5) + SIZE * 0.25, self.top - 7
        turned = text(self.columns[column], x=x, y=y, transform=f"rotate(-55 {number(x)} {number(y)})")
        return element("g", turned, class_="head", role="columnheader", data_c=str(column))

    def row(self, row: int, values: Sequence[float]) -> str:
        """A row's word and its cells."""
        base = baseline(self.top + TALL * row)
        name = text(self.rows[row], x=self.left - 8, y=base, anchor="end")
        cells = [self.cell(row, column, value) for column, value in enumerate(values)]
        return element("g", element("g", name, class_="head", role="rowheader"), *cells, role="row", class_="row")

    def cell(self, row: int, column: int, value: float) -> str:
        """A cell, with its number unless that is small."""
        x, y = self.left + _WIDE * column, self.top + TALL * row
        ground = element(
            "rect", x=x + 1, y=y + 1, width=_WIDE - 2, height=TALL - 2, rx=3, class_="cell", fill_opacity=shade(value)
        )
        seen = text(written(value), x=x + _WIDE / 2, y=baseline(y), anchor="middle") if value >= LEAST else ""
        return element(
            "g",
            ground,
            seen,
            role="gridcell",
            tabindex="-1" if row or column else "0",
            data_c=str(column),
            aria_label=f"{self.rows[row]} → {self.columns[column]}: {value:.2f}",
        )


def grid(rows: Sequence[str], columns: Sequence[str], weights: Float[np.ndarray, "T S"], *, label: str) -> str:
    """A row for each of T words, a cell for each of S, the bluer the more weight, with its number from .05 on.

    rows, columns: tokens, at least one of each.
    """
    names, heads = [printed(word) for word in rows], [printed(word) for word in columns]
    slanting = max(map(width_of, heads))
    drawn = _Grid(_BOLD * max(map(width_of, names)) + 10, slanting * _SINE + 14, names, heads)
    header = element("g", *(drawn.head(column) for column in range(len(heads))), role="row")
    body = [drawn.row(row, values) for row, values in enumerate(weights.tolist())]
    return drawing(
        "grid",
        element("g", header, *body, role="grid", aria_label=label),
        width=drawn.left + _WIDE * len(heads) + slanting * _COSINE + 8,
        height=drawn.top + TALL * len(names) + 2,
        label=label,
        role="group",
    )
