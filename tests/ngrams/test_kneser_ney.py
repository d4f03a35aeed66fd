"""Estimation: counts, discounts and probabilities by hand, and against a textbook's own way."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from readhead.errors import InputError
from readhead.ngrams import estimate
from readhead.ngrams.counts import adjusted_counts, count
from readhead.ngrams.kneser_ney import discounts
from tests.ngrams.textbook import Textbook
from tests.ngrams.texts import SILENT, START, UNKNOWN, V, flat, texts

TWO_TEXTS = [[0, 3, 4, 1], [0, 3, 1]]  # <s> a b </s>, <s> a </s>; 2 is the unknown word


def test_counts_by_hand() -> None:
    ids, bounds = flat([[0, 3, 4, 3, 4, 1], [0, 3, 4, 1]])
    ones, twos, threes = count(ids, bounds, order=3, vocabulary_size=5)
    assert ones.raw.tolist() == [2, 2, 0, 3, 3]
    assert twos.keys.tolist() == [0 * 5 + 3, 3 * 5 + 4, 4 * 5 + 1, 4 * 5 + 3]  # <s> a, a b, b </s>, b a
    assert twos.raw.tolist() == [2, 3, 2, 1]
    assert twos.suffix.tolist() == [3, 4, 1, 3]
    assert threes.keys.tolist() == [0 * 5 + 4, 1 * 5 + 1, 1 * 5 + 3, 3 * 5 + 4]  # <s> a b, a b </s>, a b a, b a b
    assert threes.raw.tolist() == [2, 2, 1, 1]
    adjusted = [counts.tolist() for counts in adjusted_counts([ones, twos, threes])]
    assert adjusted[0] == [2, 1, 0, 2, 1]  # in front of a stand <s> and b; <s> counts as it occurs
    assert adjusted[1] == [2, 2, 1, 1]  # <s> a counts as it occurs; in front of a b stand <s> and b
    assert adjusted[2] == [2, 2, 1, 1]


def test_discounts_by_hand() -> None:
    counts = np.array([1, 1, 1, 1, 2, 2, 2, 3, 3, 4, 7, 900, 0])
    # t = 4, 3, 2, 1, so Y = 4 / (4 + 6) = 0.4.
    np.testing.assert_allclose(discounts(counts), [0, 0.4, 2 - 3 * 0.4 * 2 / 3, 3 - 4 * 0.4 * 1 / 2])


@pytest.mark.parametrize(
    ("counts", "message"),
    [([2, 3], "none has the count 1"), ([1, 1, 2], "none has the count 3"), ([1, 2, 3, 3, 3], "for the count 2 is -1")],
)
def test_discounts_of_too_few(counts: list[int], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        discounts(np.array(counts))


def test_probabilities_by_hand() -> None:
    model = estimate(*flat(TWO_TEXTS), vocabulary_size=5, silent=[0], order=2, fallback=(0.5, 1, 1.5))
    # 1-grams: a and b have one word in front, </s> two; discounts 0.5, 0.5 and 1 of 4 leave 1/2, the uniform is 1/4.
    np.testing.assert_allclose(model.distribution(np.array([], dtype=int)), [0, 0.375, 0.125, 0.25, 0.25], rtol=1e-6)
    seen = np.exp(model.log_probabilities(*flat([TWO_TEXTS[0]])))
    np.testing.assert_allclose(seen, [0.5 + 0.5 * 0.25, 0.25 + 0.5 * 0.25, 0.5 + 0.5 * 0.375], rtol=1e-6)
    unseen = np.exp(model.log_probabilities(*flat([[0, 4, 2, 3]])))
    np.testing.assert_allclose(unseen, [0.5 * 0.25, 0.5 * 0.125, 0.25], rtol=1e-6)


@pytest.mark.parametrize("order", [2, 3, 5])
def test_as_the_textbook_has_it(order: int) -> None:
    learnt, new = texts(400), [*texts(40, seed=1), [START, V - 1, V - 1, UNKNOWN, V - 1, 7]]
    predicted = [number for number in range(V) if number not in SILENT]
    textbook = Textbook(learnt, order=order, start=START, predicted=predicted)
    expected = [textbook.probability(text[place], tuple(text[:place])) for text in new for place in range(1, len(text))]
    model = estimate(*flat(learnt), vocabulary_size=V, silent=SILENT, order=order)
    np.testing.assert_allclose(np.exp(model.log_probabilities(*flat(new))), expected, rtol=2e-6)


def test_own_discounts_come_before_fallback() -> None:
    known = flat(texts(400))
    plain = estimate(*known, vocabulary_size=V, silent=SILENT, order=3)
    given = estimate(*known, vocabulary_size=V, silent=SILENT, order=3, fallback=(0.9, 0.9, 0.9))
    np.testing.assert_array_equal(given.log_probabilities(*known), plain.log_probabilities(*known))


def test_one_word_to_predict_is_certain() -> None:
    only = [[0, *[1] * 17]]
    assert (17 - 0.65) / 17 + 0.65 / 17 > 1  # rounded up, which no probability may be
    model = estimate(*flat(only), vocabulary_size=2, silent=[0], order=1, fallback=(0.65, 0.65, 0.65))
    np.testing.assert_array_equal(model.log_probabilities(*flat(only)), 0)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({}, "the 1-grams of these texts cannot be discounted: none has the count 3; expected more text"),
        ({"order": 0}, "order = 0: expected at least 1"),
        ({"order": 5}, "order = 5: expected 1 to 4"),
        ({"fallback": (0.5, 1)}, r"fallback = \[0.5, 1\]: expected three"),
        ({"fallback": (0.5, 1, 3.5)}, "at most k"),
        ({"fallback": (0.0, 1, 1.5)}, "each above 0"),
        ({"fallback": (0.5, float("nan"), 1.5)}, "each above 0"),
        ({"ids": np.array([], dtype=int), "bounds": np.array([0])}, "expected texts"),
    ],
)
def test_what_cannot_be_estimated(changed: dict[str, Any], message: str) -> None:
    ids, bounds = flat(TWO_TEXTS)
    with pytest.raises(InputError, match=message):
        estimate(**({"ids": ids, "bounds": bounds, "vocabulary_size": 5, "silent": [0], "order": 2} | changed))


@pytest.mark.parametrize(
    ("ids", "bounds", "message"),
    [
        ([0, 3, 1], [0, 2], "bounds"),
        ([0, 3, 1], [1, 3], "bounds"),
        ([0, 3, 1, 0], [0, 3, 4], "bounds"),
        ([0, 3, 5], [0, 3], "expected 0 to 4, found 0 to 5"),
        ([0, -1, 1], [0, 3], "expected 0 to 4, found -1 to 1"),
        ([3, 4, 1], [0, 3], "begin with a silent id"),
        ([0, 3, 0, 1], [0, 4], "hold no other"),
    ],
)
def test_what_is_not_texts(ids: list[int], bounds: list[int], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        estimate(np.array(ids), np.array(bounds), vocabulary_size=5, silent=[0])
