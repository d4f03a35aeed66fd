"""Attention whose scores a small network gives."""

from __future__ import annotations

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

from readhead.ops import attend


class AdditiveAttention(nn.Module):
    """Each query looks at a memory (Bahdanau, Cho and Bengio 2015, arXiv:1409.0473).

    e_tj = uᵀ tanh(W_k m_j + W_q x_t + b)        (1)
    p_tj = softmax_j(e_tj)                       (2)
    blend_t = Σ_j p_tj m_j                       (3)

    A recurrence that adds to its query from step to step computes `key` and `query` of all tokens once, and then
    calls `look` for each.

    memory_dim: D, features of m_j, of u and of b.
    query_dim: E, features of x_t.
    """

    def __init__(self, *, memory_dim: int, query_dim: int) -> None:
        super().__init__()
        self.key = nn.Linear(memory_dim, memory_dim, bias=False)
        self.query = nn.Linear(query_dim, memory_dim)
        self.score = nn.Linear(memory_dim, 1, bias=False)

    def forward(
        self, memory: Float[Tensor, "B S D"], mask: Bool[Tensor, "B S"], inputs: Float[Tensor, "B T E"]
    ) -> tuple[Float[Tensor, "B T D"], Float[Tensor, "B T S"]]:
        """memory: [B, S, D], mask: [B, S], True = a real slot; inputs: [B, T, E], the queries x.

        Returns the blends [B, T, D] and the weights p [B, T, S]; both are zero where no slot is real.
        """
        return self.look(memory, mask, self.key(memory), self.query(inputs))

    def look(
        self,
        memory: Float[Tensor, "B S D"],
        mask: Bool[Tensor, "B S"],
        keys: Float[Tensor, "B S D"],
        queries: Float[Tensor, "B T D"],
    ) -> tuple[Float[Tensor, "B T D"], Float[Tensor, "B T S"]]:
        """As `forward`, of what is in the tanh. keys: W_k m; queries: W_q x + b and what else is added to it."""
        hidden = torch.tanh(keys.unsqueeze(1) + queries.unsqueeze(2))  # [B, T, S, D]
        scores = self.score(hidden).squeeze(-1)  # [B, T, S], eq. (1)
        return attend(scores, memory, mask)  # eq. (2), (3)
