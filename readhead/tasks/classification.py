"""Classification of one text, or of two that belong together.

Loss: cross-entropy, L = -log softmax(logits)[label]. Answer: the likeliest label, with every label's probability
after division of the logits by a temperature (Guo et al. 2017), fitted on the dev split.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np
import torch
from jaxtyping import Float, Int
from torch import Tensor
from torch.nn import functional

from readhead.data.batch import Batch
from readhead.data.encoded import EncodedSplit
from readhead.data.labels import are_numbers
from readhead.data.vocabulary import Vocabulary
from readhead.errors import InputError
from readhead.models.output import Output
from readhead.tasks import calibration
from readhead.tasks.collected import Collected
from readhead.tasks.label_groups import LabelGroups
from readhead.tasks.task import Metrics, Score

if TYPE_CHECKING:  # torchmetrics takes a second to import, which only an evaluation needs
    from readhead.tasks.classification_report import ClassificationReport


class ClassificationScore:
    """Logits and labels of a split, kept whole: N × C floats."""

    def __init__(self) -> None:
        self._collected = Collected()

    def add(self, output: Output, batch: Batch, indices: Sequence[int]) -> None:
        """Takes one labelled batch in."""
        self._collected.add(*_both(output, batch), indices)

    def metrics(self) -> Metrics:
        """`accuracy` (a share of 1) and `loss` (nats an example, before any temperature)."""
        logits, labels = self.collected()
        correct = (logits.argmax(-1) == labels).double().mean()
        return {"accuracy": correct.item(), "loss": functional.cross_entropy(logits.double(), labels).item()}

    def collected(self) -> tuple[Float[Tensor, "N C"], Int[Tensor, " N"]]:
        """Logits and labels in the split's own order."""
        return self._collected.in_order()


class TextClassification:
    """One text, one label.

    labels: the classes' names, in the order of the logits.
    scale: `ordinal` where labels are numbers and a near one is less wrong than a far one: then the loss is the
        cross-entropy of q_c ∝ exp(-|c - y|), c and y the places of a class and of the label (Díaz & Marathe 2019).
        `nominal`: a label is right or wrong.
    groups: by wider name, labels that an answer puts together too; see `LabelGroups`. None = no such names.

    Raises:
        InputError: an ordinal scale, and a label that is no number; or groups of other labels.
    """

    fields: ClassVar[tuple[str, ...]] = ("text",)
    reads: ClassVar[tuple[str, ...]] = fields
    several: ClassVar[str | None] = None
    watched: ClassVar[str] = "accuracy"
    higher_is_better: ClassVar[bool] = True
    unit: ClassVar[str] = "texts"
    foretells: ClassVar[bool] = False

    def __init__(
        self,
        *,
        labels: Sequence[str],
        scale: Literal["nominal", "ordinal"] = "nominal",
        groups: dict[str, tuple[str, ...]] | None = None,
    ) -> None:
        if scale == "ordinal" and not are_numbers(labels):
            raise InputError(f"an ordinal scale: expected labels that are numbers; found {', '.join(labels)}")
        self.labels, self.scale = tuple(labels), scale
        self.groups = None if groups is None else LabelGroups(self.labels, groups)

    def num_classes(self, vocabulary: Vocabulary) -> int:
        """A logit for each label."""
        return len(self.labels)

    def loss(self, output: Output, batch: Batch) -> Float[Tensor, ""]:
        """Mean cross-entropy in nats, of the labels or, where there are any, of a teacher's probabilities."""
        logits, labels = _both(output, batch)
        if batch.soft is not None:
            return functional.cross_entropy(logits, batch.soft)
        if self.scale == "ordinal":
            return functional.cross_entropy(logits, _by_distance(labels, len(self.labels)))
        return functional.cross_entropy(logits, labels)

    def total(self, loss: float, batch: Batch) -> float:
        """Its examples' losses together."""
        return loss * len(batch)

    def weight(self, batch: Batch) -> int:
        """The batch's examples."""
        return len(batch)

    def unscorable(self, split: EncodedSplit) -> str | None:
        """Any labelled example can be right or wrong."""
        return None

    def new_score(self) -> ClassificationScore:
        """An empty score."""
        return ClassificationScore()

    def calibrate(self, score: Score) -> float:
        """The temperature under which the split's labels are likeliest."""
        assert isinstance(score, ClassificationScore)
        return calibration.temperature(*score.collected())

    def report(self, score: Score, *, temperature: float, lengths: Int[np.ndarray, "N K"]) -> ClassificationReport:
        """Everything `readhead evaluate` tells of a split."""
        from readhead.tasks.classification_report import classification_report

        assert isinstance(score, ClassificationScore)
        return classification_report(*score.collected(), names=self.labels, temperature=temperature, groups=self.groups)

    def answers(self, output: Output, batch: Batch, *, temperature: float) -> list[Mapping[str, Any]]:
        """`label` and `scores` by label name, summing to 1; where labels are grouped, `groups` by name, likewise."""
        assert output.logits is not None, "an answer needs a model that classifies"
        likely = calibration.probabilities(output.logits, temperature)
        labels = [self.labels[place] for place in output.logits.argmax(-1).tolist()]
        told: list[Mapping[str, Any]] = [
            {"label": label, "scores": dict(zip(self.labels, row, strict=True))}
            for label, row in zip(labels, likely.tolist(), strict=True)
        ]
        if self.groups is None:
            return told
        rows = self.groups.probabilities(output.logits.double() / temperature).tolist()
        names = self.groups.names
        return [{**one, "groups": dict(zip(names, row, strict=True))} for one, row in zip(told, rows, strict=True)]

    def answered(self, answer: Mapping[str, Any]) -> str:
        """The label."""
        label: str = answer["label"]
        return label

    def bits(self, output: Output, batch: Batch, *, of: str, temperature: float) -> Float[Tensor, " B"]:
        """log2 p of a label."""
        assert output.logits is not None, "an answer needs a model that classifies"
        nats = torch.log_softmax(output.logits.double() / temperature, dim=-1)[:, self.labels.index(of)]
        return nats / math.log(2)


class PairClassification(TextClassification):
    """A premise and a hypothesis, one label: entailment, duplicate, contradiction."""

    fields: ClassVar[tuple[str, ...]] = ("premise", "hypothesis")
    reads: ClassVar[tuple[str, ...]] = fields
    unit: ClassVar[str] = "pairs"


def _by_distance(labels: Int[Tensor, " B"], num_classes: int) -> Float[Tensor, "B C"]:
    places = torch.arange(num_classes, device=labels.device)
    return (-(places - labels.unsqueeze(1)).abs().float()).softmax(dim=1)  # [B, C]


def _both(output: Output, batch: Batch) -> tuple[Float[Tensor, "B C"], Int[Tensor, " B"]]:
    assert output.logits is not None, "classification needs a model that classifies"
    assert batch.labels is not None, "a loss and a score need labels"
    return output.logits, batch.labels
