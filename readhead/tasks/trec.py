"""Mean average precision and mean reciprocal rank, as trec_eval computes them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float64, Int64

from readhead.data.batch import Candidates


@dataclass(frozen=True, slots=True)
class Rankings:
    """How well the candidates of Q questions were ranked; questions without a right candidate are not among them.

    average_precision: [Q], 1/R Σ_r precision at rank r, over the ranks of the R right candidates.
    reciprocal_rank: [Q], 1 / the rank of the first right candidate.
    best: [Q], place among all N candidates of the one that came first.
    places: [Q], of each question the places among all N of its candidates, as they were ranked.
    left_out: questions without a right candidate.
    """

    average_precision: Float64[np.ndarray, " Q"]
    reciprocal_rank: Float64[np.ndarray, " Q"]
    best: Int64[np.ndarray, " Q"]
    places: list[Int64[np.ndarray, " n"]]
    left_out: int


def rank(scores: np.ndarray, right: Bool[np.ndarray, " N"], candidates: Candidates) -> Rankings:
    """Ranks N candidates, each within its question, the highest score first.

    Scores are compared in float32; of two that are equal, the candidate whose id comes last as a string goes first.

    scores: [N], any numbers.
    right: [N], whether a candidate answers its question.
    candidates: their questions, and the order of their ids.
    """
    order = np.lexsort((-candidates.order, -scores.astype(np.float32), candidates.group))
    relevant = right[order].astype(np.float64)
    _, starts, sizes = np.unique(candidates.group[order], return_index=True, return_counts=True)  # [all questions]
    ranks = np.arange(len(order)) - np.repeat(starts, sizes) + 1
    so_far = np.cumsum(relevant)
    before = so_far[starts] - relevant[starts]
    precision = (so_far - np.repeat(before, sizes)) / ranks
    count = np.add.reduceat(relevant, starts)  # R
    answered = count > 0
    return Rankings(
        average_precision=np.add.reduceat(precision * relevant, starts)[answered] / count[answered],
        reciprocal_rank=np.maximum.reduceat(relevant / ranks, starts)[answered],
        best=order[starts][answered],
        places=[places for places, kept in zip(np.split(order, starts[1:]), answered, strict=True) if kept],
        left_out=int((~answered).sum()),
    )
