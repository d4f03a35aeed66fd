from __future__ import annotations

import pytest
import torch
from torch import Tensor, nn

from readhead.errors import InputError
from readhead.layers.lstmn_layer import LSTMNLayer
from readhead.layers.tape import Tape
from readhead.ops.lstmn import reference
from readhead.readers.lstmn import LSTMNReader

E, D = 3, 4


def as_lstm(layers: nn.ModuleList) -> nn.LSTM:
    """An LSTM with the gates' weights."""
    lstm = nn.LSTM(layers[0].gate_input.shape[1], D, len(layers), batch_first=True)
    to_torch = [0, 1, 3, 2]  # i, f, o, ĉ to torch's i, f, ĉ, o
    with torch.no_grad():
        for k, layer in enumerate(layers):
            for ours, theirs in (
                (layer.gate_input, f"weight_ih_l{k}"),
                (layer.gate_blend, f"weight_hh_l{k}"),
                (layer.gate_bias, f"bias_ih_l{k}"),
            ):
                getattr(lstm, theirs).copy_(torch.cat([ours.chunk(4)[part] for part in to_torch]))
            getattr(lstm, f"bias_hh_l{k}").zero_()
    return lstm


@pytest.mark.parametrize("num_layers", [1, 3])
def test_with_a_span_of_one_slot_it_is_an_lstm(num_layers: int) -> None:
    reader = LSTMNReader(input_dim=E, hidden_dim=D, num_layers=num_layers, span=1)
    embedded, mask = torch.randn(3, 6, E), torch.arange(6) < torch.tensor([[6], [1], [4]])
    expected, _ = as_lstm(reader.layers)(embedded)
    reading, state = reader.read(embedded, mask, reader.initial_state(3))
    torch.testing.assert_close(reading.outputs, expected * mask.unsqueeze(-1), rtol=0, atol=1e-6)
    last = torch.stack([expected[0, 5], expected[1, 0], expected[2, 3]]).unsqueeze(1)
    torch.testing.assert_close(state[f"{num_layers}.hidden_tape"], last, rtol=0, atol=1e-6)


def alone(layer: LSTMNLayer, inputs: Tensor) -> Tensor:
    """h of every token by the op's definition, from a tape with one slot of zeros."""
    hidden_tape, memory_tape, written = Tape.empty(len(inputs), D, like=inputs)
    mask = torch.ones(inputs.shape[:2], dtype=torch.bool)
    tapes = reference.lstmn(
        inputs=inputs,
        mask=mask,
        **layer.weights(),
        hidden_tape=hidden_tape,
        memory_tape=memory_tape,
        written=written,
        blend=torch.zeros(len(inputs), D),
    )
    return tapes.hidden


@pytest.mark.parametrize("skip_connections", [False, True])
def test_layers_read_one_another(skip_connections: bool) -> None:
    reader = LSTMNReader(input_dim=E, hidden_dim=D, num_layers=3, skip_connections=skip_connections)
    wide = D + E if skip_connections else D
    assert [tuple(layer.gate_input.shape) for layer in reader.layers] == [(16, E), (16, wide), (16, wide)]
    assert [tuple(layer.attend_input.shape) for layer in reader.layers] == [(4, E), (4, wide), (4, wide)]
    embedded = torch.randn(2, 5, E)
    below = alone(reader.layers[0], embedded)
    for upper in reader.layers[1:]:
        below = alone(upper, torch.cat([below, embedded], dim=-1) if skip_connections else below)
    outputs = reader(embedded, torch.ones(2, 5, dtype=torch.bool)).outputs
    torch.testing.assert_close(outputs, below, rtol=0, atol=1e-6)


def test_attention_leaves_out_what_is_before_the_text() -> None:
    reader = LSTMNReader(input_dim=E, hidden_dim=D)
    embedded, mask = torch.randn(2, 4, E), torch.tensor([[True] * 4, [True, True, False, False]])
    reading, state = reader.read(embedded, mask, reader.initial_state(2))
    weights = reading.attention["intra"]
    assert weights.shape == (2, 4, 4)
    assert not weights[:, 0].any()  # the first token gives all to the empty slot
    assert not weights.triu().any()  # none looks at itself or ahead
    assert (weights[0, 1:].sum(dim=-1) < 1).all() and (weights[0, 1:].sum(dim=-1) > 0).all()
    later = reader.read(embedded, mask, state)[0].attention["intra"]
    assert later.shape == (2, 4, 4)
    assert not later[:, 0].any()


def test_attention_is_named_by_layer() -> None:
    reader = LSTMNReader(input_dim=E, hidden_dim=D, num_layers=2)
    reading = reader(torch.randn(2, 3, E), torch.ones(2, 3, dtype=torch.bool))
    assert list(reading.attention) == ["intra 1", "intra 2"]


def test_it_begins_with_one_slot_of_zeros() -> None:
    state = LSTMNReader(input_dim=E, hidden_dim=D, num_layers=2).initial_state(3)
    for layer in "12":
        assert torch.equal(state[f"{layer}.hidden_tape"], torch.zeros(3, 1, D))
        assert torch.equal(state[f"{layer}.memory_tape"], torch.zeros(3, 1, D))
        assert torch.equal(state[f"{layer}.written"], torch.ones(3, 1, dtype=torch.bool))
        assert torch.equal(state[f"{layer}.blend"], torch.zeros(3, D))
    assert len(state) == 8


def test_a_token_costs_the_same_however_long_the_text() -> None:
    reader = LSTMNReader(input_dim=E, hidden_dim=D, span=5)
    state, slots = reader.initial_state(1), []
    for _ in range(9):
        _, state = reader.step(torch.randn(1, E), state)
        slots.append(state["1.hidden_tape"].shape[1])
    assert slots == [2, 3, 4, 5, 5, 5, 5, 5, 5]


def test_what_can_not_be_is_refused() -> None:
    with pytest.raises(InputError, match="span = 0: the lstmn reader must see at least 1 slot"):
        LSTMNReader(input_dim=E, hidden_dim=D, span=0)
    with pytest.raises(InputError, match=r"skip_connections .* has only one layer"):
        LSTMNReader(input_dim=E, hidden_dim=D, skip_connections=True)
