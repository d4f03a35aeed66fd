"""What counts as a task: what is lost, what is scored, what is answered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol

import numpy as np
from jaxtyping import Bool, Float, Int, Int64
from torch import Tensor

from readhead.data.batch import Batch
from readhead.data.encoded import EncodedSplit
from readhead.data.vocabulary import Vocabulary
from readhead.models.output import Output
from readhead.tasks.figure import Figure

Metrics = dict[str, float]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What was answered to one example, and what is right.

    index: its place in the split.
    gold, answered: by the names that the task answers with.
    probability: what the reader gave to its answer.
    """

    index: int
    gold: str
    answered: str
    probability: float


class Score(Protocol):
    """Collects a split batch by batch; one figure or many at the end."""

    def add(self, output: Output, batch: Batch, indices: Sequence[int]) -> None:
        """Takes one batch in; `indices` [B] are the examples' places in the split."""
        ...

    def metrics(self) -> Metrics:
        """The figures by name."""
        ...


class Report(Protocol):
    """Everything that is told of a scored split."""

    @property
    def metrics(self) -> Metrics:
        """The figures by name."""
        ...

    @property
    def shares(self) -> frozenset[str]:
        """The names of those metrics that are shares of 1: results show them in percent, and the others as they are."""
        ...

    @property
    def counts(self) -> Mapping[str, int]:
        """What the figures are figures of, where that is not each example: questions, and those left out."""
        ...

    @property
    def correct(self) -> Sequence[bool] | None:
        """[N], whether each example was answered rightly, in the split's order; None where none can be."""
        ...

    @property
    def mistakes(self) -> Sequence[Verdict]:
        """The wrong answers, the surest first; of a ranking the first candidates that are wrong."""
        ...

    @property
    def confusion(self) -> Sequence[Sequence[int]] | None:
        """[C, C] counts, a row for each gold label, a column for each answer; None for a task without labels.

        `precision_X` and `recall_X` of each label X are then among the metrics.
        """
        ...

    @property
    def figures(self) -> Mapping[str, Figure]:
        """The metrics that are figures of U units which could as well have been others: texts, pairs, questions."""
        ...

    @property
    def units(self) -> Int64[np.ndarray, " U"]:
        """[U], the place in the split of the example that a unit is, or begins with: the same for every reader."""
        ...

    def verdict(self, unit: int) -> Verdict:
        """What was answered to a unit: of a ranking, its first candidate. Only for a task that has right answers."""
        ...

    @property
    def units_right(self) -> Bool[np.ndarray, " U"] | None:
        """[U], whether each unit was answered rightly, a ranking in its first place; None where none can be."""
        ...


class Task(Protocol):
    """What is asked of a model.

    fields: names of the texts it is asked with, in the order in which people give them.
    reads: the same names, in the order in which a model reads them.
    several: the one of `fields` that there are several of, which are ranked; None where each example stands alone.
    labels: names of the classes, by class index; empty for a task without labels.
    watched: the metric that picks the best weights.
    higher_is_better: which way `watched` points.
    unit: what one example is called, for progress and rates.
    foretells: whether a text is its own answer, word by word; else each has a label.
    """

    fields: ClassVar[tuple[str, ...]]
    reads: ClassVar[tuple[str, ...]]
    several: ClassVar[str | None]
    watched: ClassVar[str]
    higher_is_better: ClassVar[bool]
    unit: ClassVar[str]
    foretells: ClassVar[bool]
    labels: tuple[str, ...]

    def num_classes(self, vocabulary: Vocabulary) -> int:
        """C: how many logits it asks of a model."""
        ...

    def loss(self, output: Output, batch: Batch) -> Float[Tensor, ""]:
        """The batch's mean loss in nats."""
        ...

    def total(self, loss: float, batch: Batch) -> float:
        """The loss of the whole batch, in nats, from its mean."""
        ...

    def weight(self, batch: Batch) -> int:
        """How many things a loss is told of: examples, or tokens."""
        ...

    def unscorable(self, split: EncodedSplit) -> str | None:
        """Why a split of labelled examples can't be scored, in words; None if it can."""
        ...

    def new_score(self) -> Score:
        """An empty score."""
        ...

    def calibrate(self, score: Score) -> float | None:
        """The temperature that makes the scores of a held-out split usable probabilities; None = the task has none."""
        ...

    def report(self, score: Score, *, temperature: float, lengths: Int[np.ndarray, "N K"]) -> Report:
        """Everything `readhead evaluate` tells of a split.

        temperature: the logits are divided by it before they become probabilities.
        lengths: tokens of each text, markers included, as `EncodedSplit` has them.
        """
        ...

    def answers(self, output: Output, batch: Batch, *, temperature: float) -> list[Mapping[str, Any]]:
        """B answers in plain data."""
        ...

    def answered(self, answer: Mapping[str, Any]) -> str:
        """What it was that one of `answers` answered, by name."""
        ...

    def bits(self, output: Output, batch: Batch, *, of: str, temperature: float) -> Float[Tensor, " B"]:
        """log2 of the probability that each of B examples gives to what was `answered`; gradients flow through it."""
        ...
