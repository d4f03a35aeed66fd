"""Figures by how long texts are, by label, and by what the corpus says of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Int64

from readhead.prediction.bootstrap import Interval, intervals
from readhead.prediction.evaluation import Evaluation
from readhead.tasks.task import Task

LENGTH, LABEL = "length", "label"
FEW = 30  # units, below which a bootstrap interval says little
MOST_VALUES = 30  # of a tag that are told, the commonest

_LONGEST = [5, 10, 20, 40, 80, 160, 320, 640, 1280, 2560]  # words, of all slices by length but the last


@dataclass(frozen=True, slots=True)
class Slice:
    """A part of the units, and the task's main figure of it.

    by: `length` (words of all texts together, of a ranking those of the question), `label` (gold), or a tag.
    value: which of those.
    n: units.
    figure: the figure; NaN if these units make none.
    interval: its 95 % bootstrap interval.
    """

    by: str
    value: str
    n: int
    figure: float
    interval: Interval | None


def slices(measured: Evaluation, task: Task) -> list[Slice]:
    """All slices: lengths from short to long, labels in the task's order, each tag's values in alphabetical order."""
    whole = measured.report.figures.get(task.watched)
    if whole is None:
        return []
    chosen = {(by, value): units for by, value, units in _parts(measured, task)}
    figures = {f"{by}\n{value}": whole.within(units) for (by, value), units in chosen.items()}
    bounds = intervals(figures)
    return [
        Slice(by, value, int(units.sum()), figures[f"{by}\n{value}"].value, bounds[f"{by}\n{value}"])
        for (by, value), units in chosen.items()
    ]


def _parts(measured: Evaluation, task: Task) -> Iterator[tuple[str, str, Bool[np.ndarray, " U"]]]:
    units = measured.report.units
    examples = [measured.examples[place] for place in units.tolist()]
    words = sum(counts for field, counts in measured.words.items() if field != task.several)
    for value, inside in _by_length(np.asarray(words)[units]):
        yield LENGTH, value, inside
    if measured.report.confusion is not None:
        yield from _by_value(LABEL, [example.label for example in examples], task.labels)
    for tag in sorted({tag for example in examples for tag in example.tags}):
        values = [example.tags.get(tag) for example in examples]
        commonest = Counter(value for value in values if value is not None).most_common(MOST_VALUES)
        yield from _by_value(tag, values, sorted(value for value, _ in commonest))


def _by_value(
    by: str, values: Sequence[str | None], told: Sequence[str]
) -> Iterator[tuple[str, str, Bool[np.ndarray, " U"]]]:
    held = np.array(["" if value is None else f"={value}" for value in values], dtype=object)
    for value in told:
        inside = held == f"={value}"
        if inside.any():
            yield by, value, inside


def _by_length(words: Int64[np.ndarray, " U"]) -> Iterator[tuple[str, Bool[np.ndarray, " U"]]]:
    bins = np.searchsorted(_LONGEST, words)  # [U]: place of the first bound that is no less
    for place in np.unique(bins).tolist():
        first = 1 + _LONGEST[place - 1] if place else 0 if (words == 0).any() else 1
        value = f"{first}-{_LONGEST[place]}" if place < len(_LONGEST) else f"{first} or more"
        yield value, bins == place
