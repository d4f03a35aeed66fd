"""Word-by-word attention (Rocktäschel, Grefenstette, Hermann, Kočiský and Blunsom 2016, arXiv:1509.06664v4)."""

from __future__ import annotations

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

from readhead.layers.additive_attention import AdditiveAttention


class WordByWordAttention(nn.Module):
    """Reads a memory Y at each token, and carries what it has seen on to the next.

    M_t = tanh(W_y Y + (W_h h_t + W_r r_{t-1}) ⊗ e)      (11)
    α_t = softmax(wᵀ M_t)                                (12)
    r_t = Y α_tᵀ + tanh(W_t r_{t-1})                     (13)

    with r_0 = 0. The paper's sum in (11) has no bias; it has one here, as other additive attention has.

    dim: features of Y, h and r.
    """

    def __init__(self, *, dim: int) -> None:
        super().__init__()
        self.attention = AdditiveAttention(memory_dim=dim, query_dim=dim)
        self.feedback = nn.Linear(dim, dim, bias=False)
        self.carry = nn.Linear(dim, dim, bias=False)

    def forward(
        self, memory: Float[Tensor, "B S D"], mask: Bool[Tensor, "B S"], inputs: Float[Tensor, "B T D"]
    ) -> tuple[Float[Tensor, "B T D"], Float[Tensor, "B T S"]]:
        """memory: Y, [B, S, D]; mask: [B, S], True = a real slot; inputs: h, [B, T, D].

        Returns r [B, T, D] and the weights α [B, T, S]. Padding on the right changes nothing that stands before it.
        """
        keys = self.attention.key(memory)  # [B, S, D]
        seen = memory.new_zeros(len(memory), 1, memory.shape[-1])  # r_0
        steps = []
        for query in self.attention.query(inputs).split(1, dim=1):  # [B, 1, D]
            blend, weights = self.attention.look(memory, mask, keys, query + self.feedback(seen))  # eq. (11), (12)
            seen = blend + torch.tanh(self.carry(seen))  # [B, 1, D], eq. (13)
            steps.append((seen, weights))
        carried, attention = zip(*steps, strict=True)
        return torch.cat(carried, dim=1), torch.cat(attention, dim=1)
