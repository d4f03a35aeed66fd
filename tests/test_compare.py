"""The comparison of ops itself: it forgives the reference its luck, and nothing else."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch
from torch import Tensor

from tests.compare import DRAWS, assert_matches_reference

EPS = torch.finfo(torch.float32).eps


def plain(x: Tensor) -> tuple[Tensor, ...]:
    return (x.exp(),)


def off_by(factor: Callable[[int], float]) -> Callable[..., tuple[Tensor, ...]]:
    """The same in float32, but for a factor, told by how many calls there were before."""
    calls = 0

    def op(x: Tensor) -> tuple[Tensor, ...]:
        nonlocal calls
        calls += 1
        return (x.exp() * factor(calls - 1),)

    return op


def inputs() -> dict[str, Tensor]:
    return {"x": torch.rand(100)}


def test_a_few_roundings_pass() -> None:
    assert_matches_reference(off_by(lambda call: 1 + 2 * EPS), plain, inputs())


@pytest.mark.parametrize("right", [0, DRAWS // 2])
def test_one_that_is_mostly_off_is_found_out(right: int) -> None:
    op = off_by(lambda call: 1.0 if 0 < call <= right else 1 + 16 * EPS)
    with pytest.raises(AssertionError, match=r"output 0 is .* from the truth; allowed are"):
        assert_matches_reference(op, plain, inputs())


def test_one_that_is_seldom_off_passes() -> None:
    assert_matches_reference(off_by(lambda call: 1 + 16 * EPS if call in (0, 2) else 1.0), plain, inputs())


@pytest.mark.parametrize("bad", [float("nan"), float("inf")])
def test_what_is_no_number_is_wrong_at_once(bad: float) -> None:
    with pytest.raises(AssertionError, match="output 0 has NaN, or is infinitely far"):
        assert_matches_reference(off_by(lambda call: bad if call == 0 else 1.0), plain, inputs())
