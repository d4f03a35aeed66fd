"""Slices by length, label and tag: which units, how many, which figure."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from readhead.data.example import Example
from readhead.prediction.evaluation import Evaluation
from readhead.prediction.slices import MOST_VALUES, slices
from readhead.tasks.classification import TextClassification
from readhead.tasks.classification_report import classification_report

TASK = TextClassification(labels=("no", "yes"))


def measured(words: list[int], gold: list[int], answers: list[int], tags: list[dict[str, str]]) -> Evaluation:
    examples = [
        Example({"text": "a " * n}, TASK.labels[label], f"x:{place}", tags=tag)
        for place, (n, label, tag) in enumerate(zip(words, gold, tags, strict=True))
    ]
    logits = torch.nn.functional.one_hot(torch.tensor(answers), 2).float()
    report = classification_report(logits, torch.tensor(gold), names=TASK.labels, temperature=1.0)
    return Evaluation("x", examples, report, {}, 0, {"text": np.array(words)})


def test_each_slice_has_its_own_figure_and_count() -> None:
    tags = [{"kind": "b"}, {"kind": "a"}, {}, {"kind": "a", "length": "odd"}]
    told = slices(measured([0, 5, 6, 4000], [1, 0, 1, 1], [1, 1, 1, 0], tags), TASK)
    assert [(part.by, part.value, part.n, part.figure) for part in told] == [
        ("length", "0-5", 2, 0.5),
        ("length", "6-10", 1, 1.0),
        ("length", "2561 or more", 1, 0.0),
        ("label", "no", 1, 0.0),
        ("label", "yes", 3, pytest.approx(2 / 3)),
        ("kind", "a", 2, 0.0),
        ("kind", "b", 1, 1.0),
        ("length", "odd", 1, 0.0),
    ]
    assert all(part.interval is not None and part.interval[0] <= part.figure <= part.interval[1] for part in told)


def test_of_a_tag_with_many_values_the_commonest_are_told() -> None:
    count = MOST_VALUES + 9
    tags = [{"id": str(place % count)} for place in range(count + 3)]
    told = slices(measured([1] * len(tags), [0] * len(tags), [0] * len(tags), tags), TASK)
    values = [part.value for part in told if part.by == "id"]
    assert len(values) == MOST_VALUES and {"0", "1", "2"} <= set(values)
