"""All n-grams of some texts, and how often they count."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from jaxtyping import Int, Int64


@dataclass(frozen=True, slots=True)
class Counted:
    """The G different n-grams of one order, sorted by their ids.

    keys: [G], ascending: the number of an n-gram's first n - 1 words among the (n-1)-grams, times V, plus its last
        word. A word's number among the 1-grams is its id.
    suffix: [G], the number of its last n - 1 words among the (n-1)-grams; its id for a 1-gram.
    raw: [G], how often it occurs.
    """

    keys: Int64[np.ndarray, " G"]
    suffix: Int64[np.ndarray, " G"]
    raw: Int64[np.ndarray, " G"]


def count(
    ids: Int[np.ndarray, " T"], bounds: Int[np.ndarray, " bounds"], *, order: int, vocabulary_size: int
) -> list[Counted]:
    """Counts the 1-grams (all V of them, seen or not), 2-grams, ... up to an order; none crosses a text's bounds.

    ids: [T], bounds: [N + 1], text n is `ids[bounds[n]:bounds[n + 1]]`. vocabulary_size: V.
    """
    every_id = np.arange(vocabulary_size)
    tables = [Counted(every_id, every_id, np.bincount(ids, minlength=vocabulary_size))]
    tokens_left = np.repeat(bounds[1:], np.diff(bounds)) - np.arange(len(ids))  # [T], of the text, from here on
    number_at = ids.astype(np.int64)  # [T], the number of the n-gram that begins here
    for n in range(2, order + 1):
        begins = np.flatnonzero(tokens_left >= n)
        keys, where, numbers, raw = np.unique(
            number_at[begins] * vocabulary_size + ids[begins + n - 1],
            return_index=True,
            return_inverse=True,
            return_counts=True,
        )
        tables.append(Counted(keys, number_at[begins[where] + 1], raw))
        number_at = np.full(len(ids), -1)
        number_at[begins] = numbers
    return tables


def adjusted_counts(tables: Sequence[Counted]) -> list[Int64[np.ndarray, " G"]]:
    """What Kneser-Ney smoothing counts (Kneser & Ney 1995), an array for each order.

    For the highest order, how often an n-gram occurs. Below, how many different words stand in front of it; if
    none ever does, it begins with the start mark, and counts as often as it occurs.
    """
    adjusted = []
    for table, above in pairwise(tables):
        in_front = np.bincount(above.suffix, minlength=len(table.keys))
        adjusted.append(np.where(in_front > 0, in_front, table.raw))
    return [*adjusted, tables[-1].raw]
