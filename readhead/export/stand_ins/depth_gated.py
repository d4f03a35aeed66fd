"""`readhead.layers.depth_gated_lstm` with loops that can be exported."""

from __future__ import annotations

import torch
from jaxtyping import Float
from torch import Tensor

from readhead.export.stand_ins.over_time import Tensors, over_time
from readhead.layers.depth_gated_lstm import BottomLSTM, DepthGatedLSTM, Steps
from readhead.layers.lstm_gates import lstm_gates


def bottom(
    layer: BottomLSTM, inputs: Float[Tensor, "B T E"], h: Float[Tensor, "B D"], c: Float[Tensor, "B D"]
) -> Steps:
    """As `BottomLSTM.forward`."""

    def step(carried: Tensors, token: Tensors) -> tuple[Tensors, Tensors]:
        (h, c), (sums,) = carried, token
        i, f, o, candidate = lstm_gates(sums + layer.from_before(h))
        c = f * c + i * candidate
        h = o * torch.tanh(c)
        return (h, c), (h, c)

    _, (hidden, memory) = over_time(step, (h, c), (layer.from_input(inputs),))
    return hidden, memory


def above(
    layer: DepthGatedLSTM,
    hidden_below: Float[Tensor, "B T D"],
    memory_below: Float[Tensor, "B T D"],
    h: Float[Tensor, "B D"],
    c: Float[Tensor, "B D"],
) -> Steps:
    """As `DepthGatedLSTM.forward`."""

    def step(carried: Tensors, token: Tensors) -> tuple[Tensors, Tensors]:
        (h, c), (sums, depth_sum, below) = carried, token
        i, f, o, candidate = lstm_gates(sums + layer.from_before(h))
        d = torch.sigmoid(depth_sum + layer.weigh_own * c)
        c = d * below + f * c + i * candidate
        h = o * torch.tanh(c)
        return (h, c), (h, c)

    width = len(layer.weigh_own)
    sums, depth_sums = layer.from_below(hidden_below).split([4 * width, width], dim=-1)
    depth_sums = depth_sums + layer.weigh_below * memory_below  # [B, T, D]
    _, (hidden, memory) = over_time(step, (h, c), (sums, depth_sums, memory_below))
    return hidden, memory
