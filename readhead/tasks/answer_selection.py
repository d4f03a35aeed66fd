"""Answer sentence selection: which of a question's candidates answer it.

Each candidate is read with its question and gets one logit s. Loss: L = -y log σ(s) - (1 - y) log(1 - σ(s)), with
y = 1 where the candidate is right. Figures: mean average precision and mean reciprocal rank over the questions that
have a right candidate, as trec_eval computes them. Answer: σ(s / temperature), how likely the candidate is right, with
the temperature fitted on the dev split (Guo et al. 2017), and s itself, by which candidates are ranked.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import torch
from jaxtyping import Bool, Float, Float64, Int, Int64
from torch import Tensor
from torch.nn import functional

from readhead.data.batch import Batch, Candidates
from readhead.data.encoded import EncodedSplit
from readhead.data.questions import RIGHT, WRONG
from readhead.data.vocabulary import Vocabulary
from readhead.errors import InputError
from readhead.models.output import Output
from readhead.tasks import calibration
from readhead.tasks.collected import Collected
from readhead.tasks.figure import Figure, mean
from readhead.tasks.task import Metrics, Score, Verdict
from readhead.tasks.trec import Rankings, rank


class AnswerSelectionScore:
    """Logits, labels and questions of a split, kept whole: four numbers a candidate."""

    def __init__(self) -> None:
        self._collected = Collected()
        self._candidates: list[Candidates] = []

    def add(self, output: Output, batch: Batch, indices: Sequence[int]) -> None:
        """Takes one labelled batch in."""
        assert batch.candidates is not None, "candidates are ranked within their questions"
        self._collected.add(*_both(output, batch), indices)
        self._candidates.append(batch.candidates)

    def metrics(self) -> Metrics:
        """`map`, `mrr` and `loss` (nats a candidate, before any temperature)."""
        logits, labels = self.collected()
        loss = functional.binary_cross_entropy_with_logits(logits.double(), labels.double())
        return {**figures(self.rankings()), "loss": loss.item()}

    def collected(self) -> tuple[Float[Tensor, " N"], Int[Tensor, " N"]]:
        """Logits and labels in the split's own order."""
        return self._collected.in_order()

    def rankings(self) -> Rankings:
        """The candidates of each question ranked by their logits."""
        (logits, labels), order = self.collected(), self._collected.order
        group, ids = (
            np.concatenate(parts) for parts in zip(*((c.group, c.order) for c in self._candidates), strict=True)
        )
        return rank(logits.numpy(), labels.numpy() == 1, Candidates(group[order], ids[order]))


@dataclass(frozen=True, slots=True)
class AnswerSelectionReport:
    """Figures of one split, as `Report` tells them.

    metrics: `map`, `mrr`.
    counts: `questions` that these are means over; `left_out`, those without a right candidate.
    rankings: of the questions that the figures are about, which are the units.
    right: [N], whether a candidate is right.
    likely: [N], the probability that it is.
    """

    metrics: Metrics
    counts: Mapping[str, int]
    rankings: Rankings
    right: Bool[np.ndarray, " N"]
    likely: Float64[np.ndarray, " N"]
    shares: frozenset[str] = frozenset()
    correct: list[bool] | None = None
    confusion: list[list[int]] | None = None

    @property
    def figures(self) -> dict[str, Figure]:
        """Means over the questions."""
        return {"map": mean(self.rankings.average_precision), "mrr": mean(self.rankings.reciprocal_rank)}

    @property
    def units(self) -> Int64[np.ndarray, " Q"]:
        """The place of each question's first candidate in the split."""
        return np.array([places.min() for places in self.rankings.places], dtype=np.int64)

    @property
    def units_right(self) -> Bool[np.ndarray, " Q"]:
        """Whether a right candidate came first."""
        first: Bool[np.ndarray, " Q"] = self.right[self.rankings.best]
        return first

    @property
    def mistakes(self) -> list[Verdict]:
        """Of each question whose first candidate is wrong, that candidate, the surest first."""
        wrong = [self.verdict(unit) for unit in np.flatnonzero(~self.units_right).tolist()]
        return sorted(wrong, key=lambda verdict: -verdict.probability)

    def verdict(self, unit: int) -> Verdict:
        """What is right of a question's first candidate, which was taken to be right."""
        place = int(self.rankings.best[unit])
        return Verdict(place, RIGHT if self.right[place] else WRONG, RIGHT, float(self.likely[place]))


