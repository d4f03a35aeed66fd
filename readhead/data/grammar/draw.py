"""Chance: a stream of draws that depends on its seed alone."""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence
from random import Random
from typing import TypeVar

Item = TypeVar("Item")


class Draw:
    """Draws at random, the same ones for the same seed on every machine."""

    def __init__(self, seed: str) -> None:
        self._uniform = Random(seed).random

    def chance(self, probability: float) -> bool:
        """True with this probability."""
        return self._uniform() < probability

    def one(self, items: Sequence[Item]) -> Item:
        """One of the items, all alike."""
        return items[int(self._uniform() * len(items))]

    def some(self, items: Sequence[Item], count: int) -> list[Item]:
        """`count` different items, in random order."""
        chosen: list[Item] = []
        while len(chosen) < count:
            item = self.one(items)
            if item not in chosen:
                chosen.append(item)
        return chosen

    def shuffle(self, items: MutableSequence[Item]) -> None:
        """Puts the items into random order, in place."""
        for last in range(len(items) - 1, 0, -1):
            other = int(self._uniform() * (last + 1))
            items[last], items[other] = items[other], items[last]
