from __future__ import annotations

import math

import torch
from torch import nn

from readhead.layers.depth_gated_lstm import DepthGatedLSTM
from readhead.readers.depth_gated import DepthGatedReader


def sigmoid(x: float) -> float:
    return 1 / (1 + math.exp(-x))


def test_the_depth_gate_by_hand() -> None:
    """All weights 0 but the depth gate's: i = f = o = 1/2, ĉ = 0."""
    layer = DepthGatedLSTM(hidden_dim=1)
    with torch.no_grad():
        for parameter in layer.parameters():
            parameter.zero_()
        layer.from_below.weight[4], layer.from_below.bias[4] = 2.0, 0.5
        layer.weigh_own.fill_(3.0)
        layer.weigh_below.fill_(-1.0)
    hidden_below, memory_below = torch.tensor([[[0.1], [0.2]]]), torch.tensor([[[0.7], [0.9]]])
    hidden, memory = layer(hidden_below, memory_below, torch.zeros(1, 1), torch.full((1, 1), 0.4))
    first = sigmoid(2 * 0.1 + 3 * 0.4 - 0.7 + 0.5) * 0.7 + 0.4 / 2
    second = sigmoid(2 * 0.2 + 3 * first - 0.9 + 0.5) * 0.9 + first / 2
    torch.testing.assert_close(memory, torch.tensor([[[first], [second]]]))
    torch.testing.assert_close(hidden, torch.tensor([[[math.tanh(first) / 2], [math.tanh(second) / 2]]]))


def test_with_closed_depth_gates_it_is_a_stacked_lstm() -> None:
    reader, lstm = DepthGatedReader(input_dim=3, hidden_dim=4, num_layers=2), nn.LSTM(3, 4, 2, batch_first=True)
    to_torch = [0, 1, 3, 2]  # i, f, o, ĉ to torch's i, f, ĉ, o
    upper = reader.above[0]
    with torch.no_grad():
        upper.from_below.bias[16:] = -100
        for ours, theirs in (
            (reader.bottom.from_input.weight, lstm.weight_ih_l0),
            (reader.bottom.from_input.bias, lstm.bias_ih_l0),
            (reader.bottom.from_before.weight, lstm.weight_hh_l0),
            (upper.from_below.weight[:16], lstm.weight_ih_l1),
            (upper.from_below.bias[:16], lstm.bias_ih_l1),
            (upper.from_before.weight, lstm.weight_hh_l1),
        ):
            theirs.copy_(torch.cat([ours.chunk(4)[part] for part in to_torch]))
        lstm.bias_hh_l0.zero_()
        lstm.bias_hh_l1.zero_()
    embedded = torch.randn(3, 5, 3)
    expected, (h, c) = lstm(embedded)
    reading, state = reader.read(embedded, torch.ones(3, 5, dtype=torch.bool), reader.initial_state(3))
    torch.testing.assert_close(reading.outputs, expected, rtol=0, atol=1e-6)
    for layer in (1, 2):
        torch.testing.assert_close(state[f"{layer}.hidden"], h[layer - 1], rtol=0, atol=1e-6)
        torch.testing.assert_close(state[f"{layer}.memory"], c[layer - 1], rtol=0, atol=1e-6)


def test_memory_flows_up_where_h_does_not() -> None:
    reader = DepthGatedReader(input_dim=3, hidden_dim=4, num_layers=2)
    with torch.no_grad():
        reader.above[0].from_below.weight.zero_()
    mask = torch.ones(1, 2, dtype=torch.bool)
    one, other = (reader(torch.randn(1, 2, 3), mask).outputs for _ in range(2))
    assert not torch.equal(one, other)
