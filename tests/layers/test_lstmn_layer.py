from __future__ import annotations

import inspect
import math

import pytest
import torch

from readhead.layers.lstmn_layer import LSTMNLayer
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
