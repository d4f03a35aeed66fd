from __future__ import annotations

import math

import torch

from readhead.readers.rnn import RNNReader


def test_two_steps_by_hand() -> None:
    """h_t = tanh(2 x_t - 3 h_{t-1} + 1): of x = 0, 1 it is tanh(1), then tanh(3 - 3 tanh(1))."""
    reader = RNNReader(input_dim=1, hidden_dim=1)
    with torch.no_grad():
        for parameter, value in ((reader.rnn.weight_ih_l0, 2), (reader.rnn.weight_hh_l0, -3)):
            parameter.fill_(value)
        reader.rnn.bias_ih_l0.fill_(0.25)
        reader.rnn.bias_hh_l0.fill_(0.75)
    outputs = reader(torch.tensor([[[0.0], [1.0]]]), torch.ones(1, 2, dtype=torch.bool)).outputs
    first = math.tanh(1)
    torch.testing.assert_close(outputs, torch.tensor([[[first], [math.tanh(3 - 3 * first)]]]))


def test_the_state_holds_every_layers_h() -> None:
    reader = RNNReader(input_dim=3, hidden_dim=4, num_layers=2)
    mask = torch.ones(2, 5, dtype=torch.bool)
    reading, state = reader.read(torch.randn(2, 5, 3), mask, reader.initial_state(2))
    assert {name: tuple(value.shape) for name, value in state.items()} == {"1.hidden": (2, 4), "2.hidden": (2, 4)}
    assert torch.equal(state["2.hidden"], reading.outputs[:, -1])
