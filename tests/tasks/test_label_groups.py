"""Labels put together under wider names."""

from __future__ import annotations

import math
from typing import Any

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from readhead.data.batch import Batch
from readhead.errors import InputError
from readhead.models.output import Output
from readhead.schema import check_options
from readhead.tasks.classification import TextClassification
from readhead.tasks.classification_report import classification_report
from readhead.tasks.label_groups import NO_GROUP, LabelGroups

LABELS = ("bad", "poor", "middling", "good", "great")
GROUPS: dict[str, tuple[str, ...]] = {"negative": ("bad", "poor"), "positive": ("good", "great")}


def logits_of(*likely: float) -> torch.Tensor:
    return torch.tensor([likely], dtype=torch.float64).log()


def test_a_group_has_what_its_labels_have_of_what_all_groups_have() -> None:
    # Of 0.5 that is in a group, 0.2 + 0.1 and 0.15 + 0.05; the label that is likeliest is in none.
    told = LabelGroups(LABELS, GROUPS).probabilities(logits_of(0.2, 0.1, 0.5, 0.15, 0.05))
    assert told[0].tolist() == pytest.approx([0.6, 0.4])


@given(st.lists(st.floats(-1e4, 1e4), min_size=5, max_size=5))
def test_groups_sum_to_one_however_far_apart_labels_are(logits: list[float]) -> None:
    told = LabelGroups(LABELS, GROUPS).probabilities(torch.tensor([logits], dtype=torch.float64))
    assert told.sum().item() == pytest.approx(1)


def test_the_group_of_each_label() -> None:
    groups = LabelGroups(LABELS, {"positive": ("great", "good"), "negative": ("bad",)})
    assert groups.of(torch.tensor([0, 1, 2, 3, 4])).tolist() == [1, NO_GROUP, NO_GROUP, 0, 0]


@pytest.mark.parametrize(
    ("groups", "message"),
    [
        ({"all": LABELS}, "at least two groups of labels, found 1"),
        ({"a": ("bad",), "b": ()}, "'b' has no label; expected some of bad, poor, middling, good, great"),
        ({"a": ("bad",), "b": ("goood",)}, "'b': no label 'goood'; expected some of bad, poor, middling, good, great"),
        ({"a": ("bad", "poor"), "b": ("poor",)}, "the label 'poor' is in 'a' and in 'b'"),
        ({"a": ("bad", "bad"), "b": ("poor",)}, "the label 'bad' is in 'a' and in 'a'"),
    ],
)
def test_what_is_no_group_is_refused(groups: dict[str, tuple[str, ...]], message: str) -> None:
    with pytest.raises(InputError, match=f"^\\[task\\] groups: .*{message}"):
        TextClassification(labels=LABELS, groups=groups)


def test_an_answer_tells_label_and_group() -> None:
    task = TextClassification(labels=LABELS, groups=GROUPS)
    # At temperature 2 the square roots count: 3 + 1 against 2 + 0.
    (told,) = task.answers(Output(logits_of(9, 1, 16, 4, 1e-99)), Batch({}), temperature=2.0)
    assert told["label"] == "middling"
    assert told["groups"] == pytest.approx({"negative": 4 / 6, "positive": 2 / 6})


def test_an_answer_without_groups_tells_none() -> None:
    (told,) = TextClassification(labels=LABELS).answers(Output(logits_of(1, 1, 1, 1, 2)), Batch({}), temperature=1.0)
    assert list(told) == ["label", "scores"]


def test_the_report_scores_groups_and_counts_what_is_in_none() -> None:
    # Right; right, though another label is likelier than each of the group's; wrong; in no group.
    rows = [(8, 1, 0.1, 1, 1), (3, 3, 1, 4, 0.1), (1, 1, 1, 1, 5), (9, 1, 1, 1, 1)]
    logits = torch.cat([logits_of(*row) for row in rows]).float()
    labels = torch.tensor([0, 1, 0, 2])
    told = classification_report(logits, labels, names=LABELS, temperature=1.0, groups=LabelGroups(LABELS, GROUPS))
    assert told.metrics["group_accuracy"] == pytest.approx(2 / 3)
    assert "group_accuracy" in told.shares
    assert told.figures["group_accuracy"].value == pytest.approx(2 / 3)
    assert told.counts == {"in_no_group": 1}
    assert told.metrics["accuracy"] == pytest.approx(1 / 4)


def test_without_an_example_in_a_group_there_is_no_accuracy_by_group() -> None:
    told = classification_report(
        logits_of(1, 2, 3, 4, 5).float(),
        torch.tensor([2]),
        names=LABELS,
        temperature=1.0,
        groups=LabelGroups(LABELS, GROUPS),
    )
    assert math.isnan(told.metrics["group_accuracy"])


@pytest.mark.parametrize("groups", [{"a": "bad"}, {"a": [1]}, ["bad"]])
def test_a_recipe_gives_lists_of_labels_by_group(groups: Any) -> None:
    target = "readhead.tasks.classification:TextClassification"
    with pytest.raises(InputError, match=r"\[task\] groups = .*: expected"):
        check_options("task", target, {"groups": groups}, derived=("labels",))
    told = check_options("task", target, {"groups": {"a": ["bad"], "b": ["good"]}}, derived=("labels",))
    assert told["groups"] == {"a": ["bad"], "b": ["good"]}