class AnswerSelection:
    """A question and one of its candidates; a logit for being right.

    labels: those of wrong and right candidates, "0" and "1".

    Raises:
        InputError: the labels are others.
    """

    fields: ClassVar[tuple[str, ...]] = ("question", "candidate")
    reads: ClassVar[tuple[str, ...]] = ("candidate", "question")
    several: ClassVar[str | None] = "candidate"
    watched: ClassVar[str] = "map"
    higher_is_better: ClassVar[bool] = True
    unit: ClassVar[str] = "pairs"
    foretells: ClassVar[bool] = False

    def __init__(self, *, labels: Sequence[str]) -> None:
        if tuple(labels) != (WRONG, RIGHT):
            told = ", ".join(labels) or "none"
            raise InputError(
                f"the task rank needs the labels {WRONG} (wrong) and {RIGHT} (right), the corpus has {told}"
            )
        self.labels = tuple(labels)

    def num_classes(self, vocabulary: Vocabulary) -> int:
        """One logit: how right a candidate is."""
        return 1

    def loss(self, output: Output, batch: Batch) -> Float[Tensor, ""]:
        """Mean binary cross-entropy in nats."""
        logits, labels = _both(output, batch)
        return functional.binary_cross_entropy_with_logits(logits, labels.to(logits.dtype))

    def total(self, loss: float, batch: Batch) -> float:
        """Its candidates' losses together."""
        return loss * len(batch)

    def weight(self, batch: Batch) -> int:
        """The batch's candidates."""
        return len(batch)

    def unscorable(self, split: EncodedSplit) -> str | None:
        """Nothing can be ranked where no candidate is right."""
        assert split.labels is not None
        return (
            None if split.labels.any() else "no question has a right candidate (label 1), so no ranking can be scored"
        )

    def new_score(self) -> AnswerSelectionScore:
        """An empty score."""
        return AnswerSelectionScore()

    def calibrate(self, score: Score) -> float:
        """The temperature under which the split's labels are likeliest: σ(s) is a softmax over the logits 0 and s."""
        assert isinstance(score, AnswerSelectionScore)
        logits, labels = score.collected()
        return calibration.temperature(torch.stack([torch.zeros_like(logits), logits], dim=-1), labels)

    def report(self, score: Score, *, temperature: float, lengths: Int[np.ndarray, "N K"]) -> AnswerSelectionReport:
        """Everything `readhead evaluate` tells of a split."""
        assert isinstance(score, AnswerSelectionScore)
        rankings, (logits, labels) = score.rankings(), score.collected()
        counts = {"questions": len(rankings.best), "left_out": rankings.left_out}
        likely = _probabilities(logits, temperature).numpy()
        return AnswerSelectionReport(figures(rankings), counts, rankings, labels.numpy() == 1, likely)

    def answers(self, output: Output, batch: Batch, *, temperature: float) -> list[Mapping[str, Any]]:
        """`score`, the probability of being right, and `logit`, which is finer where probabilities are near 1."""
        logits = _logits(output)
        likely = _probabilities(logits, temperature).tolist()
        return [{"score": score, "logit": logit} for score, logit in zip(likely, logits.tolist(), strict=True)]

    def answered(self, answer: Mapping[str, Any]) -> str:
        """That the candidate is right, however likely that is."""
        return "being right"

    def bits(self, output: Output, batch: Batch, *, of: str, temperature: float) -> Float[Tensor, " B"]:
        """log2 σ(s / temperature), of the candidate being right."""
        return functional.logsigmoid(_logits(output).double() / temperature) / math.log(2)


def figures(rankings: Rankings) -> Metrics:
    """`map` and `mrr`, means over questions, between 0 and 1."""
    return {"map": float(rankings.average_precision.mean()), "mrr": float(rankings.reciprocal_rank.mean())}


def _probabilities(logits: Float[Tensor, " N"], temperature: float) -> Float64[Tensor, " N"]:
    return torch.sigmoid(logits.double() / temperature)


def _logits(output: Output) -> Float[Tensor, " B"]:
    assert output.logits is not None, "ranking needs a model that answers with a logit"
    return output.logits.squeeze(1)


def _both(output: Output, batch: Batch) -> tuple[Float[Tensor, " B"], Int[Tensor, " B"]]:
    assert batch.labels is not None, "a loss and a score need labels"
    return _logits(output), batch.labels
