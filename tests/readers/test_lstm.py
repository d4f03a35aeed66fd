from __future__ import annotations

import math

import pytest
import torch

from readhead.errors import InputError
from readhead.readers.lstm import LSTMReader


def test_one_step_by_hand() -> None:
    """All weights and biases 0 but the candidate's bias: i = f = o = σ(0), c = tanh(1)/2, h = tanh(c)/2."""
    reader = LSTMReader(input_dim=3, hidden_dim=1)
    with torch.no_grad():
        for weight in reader.parameters():
            weight.zero_()
        reader.lstm.bias_ih_l0[2] = 1.0  # torch's order is i, f, ĉ, o
    outputs = reader(torch.randn(1, 2, 3), torch.ones(1, 2, dtype=torch.bool)).outputs
    first = 0.5 * math.tanh(1)
    second = 0.5 * first + 0.5 * math.tanh(1)
    expected = [[[0.5 * math.tanh(first)], [0.5 * math.tanh(second)]]]
    torch.testing.assert_close(outputs, torch.tensor(expected))


def test_dropout_stands_between_layers() -> None:
    reader = LSTMReader(input_dim=3, hidden_dim=8, num_layers=2, dropout=0.5)
    embedded, mask = torch.randn(2, 4, 3), torch.ones(2, 4, dtype=torch.bool)
    assert not torch.equal(reader(embedded, mask).outputs, reader(embedded, mask).outputs)
    reader.eval()
    assert torch.equal(reader(embedded, mask).outputs, reader(embedded, mask).outputs)


def test_dropout_without_layers_to_stand_between_is_refused() -> None:
    with pytest.raises(InputError, match=r"dropout .* stands between layers; it has only one"):
        LSTMReader(input_dim=3, hidden_dim=8, dropout=0.5)
