"""A figure of a split as a function of sums, so that it can be told of any part of the split, and of resamples."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from jaxtyping import Bool, Float64

Combine = Callable[[Float64[np.ndarray, "... K"]], Float64[np.ndarray, "..."]]


@dataclass(frozen=True, slots=True, eq=False)
class Figure:
    """f(Σ_u x_u): what U units (texts, pairs, questions) make together.

    terms: [U, K], what each unit adds to K sums.
    of: f, [..., K] -> [...]; NaN where the sums make no figure, such as the precision of a label never given.
    biased: whether noise moves it one way, as it does a sum of absolute values: resamples then lie beside it.
    """

    terms: Float64[np.ndarray, "U K"]
    of: Combine
    biased: bool = False

    @property
    def value(self) -> float:
        """The figure of all units."""
        return float(self.of(self.terms.sum(axis=0)))

    def within(self, chosen: Bool[np.ndarray, " U"]) -> Figure:
        """The same figure of some of the units."""
        return replace(self, terms=self.terms * chosen[:, None])


def mean(values: np.ndarray) -> Figure:
    """The mean of [U] values."""
    return share(values, np.ones(len(values)))


def share(parts: np.ndarray, wholes: np.ndarray) -> Figure:
    """Σ parts / Σ wholes, both [U]."""
    return Figure(np.stack([parts, wholes], axis=1).astype(np.float64), ratio)


def ratio(sums: Float64[np.ndarray, "... two"]) -> Float64[np.ndarray, ...]:
    """The first sum over the second, NaN where that is 0."""
    with np.errstate(divide="ignore", invalid="ignore"):
        quotients: Float64[np.ndarray, ...] = np.where(sums[..., 1] == 0, np.nan, sums[..., 0] / sums[..., 1])
    return quotients
