"""Interpolated modified Kneser-Ney smoothing (Chen & Goodman 1998; in the form of Heafield et al. 2013).

With a(h w) the adjusted count of word w after context h, h' the context without its first word, and t_k the number of
n-grams of an order that have the adjusted count k:

    p(w | h) = (a(h w) - D(a(h w))) / Σ_x a(h x) + γ(h) p(w | h')     (1)
    γ(h)     = Σ_x D(a(h x)) / Σ_x a(h x)                             (2)
    D(k)     = k - (k + 1) Y t_{k+1} / t_k  for k = 1, 2, 3           (3)
    Y        = t_1 / (t_1 + 2 t_2)                                    (4)

D(0) is 0, and D(3) holds for all higher counts too. Behind the empty context stands the uniform distribution over all
words that can be predicted.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np
from jaxtyping import Float32, Float64, Int, Int64

from readhead.errors import InputError
from readhead.ngrams.counts import adjusted_counts, count
from readhead.ngrams.model import NGramModel, Table


def estimate(
    ids: Int[np.ndarray, " T"],
    bounds: Int[np.ndarray, " bounds"],
    *,
    vocabulary_size: int,
    silent: Collection[int],
    order: int = 5,
    fallback: Sequence[float] | None = None,
) -> NGramModel:
    """Estimates an n-gram model from N texts; no n-gram is pruned.

    ids: [T], all texts end to end, each with its start mark and its end mark.
    bounds: [N + 1], text n is `ids[bounds[n]:bounds[n + 1]]`.
    vocabulary_size: V; ids run from 0 to V - 1. One that no text holds, as that of the unknown word may be, gets its
        share of the uniform distribution.
    silent: ids that are never predicted: the start mark, with which every text begins, and padding.
    order: words of the longest n-grams.
    fallback: D(1), D(2) and D(3) of an order with too few n-grams to estimate its own (kenlm's are 0.5, 1 and 1.5);
        None refuses such texts.

    Raises:
        InputError: the texts are too few or too short for this order, or `order` or `fallback` cannot be.
        ValueError: the ids and bounds are not as described.
    """
    _check_texts(ids, bounds, vocabulary_size, silent)
    check_options(order, fallback)
    if order > (longest := np.diff(bounds).max(initial=0)):
        raise InputError(f"order = {order}: expected 1 to {longest}, the longest text with its marks")
    counted = count(ids, bounds, order=order, vocabulary_size=vocabulary_size)
    adjusted = adjusted_counts(counted)
    adjusted[0][list(silent)] = 0
    probability = _uniform(vocabulary_size, silent)
    probabilities, leftovers = [], []
    contexts = 1  # the empty one
    for n, (table, counts) in enumerate(zip(counted, adjusted, strict=True), start=1):
        context = table.keys // vocabulary_size  # [G]
        discount = _discounts_of_order(n, counts, fallback)[np.minimum(counts, 3)]  # [G]
        total = np.bincount(context, counts, minlength=contexts)  # [contexts], Σ_x a(h x)
        taken = np.bincount(context, discount, minlength=contexts)  # [contexts], Σ_x D(a(h x))
        leftover = np.divide(taken, total, out=np.ones(contexts), where=total > 0)  # eq. (2)
        probability = (counts - discount) / total[context] + leftover[context] * probability[table.suffix]  # eq. (1)
        probabilities.append(probability)
        leftovers.append(leftover)
        contexts = len(table.keys)
    # What a context leaves over is known one order above it; the longest n-grams are nobody's context.
    backoffs = [*leftovers[1:], np.ones(contexts)]
    return NGramModel(
        tables=(
            Table(table.keys, _log10(probability), _log10(backoff))
            for table, probability, backoff in zip(counted, probabilities, backoffs, strict=True)
        )
    )


def discounts(adjusted: Int[np.ndarray, " G"]) -> Float64[np.ndarray, " 4"]:
    """D(0), D(1), D(2) and D(3) of equations (3) and (4).

    adjusted: [G], the adjusted counts of the n-grams of one order.

    Raises:
        ValueError: no n-gram has the count 1, 2 or 3, or the counts are too unlike a language's: a D(k) is not above 0.
    """
    t = np.bincount(np.minimum(adjusted, 5), minlength=6).astype(np.float64)
    for k in (1, 2, 3):
        if not t[k]:
            raise ValueError(f"none has the count {k}")
    y = t[1] / (t[1] + 2 * t[2])  # eq. (4)
    found = np.array([0, *(k - (k + 1) * y * t[k + 1] / t[k] for k in (1, 2, 3))])  # eq. (3)
    for k in (1, 2, 3):
        if found[k] <= 0:
            raise ValueError(f"their discount for the count {k} is {found[k]:.3g}")
    return found


def _discounts_of_order(
    n: int, adjusted: Int64[np.ndarray, " G"], fallback: Sequence[float] | None
) -> Float64[np.ndarray, " 4"]:
    try:
        return discounts(adjusted)
    except ValueError as error:
        if fallback is not None:
            return np.array([0, *fallback])
        message = f"the {n}-grams of these texts cannot be discounted: {error}"
        advice = "expected more text, a lower order, or discounts to fall back on (fallback = [0.5, 1, 1.5])"
        raise InputError(f"{message}; {advice}") from error


def _uniform(vocabulary_size: int, silent: Collection[int]) -> Float64[np.ndarray, " V"]:
    uniform = np.full(vocabulary_size, 1 / (vocabulary_size - len(set(silent))))
    uniform[list(silent)] = 0
    return uniform


def _log10(values: Float64[np.ndarray, " G"]) -> Float32[np.ndarray, " G"]:
    with np.errstate(divide="ignore"):  # a silent id has probability 0
        # Rounding must not lift above 1 what is all but certain.
        logarithms: Float32[np.ndarray, " G"] = np.log10(np.minimum(values, 1)).astype(np.float32)
    return logarithms


def check_options(order: int, fallback: Sequence[float] | None) -> None:
    """Raises: InputError for an order or for discounts that no text could go with."""
    if order < 1:
        raise InputError(f"order = {order}: expected at least 1")
    if fallback is not None and (
        len(fallback) != 3 or not all(0 < discount <= k for k, discount in enumerate(fallback, start=1))
    ):
        raise InputError(f"fallback = {list(fallback)}: expected three discounts D(k), each above 0 and at most k")


def _check_texts(
    ids: Int[np.ndarray, " T"], bounds: Int[np.ndarray, " bounds"], vocabulary_size: int, silent: Collection[int]
) -> None:
    if len(bounds) < 2:
        raise InputError("expected texts to count n-grams in, found none")
    if bounds[0] != 0 or bounds[-1] != len(ids) or np.diff(bounds).min() < 2:
        raise ValueError("bounds: expected to run from 0 to T, each text with a start mark and one id at least")
    if ids.min() < 0 or ids.max() >= vocabulary_size:
        raise ValueError(f"ids: expected 0 to {vocabulary_size - 1}, found {ids.min()} to {ids.max()}")
    is_silent = np.isin(ids, list(silent))
    if not is_silent[bounds[:-1]].all() or is_silent.sum() != len(bounds) - 1:
        raise ValueError("ids: expected each text to begin with a silent id, and to hold no other")
