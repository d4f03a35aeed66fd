"""A score of how well two vectors match."""

from __future__ import annotations

import torch
from jaxtyping import Float
from torch import Tensor, nn


class BilinearScore(nn.Module):
    """s_c = xᵀ M_c y + b_c, one matrix for each class c.

    dim: D, features of x and of y.
    num_classes: C.
    """

    def __init__(self, *, dim: int, num_classes: int) -> None:
        super().__init__()
        self.turn = nn.Linear(dim, num_classes * dim, bias=False)  # all M_c, one above the other
        self.bias = nn.Parameter(torch.zeros(num_classes))

    def forward(self, x: Float[Tensor, "B D"], y: Float[Tensor, "B D"]) -> Float[Tensor, "B C"]:
        """x, y: [B, D]. Returns [B, C]."""
        turned: Tensor = self.turn(y).view(len(y), -1, x.shape[-1])  # M_c y, [B, C, D]
        return (turned * x.unsqueeze(1)).sum(dim=-1) + self.bias
