"""How far words look: attention by distance, over many readings (told of the LSTMN by Cheng, Dong and Lapata 2016)."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Float64, Int64

from readhead.explain.even import even
from readhead.explain.record import Explanation, sides

STARTS = (0, 1, 2, 3, 4, 5, 6, 11, 21, 51)
"""Where groups of distances begin, in tokens; the last one has no end."""


@dataclass(frozen=True, slots=True)
class Group:
    """Some distances in one direction.

    low, high: in tokens; high is None where there is no end. ahead: whether to later words; else to earlier ones.
    share: of all attention, 0 to 1. even: what it would be if every word looked evenly at all that it can see.
    """

    low: int
    high: int | None
    ahead: bool
    share: float
    even: float


@dataclass(frozen=True, slots=True)
class Spread:
    """One attention within a text.

    attention: its name. readings: how many were counted.
    elsewhere: what rows lack of 1, on average: attention to a slot that stands before the text.
    mean, even_mean: how far a word looks, in tokens, and how far it would if it looked evenly.
    groups: of distances, the nearest first, those back before those ahead; none that nobody could look at.
    """

    attention: str
    readings: int
    elsewhere: float
    mean: float
    even_mean: float
    groups: list[Group]


class AttentionByDistance:
    """Takes readings in one by one; of each attention within a text, what is spread over which distance."""

    def __init__(self) -> None:
        self._sums: defaultdict[str, _Sums] = defaultdict(_Sums)

    def add(self, explanation: Explanation) -> None:
        """Counts one reading."""
        for name, weights in explanation.attention.items():
            if len(set(sides(name))) == 1 and weights.any():
                self._sums[name].add(weights)

    def spreads(self) -> list[Spread]:
        """What was found, by attention."""
        return [sums.spread(name) for name, sums in self._sums.items()]


class _Sums:
    """weights, evenly: [2, G], by direction and group. far, even_far: weight times distance. rows: tokens that look."""

    def __init__(self) -> None:
        self.weights, self.evenly = np.zeros((2, len(STARTS))), np.zeros((2, len(STARTS)))
        self.far = self.even_far = 0.0
        self.rows = self.readings = 0

    def add(self, weights: Float[np.ndarray, "T T"]) -> None:
        places = np.arange(len(weights))
        back = places[:, None] - places  # [T, T], below 0 where a row looks ahead
        evenly = even(weights, within=True)
        self.weights += _grouped(weights, back)
        self.evenly += _grouped(evenly, back)
        self.far += float((weights * np.abs(back)).sum())
        self.even_far += float((evenly * np.abs(back)).sum())
        self.rows += len(weights)
        self.readings += 1

    def spread(self, name: str) -> Spread:
        whole, whole_even = self.weights.sum(), self.evenly.sum() or 1.0
        ends = [*(start - 1 for start in STARTS[1:]), None]
        groups = [
            Group(low, high, bool(ahead), float(share / whole), float(expected / whole_even))
            for ahead in (0, 1)
            for low, high, share, expected in zip(STARTS, ends, self.weights[ahead], self.evenly[ahead], strict=True)
            if share or expected
        ]
        elsewhere = max(0.0, 1 - float(whole) / self.rows)
        return Spread(name, self.readings, elsewhere, self.far / whole, self.even_far / whole_even, groups)


def _grouped(values: Float[np.ndarray, "T T"], back: Int64[np.ndarray, "T T"]) -> Float64[np.ndarray, "2 G"]:
    group = np.searchsorted(STARTS, np.abs(back), side="right") - 1 + (back < 0) * len(STARTS)  # [T, T]
    sums: Float64[np.ndarray, "2 G"] = np.bincount(group.ravel(), values.ravel(), minlength=2 * len(STARTS))
    return sums.reshape(2, len(STARTS))
