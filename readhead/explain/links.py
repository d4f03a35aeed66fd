"""Of a matrix of attention, the links that are worth drawing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

MOST = 3  # of a word
LEAST = 0.05


@dataclass(frozen=True, slots=True)
class Link:
    """How much a row's word looks at a column's."""

    row: int
    column: int
    weight: float


def strongest(weights: Float[np.ndarray, "T S"], *, most: int = MOST, least: float = LEAST) -> list[Link]:
    """The strongest links of each row, row by row, the strongest first; of equal ones, the first column's.

    weights: [T, S].
    most: of a row. least: the weight that a link has at least.
    """
    order = np.argsort(-weights, axis=1, kind="stable")[:, :most]  # [T, most]
    rows, ranks = np.nonzero(np.take_along_axis(weights, order, axis=1) >= least)
    columns = order[rows, ranks]
    found = zip(rows.tolist(), columns.tolist(), weights[rows, columns].tolist(), strict=True)
    return [Link(row, column, float(weight)) for row, column, weight in found]


def carried(weights: Float[np.ndarray, "T S"], links: Sequence[Link]) -> float:
    """The share of all attention that is in these links, from 0 to 1; 1 if there is none at all."""
    whole = float(weights.sum())
    return sum(link.weight for link in links) / whole if whole else 1.0


def by_row(links: Sequence[Link], rows: int) -> list[list[Link]]:
    """The links of each of so many rows."""
    found: list[list[Link]] = [[] for _ in range(rows)]
    for link in links:
        found[link.row].append(link)
    return found


def written(weight: float) -> str:
    """A weight as people read it: `.62`, `1.0`."""
    return "1.0" if weight >= 0.995 else f"{weight:.2f}"[1:]
