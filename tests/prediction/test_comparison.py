"""McNemar's exact test, and what it is called in words."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import numpy as np
import pytest

from readhead.prediction.comparison import Exclusive, in_words, mcnemar


def test_by_hand() -> None:
    assert mcnemar(0, 0) == 1.0
    assert mcnemar(5, 0) == mcnemar(0, 5) == pytest.approx(2 / 32)
    assert mcnemar(1, 5) == pytest.approx(2 * (1 + 6) / 64)
    assert mcnemar(4, 4) == 1.0


@pytest.mark.parametrize(("b", "c"), [(3, 11), (250, 200), (0, 40), (400, 420)])
def test_as_the_binomial_distribution_has_it(b: int, c: int) -> None:
    as_uneven = [k for k in range(b + c + 1) if abs(2 * k - b - c) >= abs(b - c)]
    assert mcnemar(b, c) == float(sum(Fraction(comb(b + c, k), 2 ** (b + c)) for k in as_uneven))


def test_a_hopeless_case_is_no_overflow() -> None:
    assert mcnemar(0, 5000) == 0.0


@pytest.mark.parametrize(
    ("b", "c", "told"),
    [
        (7, 7, "Nothing here tells the two apart"),
        (104, 66, "104 to 66 or a more uneven split would come about in 0.4 of 100 cases: that is more than chance."),
        (9, 12, "12 to 9 or a more uneven split would come about in 66.4 of 100 cases: that may well be chance."),
        (
            0,
            90,
            "p < 0.0001. If both were equally good, 90 to 0 or a more uneven split would come about less than once",
        ),
    ],
)
def test_in_words(b: int, c: int, told: str) -> None:
    assert told in in_words(Exclusive(np.arange(b), np.arange(c), 0, 0, mcnemar(b, c)))
