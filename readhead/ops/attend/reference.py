"""The definition of `attend`.

Equation numbers are those of decomposable attention (Parikh et al. 2016, arXiv:1606.01933v2).
"""

from __future__ import annotations

import torch
from jaxtyping import Bool, Float
from torch import Tensor


def attend(
    scores: Float[Tensor, "B T S"], values: Float[Tensor, "B S D"], mask: Bool[Tensor, "B S"]
) -> tuple[Float[Tensor, "B T D"], Float[Tensor, "B T S"]]:
    """The blend [B, T, D] and the weights [B, T, S], as `readhead.ops.attend` says."""
    real = mask.unsqueeze(1)  # [B, 1, S]
    # The lowest finite number and not -inf: a row without a real slot would be 0/0.
    scores = scores.masked_fill(~real, torch.finfo(scores.dtype).min)
    weights = torch.softmax(scores, dim=-1) * real  # eq. (2), its fractions
    blend = weights @ values  # [B, T, D], eq. (2), its sum
    return blend, weights
