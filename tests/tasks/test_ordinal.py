"""Ordinal labels: near classes get a part of the target."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
import torch

from readhead.data.batch import Batch, Text
from readhead.errors import InputError
from readhead.models.output import Output
from readhead.own_data import OwnData, own_recipe
from readhead.tasks.classification import TextClassification


def test_the_loss_is_the_cross_entropy_with_targets_that_fall_with_the_distance() -> None:
    text = Text(torch.ones(1, 1, dtype=torch.long), torch.ones(1, 1, dtype=torch.bool))
    batch, logits = Batch({"text": text}, torch.tensor([1])), [0.5, 1.0, -1.0, 0.0]
    weights = [math.exp(-distance) for distance in (1, 0, 1, 2)]
    total = math.log(sum(math.exp(logit) for logit in logits))
    expected = sum(w / sum(weights) * (total - logit) for w, logit in zip(weights, logits, strict=True))
    task = TextClassification(labels=("1", "2", "3", "10"), scale="ordinal")
    assert task.loss(Output(torch.tensor([logits]), {}), batch).item() == pytest.approx(expected, rel=1e-6)


def test_labels_without_an_order_are_refused() -> None:
    with pytest.raises(InputError, match="an ordinal scale: expected labels that are numbers; found bad, 2"):
        TextClassification(labels=("bad", "2"), scale="ordinal")


@pytest.mark.parametrize(
    ("task", "soft", "told"),
    [("rank", False, "--ordinal: the task rank has no"), ("classify", True, "--ordinal and --soft-labels")],
)
def test_where_it_is_no_choice(tmp_path: Path, task: str, soft: bool, told: str) -> None:
    own = tmp_path / "own.csv"
    own.write_text("text,label\na,1\nb,2\n")
    with pytest.raises(InputError, match=told):
        own_recipe(OwnData(task=task, data=own, ordinal=True, soft_labels=soft), None, [])


@pytest.mark.parametrize(("task", "texts"), [("classify", "text"), ("pair", "premise,hypothesis")])
def test_a_recipe_is_told(tmp_path: Path, task: str, texts: str) -> None:
    own = tmp_path / "own.csv"
    row = ",".join("a" for _ in texts.split(","))
    own.write_text(f"{texts},label\n{row},1\n{row} b,2\n")
    chosen = own_recipe(OwnData(task=task, data=own, ordinal=True), None, [])
    assert chosen.parts["task"].options["scale"] == "ordinal"
