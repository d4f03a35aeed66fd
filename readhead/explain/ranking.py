"""A question and its candidates in their order, each with the record of its reading.

As JSON:

    {"format": 2, "question": "who came", "ranking": [{...}, ...], "places": [2, 0, 1]}

with an explanation's record for each candidate, and its place in the list that was given.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from readhead.explain.record import FORMAT, Explanation, Relevance, TextRead, check_keys, refusing

_KEYS = {FORMAT: ("format", "question", "ranking", "places")}


@dataclass(frozen=True, slots=True, eq=False)
class RankingExplained:
    """Why candidates stand in their order.

    question: the raw text.
    candidates: the reading of each, the likeliest answer first.
    places: of each, where it stood in the list that was given, from 0.

    Raises: ValueError if there is not one place a candidate, or one was asked something else.
    """

    question: str
    candidates: tuple[Explanation, ...]
    places: tuple[int, ...]

    def __post_init__(self) -> None:
        if sorted(self.places) != list(range(len(self.candidates))):
            raise ValueError(f"{len(self.candidates)} candidates at the places {list(self.places)}")
        if not all(isinstance(candidate.answer, Relevance) for candidate in self.candidates):
            raise ValueError("a candidate with another answer than how likely it is right")

    def to_json(self) -> str:
        """The record on one line of ASCII."""
        return json.dumps(self.plain())

    def plain(self) -> dict[str, Any]:
        """The record as plain data."""
        ranking = [explanation.plain() for explanation in self.candidates]
        return {"format": FORMAT, "question": self.question, "ranking": ranking, "places": list(self.places)}

    def _repr_html_(self) -> str:
        """What a notebook shows of it."""
        from readhead.explain.notebook import ranking

        return ranking(self)

    @classmethod
    def from_json(cls, line: str) -> RankingExplained:
        """The ranking that `to_json` wrote, up to its rounding. Raises: InputError if it is no such record."""
        with refusing("a ranking that was explained"):
            return cls.from_plain(json.loads(line))

    @classmethod
    def from_plain(cls, record: Mapping[str, Any]) -> RankingExplained:
        """The other way round of `plain`. Raises: what `refusing` tells of, if it is no record."""
        check_keys(record, _KEYS)
        candidates = tuple(Explanation.from_plain(entry) for entry in record["ranking"])
        return cls(str(record["question"]), candidates, tuple(int(place) for place in record["places"]))


def answering(candidate: Explanation) -> TextRead:
    """Of a question read with one of its candidates, the candidate: people give the question first."""
    return list(candidate.texts.values())[-1]


def relevance(candidate: Explanation) -> float:
    """How likely a candidate is right. Raises: TypeError if its answer is to something else."""
    if not isinstance(candidate.answer, Relevance):
        raise TypeError("a candidate with another answer than how likely it is right")
    return candidate.answer.score
