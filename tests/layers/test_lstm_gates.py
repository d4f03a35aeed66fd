from __future__ import annotations

import math

import torch

from readhead.layers.lstm_gates import lstm_gates


def test_by_hand() -> None:
    """σ(log 3) = 3/4, σ(0) = 1/2, σ(-log 3) = 1/4, tanh(log 3) = (9 - 1) / (9 + 1) = 4/5."""
    sums = torch.tensor([[math.log(3), 0.0, 0.0, 0.0, -math.log(3), 0.0, math.log(3), 0.0]])
    i, f, o, candidate = lstm_gates(sums)
    torch.testing.assert_close(i, torch.tensor([[0.75, 0.5]]))
    torch.testing.assert_close(f, torch.tensor([[0.5, 0.5]]))
    torch.testing.assert_close(o, torch.tensor([[0.25, 0.5]]))
    torch.testing.assert_close(candidate, torch.tensor([[0.8, 0.0]]))
