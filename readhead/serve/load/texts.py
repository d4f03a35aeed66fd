"""What is asked while the service is measured: sentences that a grammar makes, and what is right to answer."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from readhead.data.corpora.grammar import GrammarCorpus
from readhead.prediction.predictor import Predictor
from readhead.prediction.records import Asked

CANDIDATES = 5  # of a question
TOLERANCE = 1e-5

BAD: tuple[Any, ...] = (None, 5, {}, [], {"premise": 1, "text": 1, "question": 1}, [1, 2, 3])
"""Items that no run can answer."""

Record = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Material:
    """Records of the run that is measured, each with its answer.

    records, answers: as `readhead predict` takes and gives them.
    """

    records: Sequence[Record]
    answers: Sequence[Any]

    @classmethod
    def of(cls, predictor: Predictor, count: int) -> Material:
        """So many different records, answered one by one."""
        records = _records(predictor, count)
        form = predictor.form
        asked = [[Asked(place, form.readings(record))] for place, record in enumerate(records)]
        return cls(records, [answer for (answer,) in predictor.stream(asked)])

    def bodies(self) -> list[bytes]:
        """Each record as a request's body."""
        return [json.dumps(record).encode() for record in self.records]


def agree(found: Any, right: Any) -> bool:
    """Whether two answers are the same, each number to 1e-5 of 1 or of its own size."""
    if isinstance(right, dict):
        return (
            isinstance(found, dict) and found.keys() == right.keys() and all(agree(found[k], right[k]) for k in right)
        )
    if isinstance(right, list):
        return isinstance(found, list) and len(found) == len(right) and all(map(agree, found, right))
    if isinstance(right, float):
        return isinstance(found, float | int) and abs(found - right) <= TOLERANCE * max(1.0, abs(right))
    return bool(found == right)


def _records(predictor: Predictor, count: int) -> list[Record]:
    examples = list(GrammarCorpus(size=max(count, 100)).read("train", None))
    pairs = [tuple(map(_sentence, example.texts.values())) for example in examples[:count]]
    fields, several = predictor.form.names, predictor.form.several
    if several is not None:
        chance = random.Random(0)
        others = [hypothesis for _, hypothesis in pairs]
        return [{fields[0]: premise, fields[1]: chance.sample(others, CANDIDATES)} for premise, _ in pairs]
    if len(fields) == 1:
        return [{fields[0]: " ".join(pair)} for pair in pairs]
    return [dict(zip(fields, pair, strict=True)) for pair in pairs]


def _sentence(text: Any) -> str:
    return text if isinstance(text, str) else " ".join(text)
