"""`readhead.ops.lstmn` with a loop that can be exported. The tapes have all their slots from the beginning."""

from __future__ import annotations

import torch
from jaxtyping import Bool, Float
from torch import Tensor
from torch.nn.functional import linear, pad

from readhead.export.stand_ins.over_time import Tensors, over_time
from readhead.ops.attend.reference import attend
from readhead.ops.lstmn.reference import additive_scores, gates
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

    def step(carried: Tensors, token: Tensors) -> tuple[Tensors, Tensors]:
        blend, hiddens, memories, keys = carried
        query, sums, readable, own, real = token
        scores = additive_scores(keys, query + linear(blend, attend_blend), attend_score)  # eq. (4)
        both, weights = attend(scores, torch.cat([hiddens, memories], dim=2), readable)  # eq. (5), (6)
        blend_now, memory_blend = both.squeeze(1).chunk(2, dim=1)  # h̃, c̃: [B, D]
        i, f, o, candidate = gates(sums + linear(blend_now, gate_blend))  # eq. (7)
        memory = f * memory_blend + i * candidate  # eq. (8)
        hidden, memory = (o * torch.tanh(memory)).masked_fill(~real, 0), memory.masked_fill(~real, 0)  # eq. (9)
        after = [put(own, one, into) for one, into in zip((hidden, memory), (hiddens, memories), strict=True)]
        keys = put(own, linear(hidden, attend_hidden), keys)
        return (torch.where(real, blend_now, blend), *after, keys), (hidden, memory, weights.squeeze(1))

    hiddens, memories = (with_room(tape, written, mask) for tape in (hidden_tape, memory_tape))  # [B, M + T, D]
    tokens = (
        linear(inputs, attend_input, attend_bias),  # [B, T, D]
        linear(inputs, gate_input, gate_bias),  # [B, T, 4D]
        readable_slots(written, mask, span),  # [B, T, M + T]
        own_slots(written, mask),  # [1, T, M + T]
        mask.unsqueeze(2),  # [B, T, 1]
    )
    first = (blend, hiddens, memories, linear(hiddens, attend_hidden))
    (last_blend, *_), (hidden, memory, attention) = over_time(step, first, tokens)
    return Tapes(hidden, memory, attention, last_blend)


def with_room(
    tape: Float[Tensor, "B M D"], written: Bool[Tensor, "B M"], mask: Bool[Tensor, "B T"]
) -> Float[Tensor, "B M+T D"]:
    """A tape with a slot of zeros for each token, and zeros in the slots that are not written."""
    return pad(tape.masked_fill(~written.unsqueeze(2), 0), (0, 0, 0, mask.shape[1]))


def own_slots(written: Bool[Tensor, "B M"], mask: Bool[Tensor, "B T"]) -> Bool[Tensor, "1 T M+T"]:
    """For each token, which slot it writes."""
    num_slots, num_tokens = written.shape[1], mask.shape[1]
    slots = torch.arange(num_slots + num_tokens, device=mask.device)  # [M + T]
    return (slots == num_slots + torch.arange(num_tokens, device=mask.device).unsqueeze(1)).unsqueeze(0)


def put(
    own: Bool[Tensor, "1 S"], written: Float[Tensor, "B D"], tape: Float[Tensor, "B S D"]
) -> Float[Tensor, "B S D"]:
    """A tape with something written into one slot."""
    return torch.where(own.unsqueeze(2), written.unsqueeze(1), tape)
