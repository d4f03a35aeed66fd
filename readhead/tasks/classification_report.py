"""How well a classifier does, in more than one number."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from jaxtyping import Float, Int
from torch import Tensor
from torch.nn import functional
from torchmetrics.functional.classification import (
    multiclass_calibration_error,
    multiclass_confusion_matrix,
    multiclass_precision,
    multiclass_recall,
)

from readhead.tasks.calibration import probabilities
from readhead.tasks.task import Metrics

CALIBRATION_BINS = 15


@dataclass(frozen=True, slots=True)
class Mistake:
    """One example that was answered wrongly.

    index: its place in the split.
    gold, answered: label names.
    probability: what the reader gave to its answer.
    """

    index: int
    gold: str
    answered: str
    probability: float


@dataclass(frozen=True, slots=True)
class ClassificationReport:
    """Figures of one split.

    metrics: `accuracy`, `loss` (nats an example), `ece` (expected calibration error, 15 bins; Guo et al. 2017),
        and `precision_X`, `recall_X` for each label X; shares of 1.
    confusion: [C, C] counts, a row for each gold label, a column for each answer.
    mistakes: the wrong answers, the surest first.
    """

    metrics: Metrics
    confusion: list[list[int]]
    mistakes: list[Mistake]


def classification_report(
    logits: Float[Tensor, "N C"], labels: Int[Tensor, " N"], *, names: Sequence[str], temperature: float
) -> ClassificationReport:
    """The report of N answered examples.

    logits: before the temperature.
    names: C label names, in the order of the logits.
    """
    likely = probabilities(logits, temperature).float()
    answers, count = likely.argmax(-1), len(names)
    metrics = {
        "accuracy": (answers == labels).double().mean().item(),
        "loss": functional.cross_entropy(logits.double() / temperature, labels).item(),
        "ece": multiclass_calibration_error(likely, labels, num_classes=count, n_bins=CALIBRATION_BINS).item(),
    }
    precision = multiclass_precision(answers, labels, num_classes=count, average="none").tolist()
    recall = multiclass_recall(answers, labels, num_classes=count, average="none").tolist()
    for name, p, r in zip(names, precision, recall, strict=True):
        metrics |= {f"precision_{name}": p, f"recall_{name}": r}
    confusion = multiclass_confusion_matrix(answers, labels, num_classes=count).tolist()
    return ClassificationReport(metrics, confusion, _mistakes(likely, labels, names))


def _mistakes(likely: Float[Tensor, "N C"], labels: Int[Tensor, " N"], names: Sequence[str]) -> list[Mistake]:
    sure, answers = likely.max(-1)
    wrong = torch.nonzero(answers != labels).flatten()
    surest = wrong[sure[wrong].argsort(descending=True, stable=True)]
    return [Mistake(int(i), names[int(labels[i])], names[int(answers[i])], float(sure[i])) for i in surest]
