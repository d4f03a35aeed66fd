"""The match-LSTM (Wang and Jiang 2016, arXiv:1512.08849v2)."""

from __future__ import annotations

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

from readhead.layers.additive_attention import AdditiveAttention
from readhead.layers.lstm_gates import lstm_gates


class MatchLSTMLayer(nn.Module):
    """An LSTM over each token beside what it matches in a memory h^s; what it has matched so far says where to look.

    e_kj = w · tanh(W^s h^s_j + W^t h^t_k + W^m h^m_{k-1})        (1)
    a_k = Σ_j softmax_j(e_kj) h^s_j                               (2)
    h^m_k = LSTM([a_k, h^t_k], h^m_{k-1})                         (3)

    with h^m_0 = 0. The gates stand in the order i, f, o, ĉ; each sum has one bias.

    dim: D, features of h^s, h^t and h^m.
    """

    def __init__(self, *, dim: int) -> None:
        super().__init__()
        self.attention = AdditiveAttention(memory_dim=dim, query_dim=dim)
        self.feedback = nn.Linear(dim, dim, bias=False)
        self.gate_input = nn.Linear(dim, 4 * dim)
        self.gate_blend = nn.Linear(dim, 4 * dim, bias=False)
        self.gate_hidden = nn.Linear(dim, 4 * dim, bias=False)

    def forward(
        self, memory: Float[Tensor, "B S D"], mask: Bool[Tensor, "B S"], inputs: Float[Tensor, "B T D"]
    ) -> tuple[Float[Tensor, "B T D"], Float[Tensor, "B T S"]]:
        """memory: h^s, [B, S, D]; mask: [B, S], True = a real slot; inputs: h^t, [B, T, D].

        Returns h^m [B, T, D] and the weights [B, T, S]. Padding on the right changes nothing that stands before it.
        """
        keys = self.attention.key(memory)  # [B, S, D]
        queries, sums = self.attention.query(inputs), self.gate_input(inputs)  # [B, T, D], [B, T, 4D]
        hidden = cell = memory.new_zeros(len(memory), memory.shape[-1])  # [B, D]
        steps = []
        for from_query, from_input in zip(queries.unbind(dim=1), sums.unbind(dim=1), strict=True):
            query = (from_query + self.feedback(hidden)).unsqueeze(1)  # [B, 1, D]
            blend, weights = self.attention.look(memory, mask, keys, query)  # eq. (1), (2)
            from_blend = self.gate_blend(blend.squeeze(1))  # [B, 4D]
            i, f, o, candidate = lstm_gates(from_input + from_blend + self.gate_hidden(hidden))
            cell = f * cell + i * candidate
            hidden = o * torch.tanh(cell)  # [B, D], eq. (3)
            steps.append((hidden, weights))
        matched, attention = zip(*steps, strict=True)
        return torch.stack(matched, dim=1), torch.cat(attention, dim=1)
