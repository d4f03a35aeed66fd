"""`readhead.ops.fusion` with a loop that can be exported."""

from __future__ import annotations

import torch
from jaxtyping import Bool, Float
from torch import Tensor
from torch.nn.functional import linear

from readhead.export.stand_ins.lstmn import own_slots, put, with_room
from readhead.export.stand_ins.over_time import Tensors, over_time
from readhead.ops.attend.reference import attend
from readhead.ops.fusion.tapes import FusedTapes
from readhead.ops.lstmn.reference import additive_scores, gates
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
    source_tape = torch.cat([source_hidden, source_memory], dim=2)  # [B, S, 2D]
    source_tape = source_tape.masked_fill(~source_mask.unsqueeze(2), 0)
    source_keys = linear(source_tape[..., : source_hidden.shape[2]], fuse_source)  # [B, S, D]

    def step(carried: Tensors, token: Tensors) -> tuple[Tensors, Tensors]:
        blend, source_blend, hiddens, memories, keys = carried
        query, source_query, sums, source_sums, readable, own, real = token
        scores = additive_scores(keys, query + linear(blend, attend_blend), attend_score)  # eq. (4)
        both, weights = attend(scores, torch.cat([hiddens, memories], dim=2), readable)  # eq. (5), (6)
        blend_now, memory_blend = both.squeeze(1).chunk(2, dim=1)  # h̃, c̃: [B, D]

        scores = additive_scores(source_keys, source_query + linear(source_blend, fuse_blend), fuse_score)  # eq. (11)
        both, source_weights = attend(scores, source_tape, source_mask & real)  # eq. (12), (13)
        source_now, source_memory_blend = both.squeeze(1).chunk(2, dim=1)  # γ̃, α̃: [B, D]

        i, f, o, candidate = gates(sums + linear(blend_now, gate_blend))  # eq. (7)
        r = torch.sigmoid(source_sums + linear(source_now, gate_source_blend))  # eq. (14)
        memory = r * source_memory_blend + f * memory_blend + i * candidate  # eq. (15)
        hidden, memory = (o * torch.tanh(memory)).masked_fill(~real, 0), memory.masked_fill(~real, 0)  # eq. (16)

        blends = (torch.where(real, blend_now, blend), torch.where(real, source_now, source_blend))
        after = [put(own, one, into) for one, into in zip((hidden, memory), (hiddens, memories), strict=True)]
        keys = put(own, linear(hidden, attend_hidden), keys)
        return (*blends, *after, keys), (hidden, memory, weights.squeeze(1), source_weights.squeeze(1))

    hiddens, memories = (with_room(tape, written, mask) for tape in (hidden_tape, memory_tape))  # [B, M + T, D]
    tokens = (
        linear(inputs, attend_input, attend_bias),  # [B, T, D]
        linear(inputs, fuse_input, fuse_bias),  # [B, T, D]
        linear(inputs, gate_input, gate_bias),  # [B, T, 4D]
        linear(inputs, gate_source_input, gate_source_bias),  # [B, T, D]
        readable_slots(written, mask, span),  # [B, T, M + T]
        own_slots(written, mask),  # [1, T, M + T]
        mask.unsqueeze(2),  # [B, T, 1]
    )
    first = (blend, source_blend, hiddens, memories, linear(hiddens, attend_hidden))
    (last_blend, last_source, *_), (hidden, memory, attention, to_source) = over_time(step, first, tokens)
    return FusedTapes(hidden, memory, attention, to_source, last_blend, last_source)
