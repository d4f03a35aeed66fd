"""How well a classifier does, in more than one number."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import torch
from jaxtyping import Bool, Float, Float64, Int, Int64
from torch import Tensor
from torch.nn import functional
from torchmetrics.functional.classification import (
    multiclass_calibration_error,
    multiclass_confusion_matrix,
    multiclass_precision,
    multiclass_recall,
)

from readhead.tasks.calibration import probabilities
from readhead.tasks.figure import Figure, mean, share
from readhead.tasks.label_groups import NO_GROUP, LabelGroups
from readhead.tasks.task import Metrics, Verdict

CALIBRATION_BINS = 15


@dataclass(frozen=True, slots=True)
class ReliabilityBin:
    """The answers whose probability lies between two bounds.

    low, high: the bounds; the upper one is outside, but for 1.
    n: answers.
    sureness: their mean probability.
    accuracy: the share of them that is right.
    """

    low: float
    high: float
    n: int
    sureness: float
    accuracy: float


@dataclass(frozen=True, slots=True)
class ClassificationReport:
    """Figures of one split, as `Report` tells them.

    metrics: `accuracy`, `ece` (expected calibration error, 15 bins; Guo et al. 2017), `calibrated_loss` (nats an
        example, after the temperature; the `loss` of training is before it), and `precision_X`, `recall_X` for each
        label X. Where labels are grouped, `group_accuracy`: how often the likeliest group is the right one, of the
        examples whose label is in a group.
    shares: all of these but `calibrated_loss`.
    correct: [N].
    mistakes: the wrong answers, the surest first.
    confusion: [C, C].
    figures: each metric as a function of sums over the N examples.
    units: the examples' places, 0 to N - 1.
    units_right: `correct`.
    names: of the labels, as in `confusion`.
    gold, answers: [N], places of labels.
    sureness: [N], the probability of each answer.
    counts: `in_no_group`, the examples that `group_accuracy` leaves out; empty where labels are not grouped.
    """

    metrics: Metrics
    shares: frozenset[str]
    correct: list[bool]
    mistakes: list[Verdict]
    confusion: list[list[int]]
    figures: Mapping[str, Figure]
    names: Sequence[str]
    gold: Int64[np.ndarray, " N"]
    answers: Int64[np.ndarray, " N"]
    sureness: Float64[np.ndarray, " N"]
    counts: Mapping[str, int] = field(default_factory=dict)

    @property
    def units(self) -> Int64[np.ndarray, " N"]:
        """Each example's place."""
        return np.arange(len(self.correct))

    @property
    def units_right(self) -> Bool[np.ndarray, " N"]:
        """`correct`, as an array."""
        return np.array(self.correct, dtype=np.bool_)

    def verdict(self, unit: int) -> Verdict:
        """What was answered to an example."""
        gold, answer = self.names[self.gold[unit]], self.names[self.answers[unit]]
        return Verdict(unit, gold, answer, float(self.sureness[unit]))

    def reliability(self) -> list[ReliabilityBin]:
        """How often answers were right that were about equally sure, from the unsure to the sure; no empty bin."""
        bins = np.minimum(_bins(self.sureness), CALIBRATION_BINS - 1)
        told = []
        for place in np.unique(bins).tolist():
            inside = bins == place
            edges = (place / CALIBRATION_BINS, (place + 1) / CALIBRATION_BINS)
            sure, right = self.sureness[inside].mean(), self.units_right[inside].mean()
            told.append(ReliabilityBin(*edges, int(inside.sum()), float(sure), float(right)))
        return told


