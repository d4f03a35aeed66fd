"""`readhead.layers.word_by_word_attention` with a loop that can be exported."""

from __future__ import annotations

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from readhead.export.stand_ins.over_time import Tensors, over_time
from readhead.layers.word_by_word_attention import WordByWordAttention


def forward(
    layer: WordByWordAttention,
    memory: Float[Tensor, "B S D"],
    mask: Bool[Tensor, "B S"],
    inputs: Float[Tensor, "B T D"],
) -> tuple[Float[Tensor, "B T D"], Float[Tensor, "B T S"]]:
    """As of `WordByWordAttention`."""
    keys = layer.attention.key(memory)  # [B, S, D]

    def step(carried: Tensors, token: Tensors) -> tuple[Tensors, Tensors]:
        (seen,), (query,) = carried, token  # [B, D]
        queries = (query + layer.feedback(seen)).unsqueeze(1)  # [B, 1, D]
        blend, weights = layer.attention.look(memory, mask, keys, queries)  # eq. (11), (12)
        seen = blend.squeeze(1) + torch.tanh(layer.carry(seen))  # eq. (13)
        return (seen,), (seen, weights.squeeze(1))

    nothing = memory.new_zeros(len(memory), memory.shape[-1])  # r_0
    _, (carried, attention) = over_time(step, (nothing,), (layer.attention.query(inputs),))
    return carried, attention
