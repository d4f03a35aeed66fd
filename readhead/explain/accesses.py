"""Which words are read most and least, over many readings (Munkhdalai and Yu 2017, section 5.1, of memory slots)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float64

from readhead.explain.associations import associations
from readhead.explain.even import even
from readhead.explain.function_words import kind
from readhead.explain.record import Explanation, sides

_Counts = Float64[np.ndarray, "4"]
"""Of a word: its tokens, the attention to them, what that would be if it were even, the words that read them most."""


@dataclass(frozen=True, slots=True)
class Access:
    """How some tokens were looked at.

    what: a word, or a kind of words.
    tokens: how many there are.
    share: of all attention that went to them, 0 to 1. even: what it would be if attention preferred nothing.
    most_read: of how many words it was one of these tokens that they read most.
    """

    what: str
    tokens: int
    share: float
    even: float
    most_read: int

    @property
    def preference(self) -> float:
        """share / even: 2 = read twice as much as if attention preferred nothing."""
        return self.share / self.even if self.even else 0.0


class Accesses:
    """Takes readings in one by one; of each attention, how much the columns' words are looked at."""

    def __init__(self) -> None:
        self._counts: defaultdict[str, defaultdict[str, _Counts]] = defaultdict(lambda: defaultdict(_none))

    @property
    def attentions(self) -> list[str]:
        """The names of what was counted."""
        return list(self._counts)

    def add(self, explanation: Explanation) -> None:
        """Counts one reading."""
        for name, weights in explanation.attention.items():
            if not weights.any():
                continue
            rows, columns = sides(name)
            tokens = explanation.texts[columns].tokens
            expected = even(weights, within=rows == columns).sum(axis=0)  # [S]
            most_read = np.bincount([link.column for link in associations(explanation, name)], minlength=len(tokens))
            counted = np.stack([np.ones(len(tokens)), weights.sum(axis=0), expected, most_read], axis=1)  # [S, 4]
            for token, numbers in zip(tokens, counted, strict=True):
                self._counts[name][token.lower()] += numbers

    def words(self, name: str) -> list[Access]:
        """Of an attention, its columns' words, the preferred ones first; none that no word could look at."""
        return [access for access in _accesses(self._counts[name]) if access.even]

    def kinds(self, name: str) -> list[Access]:
        """Of an attention, content words, function words and signs, the preferred ones first."""
        sums: defaultdict[str, _Counts] = defaultdict(_none)
        for word, counts in self._counts[name].items():
            sums[kind(word)] += counts
        return _accesses(sums)


def _none() -> _Counts:
    return np.zeros(4)


def _accesses(counts: Mapping[str, _Counts]) -> list[Access]:
    _, whole, whole_even, _ = sum(counts.values(), np.zeros(4))
    found = [
        Access(what, int(tokens), float(weight / whole), float(expected / whole_even), int(most_read))
        for what, (tokens, weight, expected, most_read) in counts.items()
    ]
    return sorted(found, key=lambda access: -access.preference)
