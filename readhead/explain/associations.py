"""Which slot of a memory each word looks at most: the word association graph of Munkhdalai and Yu (2017, Figure 2)."""

from __future__ import annotations

import numpy as np

from readhead.explain.links import Link
from readhead.explain.record import Explanation, sides


def associations(explanation: Explanation, name: str) -> list[Link]:
    """A link from each word to the slot that it read most; of equal ones, to the first.

    A word whose own slot that is has its link to the second one, as in the paper: that a word is about itself tells
    nothing. A word that read no other slot has no link.

    name: of an attention, whose columns are the slots.
    """
    rows, columns = sides(name)
    weights = np.array(explanation.attention[name], dtype=np.float64)  # [T, S], a copy
    if rows == columns:
        np.fill_diagonal(weights, 0)
    if not weights.size:
        return []
    found = zip(weights.argmax(axis=1).tolist(), weights.max(axis=1).tolist(), strict=True)
    return [Link(row, slot, weight) for row, (slot, weight) in enumerate(found) if weight > 0]
