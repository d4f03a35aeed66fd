"""Attention whose scores a network of one ReLU layer gives."""

from __future__ import annotations

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

from readhead.ops import attend


class ReLUAttention(nn.Module):
    """Each query looks at a memory: the attention of MMA-NSE (Munkhdalai and Yu 2017, arXiv:1607.04315v3).

    e_tj = w · ReLU(W_a m_j + W_q x_t)
    p_tj = softmax_j(e_tj)
    blend_t = Σ_j p_tj m_j

    Each of the three maps has a bias, as in the author's code, whose parameters the paper counts. That of w adds the
    same to every score of a softmax, and so changes nothing.

    dim: D, features of m_j, x_t and the ReLU layer.
    """

    def __init__(self, *, dim: int) -> None:
        super().__init__()
        self.key = nn.Linear(dim, dim)
        self.query = nn.Linear(dim, dim)
        self.score = nn.Linear(dim, 1)

    def forward(
        self, memory: Float[Tensor, "B S D"], mask: Bool[Tensor, "B S"], inputs: Float[Tensor, "B T D"]
    ) -> tuple[Float[Tensor, "B T D"], Float[Tensor, "B T S"]]:
        """memory: [B, S, D], mask: [B, S], True = a real slot; inputs: [B, T, D], the queries x.

        Returns the blends [B, T, D] and the weights p [B, T, S]; both are zero where no slot is real.
        """
        keys, queries = self.key(memory), self.query(inputs)
        hidden = torch.relu(keys.unsqueeze(1) + queries.unsqueeze(2))  # [B, T, S, D]
        return attend(self.score(hidden).squeeze(-1), memory, mask)
