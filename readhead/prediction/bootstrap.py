"""How far figures would move with other texts of the same kind: the bootstrap (Efron 1979).

A split of U units is drawn again R times, with replacement, and every figure told of each resample; 95 % of them lie
in the interval. The resamples follow from a seed and U alone: two readers of the same split are drawn alike, and the
difference of their figures is a paired one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
from jaxtyping import Float64

from readhead.tasks.figure import Figure

RESAMPLES = 1000
SEED = 0
TAIL = 0.025  # left out on each side

_AT_ONCE = 2_000_000  # counts that are held at a time

Interval = tuple[float, float]


def intervals(figures: Mapping[str, Figure]) -> dict[str, Interval | None]:
    """The 95 % interval of each figure; None where no resample makes one.

    figures: by name, all of the same U units.
    """
    drawn = draws(figures)
    return {name: interval(drawn[name], figure.value, biased=figure.biased) for name, figure in figures.items()}


def interval(drawn: Float64[np.ndarray, " R"], value: float, *, biased: bool) -> Interval | None:
    """Where 95 % of a figure's resamples lie.

    drawn: NaN where a resample makes no figure.
    value: the figure of the split itself.
    biased: whether the resamples are to be moved back by what they lie above it on average.
    """
    told = drawn[~np.isnan(drawn)]
    if not len(told) or np.isnan(value):
        return None
    if biased:
        told = told - (told.mean() - value)
    # The nearest resamples, not points between them: one may be infinite.
    low, high = np.quantile(told, [TAIL, 1 - TAIL], method="nearest").tolist()
    return low, high


def draws(figures: Mapping[str, Figure]) -> dict[str, Float64[np.ndarray, " R"]]:
    """Each figure of each of the R resamples."""
    if not figures:
        return {}
    terms = np.concatenate([figure.terms for figure in figures.values()], axis=1)  # [U, ΣK]
    sums = np.concatenate([counts @ terms for counts in _counts(len(terms))])  # [R, ΣK]
    ends = np.cumsum([figure.terms.shape[1] for figure in figures.values()])
    parts = np.split(sums, ends[:-1], axis=1)
    return {name: figure.of(part) for (name, figure), part in zip(figures.items(), parts, strict=True)}


def _counts(units: int) -> Iterator[Float64[np.ndarray, "r U"]]:
    """How often each unit is in each resample, a few resamples at a time."""
    generator = np.random.default_rng(SEED)
    size = max(1, _AT_ONCE // units)
    for start in range(0, RESAMPLES, size):
        rows = min(size, RESAMPLES - start)
        drawn = generator.integers(units, size=(rows, units)) + units * np.arange(rows)[:, None]
        yield np.bincount(drawn.ravel(), minlength=rows * units).reshape(rows, units).astype(np.float64)
