from __future__ import annotations

import pytest
import torch

from readhead.layers.distance_bias import DistanceBias


def test_starts_at_zero_with_a_number_for_each_near_distance_and_one_for_all_far_ones() -> None:
    bias = DistanceBias(max_distance=10)
    assert bias.bias.shape == (22,)
    assert not bias(30).any()


def test_by_hand() -> None:
    bias = DistanceBias(max_distance=1)
    with torch.no_grad():
        bias.bias.copy_(torch.tensor([-1.0, 0.5, 1.0, 7.0]))  # i - j = -1, 0, 1, and beyond
    expected = [[0.5, -1.0, 7.0, 7.0], [1.0, 0.5, -1.0, 7.0], [7.0, 1.0, 0.5, -1.0], [7.0, 7.0, 1.0, 0.5]]
    assert torch.equal(bias(4), torch.tensor(expected))


@pytest.mark.parametrize("num_tokens", [1, 2, 11, 12, 40])
def test_is_a_function_of_the_distance(num_tokens: int) -> None:
    bias = DistanceBias(max_distance=10)
    with torch.no_grad():
        bias.bias.copy_(torch.arange(22.0))
    computed = bias(num_tokens)
    for i in range(num_tokens):
        for j in range(num_tokens):
            assert computed[i, j] == (i - j + 10 if abs(i - j) <= 10 else 21)


def test_every_bucket_learns() -> None:
    bias = DistanceBias(max_distance=2)
    bias(5).sum().backward()
    assert bias.bias.grad is not None
    assert bias.bias.grad.tolist() == [3, 4, 5, 4, 3, 6]
