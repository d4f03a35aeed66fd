"""A bias for how far apart two tokens stand."""

from __future__ import annotations

import torch
from jaxtyping import Float
from torch import Tensor, nn

from readhead.errors import InputError


class DistanceBias(nn.Module):
    """d_{i-j} of decomposable attention's eq. (7) (Parikh et al. 2016): one learned number a distance.

    Distances are signed, so that a token can look ahead and back differently; all beyond `max_distance`, on
    either side, share one number. That makes 2 · max_distance + 2 numbers. They start at zero: no distance is
    preferred until the data say so.

    max_distance: in tokens.

    Raises:
        InputError: it is below 0.
    """

    def __init__(self, *, max_distance: int = 10) -> None:
        super().__init__()
        if max_distance < 0:
            raise InputError(f"max_distance = {max_distance}: expected a number of tokens, at least 0")
        self.max_distance = max_distance
        self.bias = nn.Parameter(torch.zeros(2 * max_distance + 2))

    def forward(self, num_tokens: int) -> Float[Tensor, "T T"]:
        """num_tokens: T. Returns [T, T]: row i, column j holds d_{i-j}, in nats."""
        distance = torch.arange(num_tokens - 1, -num_tokens, -1, device=self.bias.device)  # [2T - 1]
        shared = len(self.bias) - 1
        bucket = torch.where(distance.abs() > self.max_distance, shared, distance + self.max_distance)
        # Each row is a window of T neighbours in that sequence, and the last row's stands first.
        return self.bias[bucket].unfold(0, num_tokens, 1).flip(0)  # [T, T]
