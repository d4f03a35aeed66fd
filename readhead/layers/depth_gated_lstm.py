"""The layers of a depth-gated LSTM (Yao, Cohn, Vylomova, Duh and Dyer 2015, arXiv:1508.03790)."""

from __future__ import annotations

import torch
from jaxtyping import Float
from torch import Tensor, nn

from readhead.layers.lstm_gates import lstm_gates

Steps = tuple[Float[Tensor, "B T D"], Float[Tensor, "B T D"]]
"""h and c of every token."""


class BottomLSTM(nn.Module):
    """An LSTM that hands out its memory c of every token, which `nn.LSTM` keeps to itself.

    input_dim: features of what it reads.
    hidden_dim: D.
    """

    def __init__(self, *, input_dim: int, hidden_dim: int) -> None:
        super().__init__()
        self.from_input = nn.Linear(input_dim, 4 * hidden_dim)
        self.from_before = nn.Linear(hidden_dim, 4 * hidden_dim, bias=False)

    def forward(self, inputs: Float[Tensor, "B T E"], h: Float[Tensor, "B D"], c: Float[Tensor, "B D"]) -> Steps:
        """inputs: [B, T, E]. h, c: [B, D] before the first token. Returns h and c after each, [B, T, D]."""
        hidden, memory = [], []
        for sums in self.from_input(inputs).unbind(1):
            i, f, o, candidate = lstm_gates(torch.addmm(sums, h, self.from_before.weight.t()))
            c = f * c + i * candidate
            h = o * torch.tanh(c)
            hidden.append(h)
            memory.append(c)
        return torch.stack(hidden, dim=1), torch.stack(memory, dim=1)


class DepthGatedLSTM(nn.Module):
    """An LSTM into which the memory of the layer below flows through a gate d of its own.

    With x = h and c' = c of the layer below, at the same token:

    d_t = σ(W_d x_t + w₁ ⊙ c_{t-1} + w₂ ⊙ c'_t + b_d)
    c_t = d_t ⊙ c'_t + f_t ⊙ c_{t-1} + i_t ⊙ ĉ_t

    w₁ and w₂ (`weigh_own`, `weigh_below`) are vectors, as published; Cheng et al. (2016) had matrices in their place.

    hidden_dim: D, also of the layer below.
    """

    def __init__(self, *, hidden_dim: int) -> None:
        super().__init__()
        self.from_below = nn.Linear(hidden_dim, 5 * hidden_dim)
        self.from_before = nn.Linear(hidden_dim, 4 * hidden_dim, bias=False)
        bound = hidden_dim**-0.5  # as the matrices of that width start
        self.weigh_own = nn.Parameter(torch.empty(hidden_dim).uniform_(-bound, bound))
        self.weigh_below = nn.Parameter(torch.empty(hidden_dim).uniform_(-bound, bound))

    def forward(
        self,
        hidden_below: Float[Tensor, "B T D"],
        memory_below: Float[Tensor, "B T D"],
        h: Float[Tensor, "B D"],
        c: Float[Tensor, "B D"],
    ) -> Steps:
        """hidden_below, memory_below: [B, T, D], x and c'. h, c: [B, D]. Returns h and c of each token, [B, T, D]."""
        width = len(self.weigh_own)
        all_sums, depth_sums = self.from_below(hidden_below).split([4 * width, width], dim=-1)
        depth_sums = depth_sums + self.weigh_below * memory_below  # [B, T, D]
        hidden, memory = [], []
        for sums, depth_sum, below in zip(
            all_sums.unbind(1), depth_sums.unbind(1), memory_below.unbind(1), strict=True
        ):
            i, f, o, candidate = lstm_gates(torch.addmm(sums, h, self.from_before.weight.t()))
            d = torch.sigmoid(depth_sum + self.weigh_own * c)
            c = d * below + f * c + i * candidate
            h = o * torch.tanh(c)
            hidden.append(h)
            memory.append(c)
        return torch.stack(hidden, dim=1), torch.stack(memory, dim=1)
