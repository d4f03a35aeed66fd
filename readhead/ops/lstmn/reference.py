"""The definition of `lstmn`.

Equation numbers are those of long short-term memory-networks (Cheng, Dong and Lapata 2016, arXiv:1601.06733v7).
"""

from __future__ import annotations

import torch
from jaxtyping import Bool, Float
from torch import Tensor
from torch.nn.functional import linear, pad

from readhead.ops.attend.reference import attend
from readhead.ops.lstmn.tapes import Tapes
from readhead.ops.readable import readable_slots


def lstmn(
    *,
    inputs: Float[Tensor, "B T E"],
    mask: Bool[Tensor, "B T"],
    attend_hidden: Float[Tensor, "D D"],
    attend_input: Float[Tensor, "D E"],
    attend_blend: Float[Tensor, "D D"],
    attend_bias: Float[Tensor, " D"],
    attend_score: Float[Tensor, " D"],
    gate_input: Float[Tensor, "4*D E"],
    gate_blend: Float[Tensor, "4*D D"],
    gate_bias: Float[Tensor, " 4*D"],
    hidden_tape: Float[Tensor, "B M D"],
    memory_tape: Float[Tensor, "B M D"],
    written: Bool[Tensor, "B M"],
    blend: Float[Tensor, "B D"],
    span: int | None = None,
) -> Tapes:
    """The tapes, as `readhead.ops.lstmn` says."""
    num_slots, num_tokens = written.shape[1], mask.shape[1]
    readable = readable_slots(written, mask, span)  # [B, T, M + T]
    hidden_tape = hidden_tape.masked_fill(~written.unsqueeze(2), 0)
    memory_tape = memory_tape.masked_fill(~written.unsqueeze(2), 0)
    attention = inputs.new_zeros(len(mask), 0, num_slots + num_tokens)
    for t in range(num_tokens):
        x, padding = inputs[:, t], ~mask[:, t, None]  # [B, E], [B, 1]
        query = linear(x, attend_input, attend_bias) + linear(blend, attend_blend)  # [B, D]
        scores = additive_scores(linear(hidden_tape, attend_hidden), query, attend_score)  # eq. (4)
        tape = torch.cat([hidden_tape, memory_tape], dim=2)  # [B, M + t, 2D]
        both, weights = attend(scores, tape, readable[:, t, : num_slots + t])  # eq. (5), (6)
        blend_now, memory_blend = both.squeeze(1).chunk(2, dim=1)  # h̃, c̃: [B, D]
        i, f, o, candidate = gates(linear(x, gate_input, gate_bias) + linear(blend_now, gate_blend))  # eq. (7)
        memory = f * memory_blend + i * candidate  # eq. (8)
        hidden = o * torch.tanh(memory)  # eq. (9)
        blend = torch.where(padding, blend, blend_now)
        hidden_tape = write(hidden_tape, hidden, padding)  # [B, M + t + 1, D]
        memory_tape = write(memory_tape, memory, padding)
        attention = torch.cat([attention, pad(weights, (0, num_tokens - t))], dim=1)  # [B, t + 1, M + T]
    return Tapes(hidden_tape[:, num_slots:], memory_tape[:, num_slots:], attention, blend)


def additive_scores(
    keys: Float[Tensor, "B S D"], query: Float[Tensor, "B D"], score: Float[Tensor, " D"]
) -> Float[Tensor, "B 1 S"]:
    """vᵀ tanh(key_s + query) for each slot s: the form of eq. (4), and of eq. (11)."""
    return (torch.tanh(keys + query.unsqueeze(1)) @ score).unsqueeze(1)


def gates(sums: Float[Tensor, "B 4*D"]) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """i, f, o and ĉ, each [B, D], from the sums of eq. (7)."""
    i, f, o, candidate = sums.chunk(4, dim=1)
    return torch.sigmoid(i), torch.sigmoid(f), torch.sigmoid(o), torch.tanh(candidate)


def write(
    tape: Float[Tensor, "B S D"], slot: Float[Tensor, "B D"], padding: Bool[Tensor, "B 1"]
) -> Float[Tensor, "B S+1 D"]:
    """The tape with one slot more, which is zero where the token is padding."""
    return torch.cat([tape, slot.masked_fill(padding, 0).unsqueeze(1)], dim=1)
