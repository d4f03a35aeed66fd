"""Loss, score, answer, report and temperature of answer sentence selection."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch

from readhead.data.batch import Batch, Candidates
from readhead.data.encoded import EncodedSplit
from readhead.data.vocabulary import Vocabulary
from readhead.errors import InputError
from readhead.models.output import Output
from readhead.tasks.answer_selection import AnswerSelection, AnswerSelectionScore

LOGITS = torch.tensor([[0.5], [2.0], [-1.0], [3.0], [-2.0]])
GOLD = torch.tensor([1, 0, 1, 0, 0])
# Two questions: of the first the third candidate comes last; of the second none is right.
CANDIDATES = Candidates(np.array([0, 0, 0, 1, 1]), np.arange(5))


def _task() -> AnswerSelection:
    return AnswerSelection(labels=("0", "1"))


def _batch(rows: list[int]) -> tuple[Output, Batch]:
    return Output(LOGITS[rows]), Batch({}, GOLD[rows], candidates=CANDIDATES[np.array(rows)])


def _score(*batches: list[int]) -> AnswerSelectionScore:
    score = _task().new_score()
    for rows in batches or ([0, 1, 2, 3, 4],):
        score.add(*_batch(rows), rows)
    return score


def test_loss_is_the_mean_binary_cross_entropy() -> None:
    by_hand = [math.log(1 + math.exp(-0.5)), math.log(1 + math.exp(2.0))]
    assert _task().loss(*_batch([0, 1])).item() == pytest.approx(sum(by_hand) / 2, rel=1e-6)


def test_figures_by_hand() -> None:
    metrics = _score().metrics()
    assert metrics["map"] == pytest.approx((1 / 2 + 2 / 3) / 2)
    assert metrics["mrr"] == pytest.approx(1 / 2)
    assert metrics["loss"] == pytest.approx(_task().loss(*_batch([0, 1, 2, 3, 4])).item(), rel=1e-6)


def test_a_score_does_not_depend_on_the_order_of_batches() -> None:
    one, other = _score(), _score([4, 2], [0], [3, 1])
    assert one.metrics() == other.metrics()
    assert torch.equal(one.collected()[0], other.collected()[0])
    assert one.rankings().best.tolist() == other.rankings().best.tolist() == [1]


def test_the_report_tells_what_was_left_out_and_which_first_candidate_is_wrong() -> None:
    report = _task().report(_score([3, 1], [4, 0, 2]), temperature=2.0, lengths=np.ones((5, 2)))
    assert report.counts == {"questions": 1, "left_out": 1}
    assert report.metrics.keys() == {"map", "mrr"}
    assert report.shares == frozenset(), "the papers print .6811, not 68.1"
    (mistake,) = report.mistakes
    assert (mistake.index, mistake.gold, mistake.answered) == (1, "0", "1")
    assert mistake.probability == pytest.approx(1 / (1 + math.exp(-2.0 / 2.0)))
    assert (report.units.tolist(), report.units_right.tolist()) == ([0], [False])
    assert {name: figure.value for name, figure in report.figures.items()} == pytest.approx(report.metrics)


def test_answers_are_probabilities_and_what_they_follow_from() -> None:
    first, second = _task().answers(Output(LOGITS[:2]), Batch({}), temperature=2.0)
    assert first == {"score": pytest.approx(1 / (1 + math.exp(-0.25))), "logit": 0.5}
    assert second["logit"] == 2.0


def test_temperature_undoes_an_exaggeration() -> None:
    logits = torch.randn(20_000)
    labels = (torch.rand(20_000) < torch.sigmoid(logits)).long()
    score, places = _task().new_score(), np.arange(20_000)
    score.add(Output(5 * logits[:, None]), Batch({}, labels, candidates=Candidates(places, places)), places.tolist())
    assert _task().calibrate(score) == pytest.approx(5.0, abs=0.25)


def test_one_logit_is_asked_for() -> None:
    assert _task().num_classes(Vocabulary(words=["a"], oov_rows=1)) == 1


@pytest.mark.parametrize(("labels", "told"), [([0, 0], "no question has a right candidate"), ([0, 1], None)])
def test_what_cannot_be_scored_is_told(labels: list[int], told: str | None) -> None:
    split = EncodedSplit(texts={}, labels=np.array(labels), tags={}, cut=np.zeros((2, 2), np.int32))
    why = _task().unscorable(split)
    assert why is None if told is None else told in str(why)


@pytest.mark.parametrize("labels", [(), ("1",), ("bad", "good"), ("1", "0")])
def test_other_labels_are_refused(labels: tuple[str, ...]) -> None:
    with pytest.raises(InputError, match=r"the task rank needs the labels 0 \(wrong\) and 1 \(right\)"):
        AnswerSelection(labels=labels)
