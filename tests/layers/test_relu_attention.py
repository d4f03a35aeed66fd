from __future__ import annotations

import math

import torch

from readhead.layers.relu_attention import ReLUAttention


def test_by_hand() -> None:
    attention = ReLUAttention(dim=1)
    with torch.no_grad():
        for name, value in {
            "key.weight": 2.0,
            "key.bias": 1.0,
            "query.weight": 3.0,
            "query.bias": -2.0,
            "score.weight": math.log(2),
            "score.bias": 7.0,
        }.items():
            attention.get_parameter(name).fill_(value)
    memory = torch.tensor([[[1.0], [-4.0], [0.0], [9.0]]])
    mask = torch.tensor([[True, True, True, False]])
    # x = 0: ReLU(2m + 1 + 3x - 2) = ReLU([1, -9, -1]) = [1, 0, 0]: 2 to 1 to 1.
    # x = 1: ReLU([4, -6, 2]) = [4, 0, 2]: 16 to 1 to 4. A tanh, or no ReLU, would weigh -9 and -1 apart.
    blend, weights = attention(memory, mask, torch.tensor([[[0.0], [1.0]]]))
    torch.testing.assert_close(weights, torch.tensor([[[2 / 4, 1 / 4, 1 / 4, 0], [16 / 21, 1 / 21, 4 / 21, 0]]]))
    torch.testing.assert_close(blend, torch.tensor([[[-2 / 4], [12 / 21]]]))


def test_where_no_slot_is_real_nothing_is_seen() -> None:
    attention = ReLUAttention(dim=2)
    blend, weights = attention(torch.randn(1, 3, 2), torch.zeros(1, 3, dtype=torch.bool), torch.randn(1, 1, 2))
    assert not blend.any()
    assert not weights.any()
