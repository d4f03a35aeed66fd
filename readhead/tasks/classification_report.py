"""How well a classifier does, in more than one number."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

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
from readhead.tasks.task import Metrics, Mistake

CALIBRATION_BINS = 15


@dataclass(frozen=True, slots=True)
class ClassificationReport:
    """Figures of one split, as `Report` tells them.

    metrics: `accuracy`, `ece` (expected calibration error, 15 bins; Guo et al. 2017), `calibrated_loss` (nats an
        example, after the temperature; the `loss` of training is before it), and `precision_X`, `recall_X` for each
        label X.
    shares: all of these but `calibrated_loss`.
    correct: [N].
    mistakes: the wrong answers, the surest first.
    confusion: [C, C].
    counts: none.
    """

    metrics: Metrics
    shares: frozenset[str]
    correct: list[bool]
    mistakes: list[Mistake]
    confusion: list[list[int]]
    counts: Mapping[str, int] = field(default_factory=dict)


def classification_report(
    logits: Float[Tensor, "N C"], labels: Int[Tensor, " N"], *, names: Sequence[str], temperature: float
) -> ClassificationReport:
    """The report of N answered examples.

    logits: before the temperature, which moves no answer, not by rounding either.
    names: C label names, in the order of the logits.
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
    return ClassificationReport(
        metrics=shares | {"calibrated_loss": functional.cross_entropy(logits.double() / temperature, labels).item()},
        shares=frozenset(shares),
        correct=(answers == labels).tolist(),
        mistakes=_mistakes(likely, answers, labels, names),
        confusion=multiclass_confusion_matrix(answers, labels, num_classes=count).tolist(),
    )


def _mistakes(
    likely: Float[Tensor, "N C"], answers: Int[Tensor, " N"], labels: Int[Tensor, " N"], names: Sequence[str]
) -> list[Mistake]:
    sure = likely.gather(-1, answers[:, None]).squeeze(-1)  # [N]
    wrong = torch.nonzero(answers != labels).flatten()
    surest = wrong[sure[wrong].argsort(descending=True, stable=True)]
    return [Mistake(int(i), names[int(labels[i])], names[int(answers[i])], float(sure[i])) for i in surest]
