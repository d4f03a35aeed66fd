"""Many readings counted into what is told of them: attention by distance, and by the words it goes to."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from readhead.explain.accesses import Accesses
from readhead.explain.distances import AttentionByDistance
from readhead.explain.record import Explanation


@dataclass(frozen=True, slots=True)
class Counted:
    """What was counted. readings: how many there were."""

    readings: int
    distances: AttentionByDistance
    accesses: Accesses

    @classmethod
    def of(cls, explanations: Iterable[Explanation]) -> Counted:
        """Counts readings one by one, and keeps none of them."""
        readings, distances, accesses = 0, AttentionByDistance(), Accesses()
        for explanation in explanations:
            readings += 1
            distances.add(explanation)
            accesses.add(explanation)
        return cls(readings, distances, accesses)
