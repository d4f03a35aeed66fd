from __future__ import annotations

import torch

from readhead.layers.dropout import Dropout
from readhead.layers.feed_forward import FeedForward


def test_by_hand() -> None:
    network = FeedForward(input_dim=2, hidden_dim=2)
    first, second = network.layers
    with torch.no_grad():
        first.weight.copy_(torch.tensor([[1.0, 0.0], [0.0, 1.0]]))
        first.bias.copy_(torch.tensor([1.0, 0.0]))
        second.weight.copy_(torch.tensor([[1.0, 1.0], [1.0, -3.0]]))
        second.bias.copy_(torch.tensor([0.5, 0.5]))
    # ReLU([1 + 1, -4]) = [2, 0]; ReLU([2 + .5, 2 + .5]); and with x = [1, 2]: [2, 2] -> [4.5, ReLU(-3.5)].
    torch.testing.assert_close(network(torch.tensor([[1.0, -4.0], [1.0, 2.0]])), torch.tensor([[2.5, 2.5], [4.5, 0.0]]))


def test_no_layers_hand_the_input_on() -> None:
    network, features = FeedForward(input_dim=3, hidden_dim=5, num_layers=0, dropout=0.5), torch.randn(4, 3)
    assert network(features) is features
    assert network.output_dim == 3


def test_drops_from_every_relu_layer() -> None:
    network = FeedForward(input_dim=3, hidden_dim=50, num_layers=2, dropout=0.5)
    seen: list[torch.Tensor] = []
    dropout = network.dropout
    assert isinstance(dropout, Dropout)
    dropout.register_forward_hook(lambda module, inputs, output: seen.append(output))
    output = network(torch.randn(20, 3))
    assert len(seen) == 2 and seen[-1] is output
    assert not torch.equal(output, network(torch.zeros(20, 3)))
