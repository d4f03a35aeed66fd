"""Loss, score, answer, report and temperature of classification."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch

from readhead.data.batch import Batch, Text
from readhead.models.output import Output
from readhead.tasks import calibration
from readhead.tasks.classification import PairClassification
from readhead.tasks.classification_report import classification_report

LABELS = ("entailment", "neutral", "contradiction")
LOGITS = torch.tensor([[2.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 3.0, 0.0], [0.0, 0.0, 0.5]])
GOLD = torch.tensor([0, 1, 0, 2])


def _batch(rows: list[int]) -> tuple[Output, Batch]:
    return Output(LOGITS[rows]), Batch({}, GOLD[rows])


def test_loss_is_the_mean_negative_log_probability() -> None:
    by_hand = [-math.log(math.exp(2) / (math.exp(2) + 2)), -math.log(math.e / (math.e + 2))]
    task = PairClassification(labels=LABELS)
    assert task.loss(*_batch([0, 1])).item() == pytest.approx(sum(by_hand) / 2, rel=1e-6)


def test_a_score_does_not_depend_on_the_order_of_batches() -> None:
    task = PairClassification(labels=LABELS)
    score = task.new_score()
    for rows in ([3, 1], [2, 0]):
        score.add(*_batch(rows), rows)
    logits, labels = score.collected()
    assert torch.equal(logits, LOGITS)
    assert torch.equal(labels, GOLD)
    assert score.metrics()["accuracy"] == 0.75


def test_answers_name_the_likeliest_label_and_sum_to_one() -> None:
    (answer,) = PairClassification(labels=LABELS).answers(Output(LOGITS[:1]), Batch({}), temperature=2.0)
    assert answer["label"] == "entailment"
    assert list(answer["scores"]) == list(LABELS)
    assert sum(answer["scores"].values()) == pytest.approx(1, abs=1e-12)
    assert answer["scores"]["entailment"] == pytest.approx(math.e / (math.e + 2))


def test_the_report_counts_by_hand() -> None:
    report = classification_report(LOGITS, GOLD, names=LABELS, temperature=1.0)
    assert report.confusion == [[1, 1, 0], [0, 1, 0], [0, 0, 1]]
    assert report.metrics["accuracy"] == 0.75
    assert report.metrics["recall_entailment"] == 0.5
    assert report.metrics["precision_neutral"] == 0.5
    (mistake,) = report.mistakes
    assert (mistake.index, mistake.gold, mistake.answered) == (2, "entailment", "neutral")
    assert mistake.probability == pytest.approx(math.exp(3) / (math.exp(3) + 2), rel=1e-5)


def test_calibration_error_by_hand() -> None:
    # Two answers at probability 3/4, one right: |1/2 - 3/4|.
    logits = torch.tensor([[math.log(3.0), 0.0], [math.log(3.0), 0.0]])
    report = classification_report(logits, torch.tensor([0, 1]), names=("a", "b"), temperature=1.0)
    assert report.metrics["ece"] == pytest.approx(0.25, abs=1e-6)


def test_temperature_undoes_an_exaggeration() -> None:
    torch.manual_seed(0)
    true_logits = torch.randn(20_000, 3)
    labels = torch.distributions.Categorical(logits=true_logits).sample()
    assert calibration.temperature(true_logits, labels) == pytest.approx(1.0, abs=0.05)
    assert calibration.temperature(5 * true_logits, labels) == pytest.approx(5.0, abs=0.25)


@pytest.mark.parametrize("scale", [0.01, 1.0, 20.0])
def test_a_dozen_right_answers_make_nobody_certain(scale: float) -> None:
    labels = torch.arange(12) % 3
    logits = scale * (torch.nn.functional.one_hot(labels, 3) + 0.3 * torch.rand(12, 3))
    likely = calibration.probabilities(logits, calibration.temperature(logits, labels))
    assert logits.argmax(-1).equal(labels)
    assert likely.max().item() < 0.99
    if scale == 1.0:  # on the average what Laplace's rule says of the next one
        assert likely.max(-1).values.mean().item() == pytest.approx(13 / 15, abs=0.01)


def test_temperature_moves_no_answer_not_by_rounding_either() -> None:
    for logits in (torch.tensor([[0.0, 1e-9, 0.0]]), torch.tensor([[0.0, 1e-30, 0.0]])):
        for temperature in (0.05, 1.0, 20.0):
            report = classification_report(logits, torch.tensor([1]), names=LABELS, temperature=temperature)
            assert report.metrics["accuracy"] == 1.0
            assert (report.mistakes, report.correct, report.confusion[1]) == ([], [True], [0, 1, 0])
            (answer,) = PairClassification(labels=LABELS).answers(Output(logits), Batch({}), temperature=temperature)
            assert answer["label"] == "neutral"


def test_the_loss_of_a_report_is_after_the_temperature_that_of_a_score_before() -> None:
    task = PairClassification(labels=LABELS)
    score = task.new_score()
    score.add(*_batch([0]), [0])
    assert score.metrics()["loss"] == pytest.approx(-math.log(math.exp(2) / (math.exp(2) + 2)), rel=1e-6)
    report = task.report(score, temperature=2.0, lengths=np.ones((1, 2)))
    assert report.metrics["calibrated_loss"] == pytest.approx(-math.log(math.e / (math.e + 2)), rel=1e-6)
    assert report.metrics.keys() - report.shares == {"calibrated_loss"}


def test_a_loss_is_the_mean_over_the_batch_and_its_weight_says_so() -> None:
    task = PairClassification(labels=LABELS)
    text = Text.pad([np.array([1]), np.array([1, 2]), np.array([1]), np.array([1])])
    whole = Batch({"premise": text, "hypothesis": text}, GOLD)
    parts = [(task.loss(*_batch(rows)), len(rows)) for rows in ([0, 1, 2], [3])]
    assert task.weight(whole) == 4
    mean = sum(loss * n for loss, n in parts) / task.weight(whole)
    assert float(mean) == pytest.approx(task.loss(Output(LOGITS), whole).item(), rel=1e-6)
