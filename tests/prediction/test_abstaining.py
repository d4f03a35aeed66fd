from __future__ import annotations

import pytest

from readhead.errors import InputError
from readhead.prediction.abstaining import abstained, check_labels
from readhead.tasks.classification import TextClassification
from readhead.tasks.language_modelling import LanguageModelling

SURE = {"label": "a", "scores": {"a": 0.75, "b": 0.25}}
UNSURE = {"label": "b", "scores": {"a": 0.4, "b": 0.6}, "truncated": ["text"]}
BAD = {"error": "not valid JSON", "line": 3}


def test_a_label_below_the_probability_is_left_out() -> None:
    assert abstained([SURE, UNSURE, BAD], least=0.75) == [SURE, {**UNSURE, "label": None}, BAD]


def test_at_nothing_and_at_certainty() -> None:
    assert abstained([SURE, UNSURE], least=0) == [SURE, UNSURE]
    assert [answer["label"] for answer in abstained([SURE, UNSURE], least=1)] == [None, None]


def test_a_task_without_labels_is_refused() -> None:
    check_labels(TextClassification(labels=("a", "b")))
    with pytest.raises(InputError, match="this run answers without any"):
        check_labels(LanguageModelling(labels=()))
