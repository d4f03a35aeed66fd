"""Two runs on the same examples: how far apart their figures are, and whether that is more than chance."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from jaxtyping import Int64

from readhead.errors import InputError
from readhead.prediction.bootstrap import Interval, draws, interval
from readhead.prediction.evaluation import Evaluation
from readhead.run import Run

BY_CHANCE = 0.05  # the p-value below which a difference is called more than chance


@dataclass(frozen=True, slots=True)
class Difference:
    """The first run's figure less the second's, with its paired 95 % bootstrap interval."""

    value: float
    interval: Interval | None


@dataclass(frozen=True, slots=True, eq=False)
class Exclusive:
    """Which units (texts, pairs, questions) only one of two runs answers rightly, and what that proves.

    only_first, only_second: places of the units among all U.
    both, neither: how many others.
    p: of McNemar's exact test.
    """

    only_first: Int64[np.ndarray, " a"]
    only_second: Int64[np.ndarray, " b"]
    both: int
    neither: int
    p: float


@dataclass(frozen=True, slots=True, eq=False)
class Comparison:
    """The second of two runs, set beside the first.

    name: what it is called.
    measured: what it makes of the first one's examples.
    differences: by metric.
    exclusive: None for a task whose answers are not right or wrong.
    notes: what to know before the figures are believed.
    """

    name: str
    measured: Evaluation
    differences: Mapping[str, Difference]
    exclusive: Exclusive | None
    notes: tuple[str, ...] = ()


def check_comparable(first: Run, second: Run) -> None:
    """Raises: InputError, naming the second run, if it does another task or knows other labels."""
    place = second.files.folder
    kinds = [run.recipe.parts["task"].kind for run in (first, second)]
    if kinds[0] != kinds[1]:
        raise InputError(f"its task is {kinds[1]}; to compare it with {first.files.folder}, {kinds[0]}", file=place)
    if set(first.task.labels) != set(second.task.labels):
        told = [", ".join(sorted(run.task.labels)) or "none" for run in (second, first)]
        raise InputError(f"its labels are {told[0]}; those of {first.files.folder} are {told[1]}", file=place)


def notes(first: Run, second: Run) -> tuple[str, ...]:
    """What makes two comparable runs less so."""
    told = []
    if first.record.data != second.record.data:
        told.append("they were trained on different files; what one has seen in training is no test of it")
    if first.task.foretells and first.vocabulary.words != second.vocabulary.words:
        told.append("their vocabularies differ, so that they foretell different words: perplexities do not compare")
    segments = [run.recipe.training.segment for run in (first, second)]
    if segments[0] != segments[1] and None in segments:
        told.append("one reads running text and knows what came before, the other each text alone")
    groups = [run.recipe.parts["task"].options.get("groups") for run in (first, second)]
    if groups[0] != groups[1] and None not in groups:
        told.append("they put labels together in other groups: accuracies by group do not compare")
    return tuple(told)


def compare(first: Evaluation, second: Evaluation, *, name: str, notes: tuple[str, ...] = ()) -> Comparison:
    """Sets a second run beside a first one; both have read the same examples.

    name: what the second is called.
    """
    ours, theirs = first.report.figures, second.report.figures
    own, other = draws(ours), draws(theirs)
    differences = {}
    for metric, figure in ours.items():
        if metric not in theirs:  # an accuracy by groups that the other run does not know
            continue
        value = figure.value - theirs[metric].value
        with np.errstate(invalid="ignore"):  # infinite perplexities
            drawn = own[metric] - other[metric]
        differences[metric] = Difference(value, interval(drawn, value, biased=figure.biased))
    return Comparison(name, second, differences, _exclusive(first, second), notes)


def _exclusive(first: Evaluation, second: Evaluation) -> Exclusive | None:
    ours, theirs = first.report.units_right, second.report.units_right
    if ours is None or theirs is None:
        return None
    only_first, only_second = np.flatnonzero(ours & ~theirs), np.flatnonzero(theirs & ~ours)
    both, neither = int((ours & theirs).sum()), int((~ours & ~theirs).sum())
    return Exclusive(only_first, only_second, both, neither, mcnemar(len(only_first), len(only_second)))


def mcnemar(only_first: int, only_second: int) -> float:
    """McNemar's exact test (1947): p = 2 · P(X ≤ min(b, c)) for X ~ Binomial(b + c, 1/2), at most 1.

    How likely a split of the b + c at least as uneven is, if each of them could as well have gone the other way.
    """
    count, fewer = only_first + only_second, min(only_first, only_second)
    term, tail = 1, 0
    for successes in range(fewer + 1):
        tail += term
        term = term * (count - successes) // (successes + 1)  # comb(count, successes + 1)
    return min(1.0, 2 * tail / (1 << count))


def in_words(exclusive: Exclusive) -> str:
    """What the test says, in words."""
    ours, theirs, p = len(exclusive.only_first), len(exclusive.only_second), exclusive.p
    if ours == theirs:
        return f"McNemar's exact test: p = {p:.4f}. Nothing here tells the two apart."
    chance = f"in {100 * p:.1f} of 100 cases" if p >= 0.001 else "less than once in 1,000 cases"
    told = f"p = {p:.4f}" if p >= 0.0001 else "p < 0.0001"
    conclusion = "that is more than chance" if p < BY_CHANCE else "that may well be chance"
    return (
        f"McNemar's exact test: {told}. If both were equally good, {max(ours, theirs):,} to {min(ours, theirs):,} or "
        f"a more uneven split would come about {chance}: {conclusion}."
    )
