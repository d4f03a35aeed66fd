"""What counts as a task: what is lost, what is scored, what is answered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from jaxtyping import Float
from torch import Tensor

from readhead.data.batch import Batch
from readhead.models.output import Output

if TYPE_CHECKING:
    from readhead.tasks.classification_report import ClassificationReport

Metrics = dict[str, float]


class Score(Protocol):
    """Collects a split batch by batch; one figure or many at the end."""

    def add(self, output: Output, batch: Batch, indices: Sequence[int]) -> None:
        """Takes one batch in; `indices` [B] are the examples' places in the split."""
        ...

    def metrics(self) -> Metrics:
        """The figures by name."""
        ...


class Task(Protocol):
    """What is asked of a model.

    fields: names of the texts it reads, in order.
    labels: names of the classes, in the order of the logits.
    watched: the metric that picks the best weights.
    higher_is_better: which way `watched` points.
    unit: what one example is called, for progress and rates.
    """

    fields: ClassVar[tuple[str, ...]]
    watched: ClassVar[str]
    higher_is_better: ClassVar[bool]
    unit: ClassVar[str]
    labels: tuple[str, ...]

    def loss(self, output: Output, batch: Batch) -> Float[Tensor, ""]:
        """The batch's mean loss in nats."""
        ...

    def new_score(self) -> Score:
        """An empty score."""
        ...

    def calibrate(self, score: Score) -> float:
        """The temperature that makes the scores of a held-out split usable probabilities."""
        ...

    def report(self, score: Score, *, temperature: float) -> ClassificationReport:
        """Everything `readhead evaluate` tells of a split."""
        ...

    def answers(self, output: Output, *, temperature: float) -> list[Mapping[str, Any]]:
        """B answers in plain data."""
        ...
