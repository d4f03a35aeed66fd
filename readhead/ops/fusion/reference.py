"""The definition of `fusion`.

Equation numbers are those of long short-term memory-networks (Cheng, Dong and Lapata 2016, arXiv:1601.06733v7).
"""

from __future__ import annotations

import torch
from jaxtyping import Bool, Float
from torch import Tensor
from torch.nn.functional import linear, pad

from readhead.ops.attend.reference import attend
from readhead.ops.fusion.tapes import FusedTapes
from readhead.ops.lstmn.reference import additive_scores, gates, write
from readhead.ops.readable import readable_slots


def fusion(
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
    source_hidden: Float[Tensor, "B S D"],
    source_memory: Float[Tensor, "B S D"],
    source_mask: Bool[Tensor, "B S"],
    fuse_source: Float[Tensor, "D D"],
    fuse_input: Float[Tensor, "D E"],
    fuse_blend: Float[Tensor, "D D"],
    fuse_bias: Float[Tensor, " D"],
    fuse_score: Float[Tensor, " D"],
    gate_source_input: Float[Tensor, "D E"],
    gate_source_blend: Float[Tensor, "D D"],
    gate_source_bias: Float[Tensor, " D"],
    source_blend: Float[Tensor, "B D"],
    span: int | None = None,
) -> FusedTapes:
    """The tapes, as `readhead.ops.fusion` says."""
    num_slots, num_tokens = written.shape[1], mask.shape[1]
    readable = readable_slots(written, mask, span)  # [B, T, M + T]
    hidden_tape = hidden_tape.masked_fill(~written.unsqueeze(2), 0)
    memory_tape = memory_tape.masked_fill(~written.unsqueeze(2), 0)
    source_tape = torch.cat([source_hidden, source_memory], dim=2)  # [B, S, 2D]
    source_tape = source_tape.masked_fill(~source_mask.unsqueeze(2), 0)
    source_keys = linear(source_tape[..., : source_hidden.shape[2]], fuse_source)  # [B, S, D]
    attention = inputs.new_zeros(len(mask), 0, num_slots + num_tokens)
    source_attention = inputs.new_zeros(len(mask), 0, source_mask.shape[1])
    for t in range(num_tokens):
        x, real = inputs[:, t], mask[:, t, None]  # [B, E], [B, 1]
        query = linear(x, attend_input, attend_bias) + linear(blend, attend_blend)  # [B, D]
        scores = additive_scores(linear(hidden_tape, attend_hidden), query, attend_score)  # eq. (4)
        tape = torch.cat([hidden_tape, memory_tape], dim=2)  # [B, M + t, 2D]
        both, weights = attend(scores, tape, readable[:, t, : num_slots + t])  # eq. (5), (6)
        blend_now, memory_blend = both.squeeze(1).chunk(2, dim=1)  # h̃, c̃: [B, D]

        query = linear(x, fuse_input, fuse_bias) + linear(source_blend, fuse_blend)  # [B, D]
        scores = additive_scores(source_keys, query, fuse_score)  # eq. (11)
        both, source_weights = attend(scores, source_tape, source_mask & real)  # eq. (12), (13)
        source_now, source_memory_blend = both.squeeze(1).chunk(2, dim=1)  # γ̃, α̃: [B, D]

        i, f, o, candidate = gates(linear(x, gate_input, gate_bias) + linear(blend_now, gate_blend))  # eq. (7)
        r = linear(x, gate_source_input, gate_source_bias) + linear(source_now, gate_source_blend)
        r = torch.sigmoid(r)  # eq. (14)
        memory = r * source_memory_blend + f * memory_blend + i * candidate  # eq. (15)
        hidden = o * torch.tanh(memory)  # eq. (16)

        blend = torch.where(real, blend_now, blend)
        source_blend = torch.where(real, source_now, source_blend)
        hidden_tape = write(hidden_tape, hidden, ~real)  # [B, M + t + 1, D]
        memory_tape = write(memory_tape, memory, ~real)
        attention = torch.cat([attention, pad(weights, (0, num_tokens - t))], dim=1)  # [B, t + 1, M + T]
        source_attention = torch.cat([source_attention, source_weights], dim=1)  # [B, t + 1, S]
    hidden, memory = hidden_tape[:, num_slots:], memory_tape[:, num_slots:]
    return FusedTapes(hidden, memory, attention, source_attention, blend, source_blend)
