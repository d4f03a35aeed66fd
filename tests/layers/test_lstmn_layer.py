from __future__ import annotations

import inspect
import math

import pytest
import torch

from readhead.layers.lstmn_layer import LSTMNLayer
from readhead.layers.packs import pack
from readhead.layers.tape import Tape
from readhead.ops.lstmn import lstmn


def test_weights_are_the_ops_arguments() -> None:
    weights = LSTMNLayer(input_dim=3, hidden_dim=4).weights()
    arguments = set(inspect.signature(lstmn).parameters)
    others = {"inputs", "mask", "hidden_tape", "memory_tape", "written", "blend", "span", "backend"}
    assert set(weights) == arguments - others


def test_it_hands_its_weights_and_tape_to_the_op() -> None:
    layer, mask = LSTMNLayer(input_dim=3, hidden_dim=4), torch.tensor([[True, True], [True, False]])
    tape = Tape(torch.randn(2, 3, 4), torch.randn(2, 3, 4), torch.tensor([[True, False, True], [True] * 3]))
    inputs, blend = torch.randn(2, 2, 3), torch.randn(2, 4)
    expected = lstmn(
        inputs=inputs,
        mask=mask,
        **layer.weights(),
        hidden_tape=tape.hidden,
        memory_tape=tape.memory,
        written=tape.written,
        blend=blend,
        span=2,
    )
    for ours, theirs in zip(layer(inputs, mask, tape, blend, 2), expected, strict=True):
        assert torch.equal(ours, theirs)


@pytest.mark.parametrize(
    ("name", "fan_in"),
    [
        ("attend_hidden", 25),
        ("attend_input", 400),
        ("attend_blend", 25),
        ("attend_score", 25),
        ("gate_input", 400),
        ("gate_blend", 25),
    ],
)
def test_matrices_start_uniform_by_their_fan_in(name: str, fan_in: int) -> None:
    layer, bound = LSTMNLayer(input_dim=400, hidden_dim=25), fan_in**-0.5
    weight = getattr(layer, name)
    assert weight.shape[-1] == fan_in
    assert 0.8 * bound < weight.abs().max() <= bound
    if weight.numel() > 500:
        assert weight.std().item() == pytest.approx(bound / math.sqrt(3), rel=0.1)


def test_biases_start_as_the_sum_of_the_maps_biases() -> None:
    """U(±1/2) + U(±1/4) for the gates, and U(±1/4) once more for the attention; variances add up."""
    torch.manual_seed(0)
    layers = [LSTMNLayer(input_dim=4, hidden_dim=16) for _ in range(100)]
    gate, attend = (torch.cat([getattr(layer, name) for layer in layers]) for name in ("gate_bias", "attend_bias"))
    assert gate.abs().max() <= 3 / 4
    assert gate.var().item() == pytest.approx((1 / 4 + 1 / 16) / 3, rel=0.1)
    assert attend.var().item() == pytest.approx((1 / 4 + 2 / 16) / 3, rel=0.1)


@torch.no_grad()
def test_packed_it_reads_the_same_until_it_trains() -> None:
    layer = LSTMNLayer(input_dim=3, hidden_dim=4)
    empty, mask = Tape.empty(2, 4, layer.attend_score), torch.tensor([[True, True, True], [True, False, False]])
    inputs, blend = torch.randn(2, 3, 3), torch.zeros(2, 4)
    before = layer(inputs, mask, empty, blend, 2)
    pack(layer)
    for packed, plain in zip(layer(inputs, mask, empty, blend, 2), before, strict=True):
        torch.testing.assert_close(packed, plain, rtol=0, atol=1e-6)
    layer.train()
    layer.gate_bias.add_(1)
    assert not torch.allclose(layer(inputs, mask, empty, blend, 2).hidden, before.hidden)


def test_packed_it_still_learns_where_gradients_are_asked_for() -> None:
    layer = LSTMNLayer(input_dim=3, hidden_dim=4)
    pack(layer)
    tape, mask = Tape.empty(1, 4, layer.attend_score), torch.ones(1, 2, dtype=torch.bool)
    layer(torch.randn(1, 2, 3), mask, tape, torch.zeros(1, 4)).hidden.sum().backward()
    assert layer.gate_bias.grad is not None
