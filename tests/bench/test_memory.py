"""Memory that a call takes, counted by hand."""

from __future__ import annotations

import torch

from readhead.bench.memory import peak_bytes, saved_bytes
from readhead.ops import attend

N = 1000
ARRAY = 4 * N  # bytes


def test_peak_counts_what_lives_at_one_time() -> None:
    x = torch.ones(N)

    def two_at_a_time() -> None:
        y = x + 1
        for _ in range(5):
            y = y * 2

    assert peak_bytes(two_at_a_time) == 2 * ARRAY


def test_peak_leaves_out_inputs_and_views() -> None:
    x = torch.ones(N)
    assert peak_bytes(lambda: x.view(10, -1).mul_(2)) == 0
    assert peak_bytes(lambda: (x * 2).view(10, -1).t()) == ARRAY


def test_peak_sees_into_operators_of_ours() -> None:
    scores, values, mask = torch.randn(1, 3, N), torch.randn(1, N, 1), torch.ones(1, N, dtype=torch.bool)
    assert peak_bytes(lambda: attend(scores, values, mask, "torch")) >= 2 * 3 * ARRAY


def test_saved_counts_what_the_backward_needs_once() -> None:
    x = torch.ones(N, requires_grad=True)
    assert saved_bytes(x.exp, given=[x]) == ARRAY  # its result
    assert saved_bytes(lambda: x * x, given=[x]) == 0  # the input, which was there before
    assert saved_bytes(lambda: x.exp().tanh(), given=[x]) == 2 * ARRAY


def test_saved_counts_the_weights_of_attention() -> None:
    scores = torch.randn(2, 3, 4, requires_grad=True)
    values, mask = torch.randn(2, 4, 5), torch.ones(2, 4, dtype=torch.bool)
    kept = saved_bytes(lambda: attend(scores, values, mask, "torch"), given=[scores, values, mask])
    assert kept == 2 * 3 * 4 * 4
