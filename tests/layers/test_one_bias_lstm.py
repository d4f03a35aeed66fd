from __future__ import annotations

import copy

import pytest
import torch
from torch import nn

from readhead.layers.one_bias_lstm import OneBiasLSTM

E, D = 3, 4


def plain(lstm: OneBiasLSTM) -> nn.LSTM:
    """torch's own with the same weights and a second bias of zeros."""
    two = nn.LSTM(E, D, lstm.num_layers, batch_first=True).to(next(lstm.parameters()).dtype)
    zeros = {f"bias_hh_l{layer}": torch.zeros(4 * D) for layer in range(lstm.num_layers)}
    two.load_state_dict(lstm.state_dict() | zeros)
    return two


@pytest.mark.parametrize("num_layers", [1, 2])
def test_it_is_an_lstm_with_one_bias_a_layer(num_layers: int) -> None:
    lstm, inputs = OneBiasLSTM(input_dim=E, hidden_dim=D, num_layers=num_layers), torch.randn(2, 5, E)
    weights = 4 * D * (E + D) + (num_layers - 1) * 4 * D * 2 * D
    assert sum(parameter.numel() for parameter in lstm.parameters()) == weights + num_layers * 4 * D
    assert lstm.bias_ih_l0.any()
    assert torch.equal(lstm(inputs)[0], plain(lstm)(inputs)[0])


def test_what_would_be_the_second_bias_never_learns() -> None:
    lstm, inputs = OneBiasLSTM(input_dim=E, hidden_dim=D), torch.randn(2, 5, E)
    optimizer = torch.optim.SGD(lstm.parameters(), lr=1.0)
    before = lstm(inputs)[0]
    before.sum().backward()
    optimizer.step()
    after = lstm(inputs)[0]
    assert not torch.allclose(after, before)
    assert torch.equal(after, plain(lstm)(inputs)[0])


def test_it_is_copied_and_cast_as_one() -> None:
    lstm, inputs = OneBiasLSTM(input_dim=E, hidden_dim=D), torch.randn(2, 5, E)
    other = copy.deepcopy(lstm).double()
    assert torch.equal(other(inputs.double())[0], plain(other)(inputs.double())[0])
    with torch.no_grad():
        other.bias_ih_l0.add_(1)
    assert not torch.allclose(other(inputs.double())[0].float(), lstm(inputs)[0])
