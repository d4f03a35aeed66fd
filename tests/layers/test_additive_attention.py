"""Additive attention and the two recurrences over it, by hand."""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn

from readhead.layers.additive_attention import AdditiveAttention
from readhead.layers.empty_slot import with_empty_slot
from readhead.layers.match_lstm import MatchLSTMLayer
from readhead.layers.word_by_word_attention import WordByWordAttention

HALF = math.atanh(0.5)  # tanh of it is 0.5, of twice it 0.8
YES, ALL = torch.tensor([[True, False]]), torch.tensor([[True, True]])


def are(layer: nn.Module, **weights: list[list[float]] | list[float]) -> None:
    """Writes a layer's weights down, by name with __ for dots; the rest of them is zero."""
    with torch.no_grad():
        for name, parameter in layer.named_parameters():
            parameter.copy_(torch.tensor(weights.pop(name.replace(".", "__"), 0.0)))
    assert not weights, f"no such weights: {list(weights)}"


def numbers(*values: float) -> Tensor:
    return torch.tensor(values, dtype=torch.float32).view(1, -1, 1)


def test_additive_attention_by_hand() -> None:
    attention = AdditiveAttention(memory_dim=2, query_dim=1)
    are(
        attention,
        key__weight=[[HALF, 0.0], [0.0, 1.0]],
        query__weight=[[HALF], [0.0]],
        query__bias=[-HALF, 0.0],
        score__weight=[[math.log(9), 0.0]],
    )
    memory = torch.tensor([[[1.0, 7.0], [0.0, -5.0]]])
    # (1) x = 1: e = log 9 · tanh([½*, 0]) = [log 3, 0];  x = 2: e = log 9 · [0.8, 0.5] = [1.6 log 3, log 3].
    # ½* stands for atanh ½, whose sums the tanh turns into 0, 0.5, 0.8.
    blend, weights = attention(memory, ALL, numbers(1, 2))
    first = 3**1.6 / (3**1.6 + 3)
    torch.testing.assert_close(weights, torch.tensor([[[0.75, 0.25], [first, 1 - first]]]))
    # (3) ¾ · [1, 7] + ¼ · [0, -5] = [0.75, 4].
    torch.testing.assert_close(blend[0, 0], torch.tensor([0.75, 4.0]))


def test_what_stands_in_no_real_slot_is_not_looked_at() -> None:
    attention = AdditiveAttention(memory_dim=3, query_dim=2)
    memory, inputs = torch.randn(1, 2, 3), torch.randn(1, 4, 2)
    blend, weights = attention(memory, YES, inputs)
    torch.testing.assert_close(blend, memory[:, :1].expand(1, 4, 3))
    assert weights.tolist() == [[[1.0, 0.0]] * 4]
    blend, weights = attention(memory, ~ALL, inputs)
    assert not blend.any()
    assert not weights.any()


def test_word_by_word_attention_by_hand() -> None:
    layer = WordByWordAttention(dim=1)
    are(
        layer,
        attention__key__weight=[[HALF]],
        attention__query__weight=[[1.0]],
        attention__score__weight=[[math.log(9)]],
        feedback__weight=[[-3 * HALF / 0.75]],
        carry__weight=[[math.atanh(0.2) / 0.75]],
    )
    seen, weights = layer(numbers(1, 0), ALL, numbers(0, HALF))
    # (11) M_1 = tanh([½*, 0] + 0 + 0) = [0.5, 0]; (12) α_1 = softmax([log 3, 0]) = [¾, ¼]; (13) r_1 = ¾ + 0.
    # (11) M_2 = tanh([½*, 0] + ½* - 3 ½*) = [-0.5, -0.8]; (12) e = log 3 · [-1, -1.6]; (13) r_2 = α_21 + 0.2.
    second = 3**-1 / (3**-1 + 3**-1.6)
    torch.testing.assert_close(weights, torch.tensor([[[0.75, 0.25], [second, 1 - second]]]))
    torch.testing.assert_close(seen, numbers(0.75, second + 0.2))


def test_what_a_match_lstm_has_matched_says_where_it_looks() -> None:
    layer = MatchLSTMLayer(dim=1)
    saturated = 100.0  # the gates are open, and the candidate is 1: c_1 = 1
    are(
        layer,
        attention__key__weight=[[HALF]],
        attention__query__weight=[[1.0]],
        attention__score__weight=[[math.log(9)]],
        feedback__weight=[[-3 * HALF / math.tanh(1)]],
        gate_input__bias=[saturated] * 4,
    )
    matched, weights = layer(numbers(1, 0), ALL, numbers(0, HALF))
    # As above, with h^m_1 = tanh(1) fed back; c_2 = 1 + 1.
    second = 3**-1 / (3**-1 + 3**-1.6)
    torch.testing.assert_close(weights, torch.tensor([[[0.75, 0.25], [second, 1 - second]]]))
    torch.testing.assert_close(matched, numbers(math.tanh(1), math.tanh(2)))


def test_a_match_lstm_is_an_lstm_over_blend_and_token() -> None:
    layer, cell = MatchLSTMLayer(dim=3), nn.LSTMCell(6, 3)
    memory, inputs = torch.randn(2, 4, 3), torch.randn(2, 5, 3)
    mask = torch.tensor([[True, True, True, False], [True, True, True, True]])
    gates = torch.cat([layer.gate_blend.weight, layer.gate_input.weight], dim=1)
    torch_order = [*range(6), *range(9, 12), *range(6, 9)]  # ours i, f, o, ĉ; torch's i, f, ĉ, o
    are(cell, bias_hh=[0.0] * 12)
    with torch.no_grad():
        cell.weight_ih.copy_(gates[torch_order])
        cell.weight_hh.copy_(layer.gate_hidden.weight[torch_order])
        cell.bias_ih.copy_(layer.gate_input.bias[torch_order])
    matched, weights = layer(memory, mask, inputs)
    blends, state = weights @ memory, (torch.zeros(2, 3), torch.zeros(2, 3))
    for t in range(5):
        state = cell(torch.cat([blends[:, t], inputs[:, t]], dim=-1), state)
        torch.testing.assert_close(matched[:, t], state[0])


def test_an_empty_slot_stands_in_front() -> None:
    memory, mask = with_empty_slot(torch.ones(1, 2, 3), YES)
    assert memory.tolist() == [[[0.0] * 3, [1.0] * 3, [1.0] * 3]]
    assert mask.tolist() == [[True, True, False]]
