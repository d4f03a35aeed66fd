"""Dropout whose random numbers are cheap on a CPU."""

from __future__ import annotations

import torch
from jaxtyping import Float
from torch import Tensor, nn

from readhead.errors import InputError

_LANES = 2**15
"""How many values a lane of the random draw takes: drop rates are rounded to multiples of 1/_LANES, below 1."""


class Dropout(nn.Module):
    """In training, each feature becomes zero with probability p, and is divided by 1 - p otherwise.

    On a CPU `nn.Dropout` draws one random number a feature and takes longer than the matrix product before
    it; this one makes four features of one draw. The draws are those of torch's generator of the device.

    p: the probability, in [0, 1).

    Raises:
        InputError: p is outside.
    """

    def __init__(self, p: float) -> None:
        super().__init__()
        if not 0 <= p < 1:
            raise InputError(f"dropout is {p}; expected a probability, at least 0 and below 1")
        self.p = p

    def forward(self, features: Float[Tensor, ...]) -> Float[Tensor, ...]:
        """features: any shape. Returns the same shape; in evaluation, the same numbers."""
        if not self.training or self.p == 0:
            return features
        return features * _noise(features, dropped=min(round(self.p * _LANES), _LANES - 1))

    def extra_repr(self) -> str:
        """The probability, for `print(model)`."""
        return f"p={self.p}"


def _noise(features: Tensor, *, dropped: int) -> Tensor:
    """A factor for each feature: 0 for `dropped` of _LANES, and for the rest what keeps the mean at 1."""
    count = features.numel()
    draws = torch.empty((count + 3) // 4, dtype=torch.int64, device=features.device).random_()
    # An int64 of `random_` has 63 random bits. Without its sign, each of the four int16 in it is uniform.
    lanes = draws.view(torch.int16)[:count].bitwise_and_(_LANES - 1)
    return lanes.ge_(dropped).to(features.dtype).mul_(_LANES / (_LANES - dropped)).view(features.shape)