def classification_report(
    logits: Float[Tensor, "N C"],
    labels: Int[Tensor, " N"],
    *,
    names: Sequence[str],
    temperature: float,
    groups: LabelGroups | None = None,
) -> ClassificationReport:
    """The report of N answered examples.

    logits: before the temperature, which moves no answer, not by rounding either.
    names: C label names, in the order of the logits.
    groups: of these names; None = they are not grouped.
    """
    likely, answers, count = probabilities(logits, temperature).float(), logits.argmax(-1), len(names)
    shares = {
        "accuracy": (answers == labels).double().mean().item(),
        "ece": multiclass_calibration_error(likely, labels, num_classes=count, n_bins=CALIBRATION_BINS).item(),
    }
    precision = multiclass_precision(answers, labels, num_classes=count, average="none").tolist()
    recall = multiclass_recall(answers, labels, num_classes=count, average="none").tolist()
    for name, p, r in zip(names, precision, recall, strict=True):
        shares |= {f"precision_{name}": p, f"recall_{name}": r}
    figures = (
        {} if groups is None else {"group_accuracy": _group_accuracy(logits.double() / temperature, labels, groups)}
    )
    shares |= {name: figure.value for name, figure in figures.items()}
    sureness = likely.gather(-1, answers[:, None]).squeeze(-1)  # [N]
    losses = functional.cross_entropy(logits.double() / temperature, labels, reduction="none")  # [N]
    return ClassificationReport(
        metrics=shares | {"calibrated_loss": losses.mean().item()},
        shares=frozenset(shares),
        correct=(answers == labels).tolist(),
        mistakes=_mistakes(sureness, answers, labels, names),
        confusion=multiclass_confusion_matrix(answers, labels, num_classes=count).tolist(),
        figures=_figures(answers.numpy(), labels.numpy(), sureness.numpy(), losses.numpy(), names) | figures,
        names=tuple(names),
        gold=labels.numpy(),
        answers=answers.numpy(),
        sureness=sureness.double().numpy(),
        counts={} if groups is None else {"in_no_group": int((groups.of(labels) == NO_GROUP).sum())},
    )


def _group_accuracy(logits: Float[Tensor, "N C"], labels: Int[Tensor, " N"], groups: LabelGroups) -> Figure:
    gold, answers = groups.of(labels), groups.probabilities(logits).argmax(dim=1)
    asked = gold != NO_GROUP
    return share(((answers == gold) & asked).numpy(), asked.numpy())


def _mistakes(
    sureness: Float[Tensor, " N"], answers: Int[Tensor, " N"], labels: Int[Tensor, " N"], names: Sequence[str]
) -> list[Verdict]:
    wrong = torch.nonzero(answers != labels).flatten()
    surest = wrong[sureness[wrong].argsort(descending=True, stable=True)]
    return [Verdict(int(i), names[int(labels[i])], names[int(answers[i])], float(sureness[i])) for i in surest]


def _figures(
    answers: np.ndarray, labels: np.ndarray, sureness: np.ndarray, losses: np.ndarray, names: Sequence[str]
) -> dict[str, Figure]:
    right = answers == labels
    figures = {"accuracy": mean(right), "ece": _calibration_error(sureness, right), "calibrated_loss": mean(losses)}
    for place, name in enumerate(names):
        said, is_one = answers == place, labels == place
        figures |= {f"precision_{name}": share(said & is_one, said), f"recall_{name}": share(said & is_one, is_one)}
    return figures


def _calibration_error(sureness: np.ndarray, right: np.ndarray) -> Figure:
    """Σ_b |Σ_{n in b} (sureness_n - right_n)| / N, in the bins that `multiclass_calibration_error` has."""
    gaps = np.zeros((len(right), CALIBRATION_BINS + 2))  # certain answers have a bin of their own; the last counts
    gaps[np.arange(len(right)), _bins(sureness)] = sureness.astype(np.float64) - right
    gaps[:, -1] = 1
    return Figure(gaps, _mean_gap, biased=True)


def _mean_gap(sums: Float64[np.ndarray, "... K"]) -> Float64[np.ndarray, ...]:
    with np.errstate(invalid="ignore"):
        gap: Float64[np.ndarray, ...] = np.abs(sums[..., :-1]).sum(axis=-1) / sums[..., -1]
    return gap


def _bins(sureness: np.ndarray) -> np.ndarray:
    edges = torch.linspace(0, 1, CALIBRATION_BINS + 1).numpy()  # float32, as torchmetrics compares
    return np.searchsorted(edges, sureness.astype(np.float32), side="right") - 1
