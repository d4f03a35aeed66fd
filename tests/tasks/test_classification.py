"""Loss, score, answer, report and temperature of classification."""

from __future__ import annotations

import math

import pytest
import torch

from readhead.data.batch import Batch
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
    (answer,) = PairClassification(labels=LABELS).answers(Output(LOGITS[:1]), temperature=2.0)
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


def test_temperature_moves_no_answer_and_stays_in_bounds() -> None:
    assert calibration.temperature(LOGITS[:2], GOLD[:2]) == pytest.approx(calibration.COLDEST, rel=1e-3)
    likely = calibration.probabilities(LOGITS, 7.0)
    assert torch.equal(likely.argmax(-1), LOGITS.argmax(-1))
