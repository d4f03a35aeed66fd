"""Several runs' answers to the same examples, one beside the other (Parikh et al. 2016, Table 3)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from readhead.data.example import Example
from readhead.errors import InputError
from readhead.prediction.comparison import check_comparable
from readhead.prediction.predictor import Predictor


@dataclass(frozen=True, slots=True)
class Beside:
    """One example and what each run answers: `label` and `scores`."""

    example: Example
    answers: tuple[Mapping[str, Any], ...]

    @property
    def right(self) -> tuple[bool, ...]:
        """Whether each run answered rightly."""
        return tuple(answer["label"] == self.example.label for answer in self.answers)


def side_by_side(predictors: Sequence[Predictor], examples: Iterable[Example]) -> list[Beside]:
    """What each of several runs answers to each labelled example.

    Raises: InputError if their answers are not labels, or one does another task than the first.
    """
    first, *others = (predictor.run for predictor in predictors)
    if not first.task.labels or first.task.several is not None:
        told = f"its task is {first.recipe.parts['task'].kind}; side by side stand the labels of classify and pair"
        raise InputError(told, file=first.files.folder)
    for other in others:
        check_comparable(first, other)
    kept = [example for example in examples if example.label is not None]
    texts = [example.texts for example in kept]
    answers = zip(*(predictor.answers(texts) for predictor in predictors), strict=True)
    return [Beside(example, told) for example, told in zip(kept, answers, strict=True)]
