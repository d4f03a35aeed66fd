"""`readhead.ops.nse` with a loop that can be exported."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from jaxtyping import Bool, Float
from torch import Tensor
from torch.nn.functional import linear

from readhead.export.stand_ins.over_time import Tensors, over_time
from readhead.ops.attend.reference import attend
from readhead.ops.nse.memories import Memories
from readhead.ops.nse.reference import Lstm


def nse(
    *,
    reads: Float[Tensor, "B T D"],
    mask: Bool[Tensor, "B T"],
    memory: Float[Tensor, "B S D"],
    slots: Bool[Tensor, "B S"],
    compose: Float[Tensor, "C C"],
    compose_bias: Float[Tensor, " C"],
    kept: Float[Tensor, "B T C"],
    write_input: Float[Tensor, "4*D C"],
    write_hidden: Float[Tensor, "L 4*D D"],
    write_upper: Float[Tensor, "L-1 4*D D"],
    write_bias: Float[Tensor, "L 4*D"],
    sizes: Sequence[int],
) -> Memories:
    """What `readhead.ops.nse` says; without dropout, all of which `kept` would be."""
    unreal, num_layers = ~slots.unsqueeze(2), len(write_bias)
    memories = _slots_of_each(sizes, slots)
    lstm = Lstm([write_input, *_apart(write_upper)], _apart(write_hidden), _apart(write_bias))

    def step(carried: Tensors, token: Tensors) -> tuple[Tensors, Tensors]:
        current, o, real = carried[0], *token
        states = list(zip(carried[1 : 1 + num_layers], carried[1 + num_layers :], strict=True))
        scores = o.unsqueeze(1) @ current.transpose(1, 2)  # [B, 1, S]
        found = [attend(scores, current, slots & own & real) for own in memories]  # eq. (2), (3)
        blends = [blend.squeeze(1) for blend, _ in found]
        z = torch.stack([key.squeeze(1) for _, key in found]).sum(dim=0)  # [B, S]
        c = linear(torch.cat([o, *blends], dim=1), compose, compose_bias)  # eq. (4)
        h, states = lstm.step(c, real, states)  # eq. (5)
        current = (1 - z).unsqueeze(2) * current + z.unsqueeze(2) * h.unsqueeze(1)  # eq. (6)
        hidden, cells = zip(*states, strict=True)
        return (current, *hidden, *cells), (h.masked_fill(~real, 0), z)

    nothing = reads.new_zeros(reads.shape[0], reads.shape[2])  # [B, D]
    first = (memory.masked_fill(unreal, 0), *[nothing] * (2 * num_layers))
    tokens = (reads.masked_fill(~mask.unsqueeze(2), 0), mask.unsqueeze(2))
    (current, *_), (written, attention) = over_time(step, first, tokens)
    return Memories(written, torch.where(unreal, memory, current), attention)


def _apart(layers: Tensor) -> Any:
    """Each layer's weights as a tensor of their own: a scan takes no two that share memory."""
    return [layer.clone() for layer in layers]


def _slots_of_each(sizes: Sequence[int], slots: Bool[Tensor, "B S"]) -> list[Bool[Tensor, " S"]]:
    """For each memory, which slots are its own: the sizes, which depend on the texts, would freeze in a slice."""
    place, end, own = torch.arange(slots.shape[1], device=slots.device), 0, []
    for size in sizes:
        start, end = end, end + size
        own.append((place >= start) & (place < end))
    return own
