"""The gates that all of the LSTM's kin have."""

from __future__ import annotations

import torch
from jaxtyping import Float
from torch import Tensor


def lstm_gates(
    sums: Float[Tensor, "B 4D"],
) -> tuple[Float[Tensor, "B D"], Float[Tensor, "B D"], Float[Tensor, "B D"], Float[Tensor, "B D"]]:
    """[i; f; o; ĉ] = [σ; σ; σ; tanh](sums).

    sums: [B, 4D], what goes into the input, forget and output gate and into the candidate, in that order.

    Returns i, f, o and ĉ, each [B, D].
    """
    width = sums.shape[-1] // 4
    i, f, o = torch.sigmoid(sums[:, : 3 * width]).chunk(3, dim=-1)
    return i, f, o, torch.tanh(sums[:, 3 * width :])
