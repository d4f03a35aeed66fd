"""Candidates put in order by their answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any


def ranked(
    texts: Sequence[Mapping[str, Any]], answers: Sequence[Mapping[str, Any]], several: str
) -> list[dict[str, Any]]:
    """One record for each candidate of a question, the highest logit first; of equal ones, the one given first.

    texts: what was read for each candidate.
    answers: `score`, `logit` and what else there is to tell of each.
    several: the field that holds a candidate.
    """
    order = sorted(range(len(texts)), key=lambda place: -answers[place]["logit"])
    return [
        {several: texts[place][several], **{k: v for k, v in answers[place].items() if k != "logit"}, "place": place}
        for place in order
    ]
