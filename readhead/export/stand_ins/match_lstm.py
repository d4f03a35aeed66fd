"""`readhead.layers.match_lstm` with a loop that can be exported."""

from __future__ import annotations

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from readhead.export.stand_ins.over_time import Tensors, over_time
from readhead.layers.lstm_gates import lstm_gates
from readhead.layers.match_lstm import MatchLSTMLayer


def forward(
    layer: MatchLSTMLayer, memory: Float[Tensor, "B S D"], mask: Bool[Tensor, "B S"], inputs: Float[Tensor, "B T D"]
) -> tuple[Float[Tensor, "B T D"], Float[Tensor, "B T S"]]:
    """As of `MatchLSTMLayer`."""
    keys = layer.attention.key(memory)  # [B, S, D]

    def step(carried: Tensors, token: Tensors) -> tuple[Tensors, Tensors]:
        (hidden, cell), (from_query, from_input) = carried, token
        query = (from_query + layer.feedback(hidden)).unsqueeze(1)  # [B, 1, D]
        blend, weights = layer.attention.look(memory, mask, keys, query)  # eq. (1), (2)
        sums = from_input + layer.gate_blend(blend.squeeze(1)) + layer.gate_hidden(hidden)  # [B, 4D]
        i, f, o, candidate = lstm_gates(sums)
        cell = f * cell + i * candidate
        hidden = o * torch.tanh(cell)  # eq. (3)
        return (hidden, cell), (hidden, weights.squeeze(1))

    nothing = memory.new_zeros(len(memory), memory.shape[-1])  # [B, D]
    tokens = (layer.attention.query(inputs), layer.gate_input(inputs))  # [B, T, D], [B, T, 4D]
    _, (matched, attention) = over_time(step, (nothing, nothing.clone()), tokens)
    return matched, attention
