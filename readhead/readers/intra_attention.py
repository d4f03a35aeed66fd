"""Intra-sentence attention (Parikh et al. 2016, arXiv:1606.01933v2, section 3.4)."""

from __future__ import annotations

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

from readhead.layers.distance_bias import DistanceBias
from readhead.layers.feed_forward import FeedForward
from readhead.ops import attend
from readhead.readers.reading import Reading


class IntraAttentionReader(nn.Module):
    """Puts beside each word a blend of its own sentence's words, itself among them: ā_i = [a_i, a'_i].

    f_ij = F(a_i)ᵀ F(a_j)                              (6)
    a'_i = Σ_j softmax_j(f_ij + d_{i-j}) a_j           (7)

    input_dim: features of an embedded token.
    hidden_dim: features of each of the two ReLU layers of F, which is `transform` here.
    max_distance: beyond so many tokens all distances share one bias d.
    dropout: on each of F's ReLU layers, a probability.
    """

    def __init__(self, *, input_dim: int, hidden_dim: int = 200, max_distance: int = 10, dropout: float = 0.2) -> None:
        super().__init__()
        self.output_dim = 2 * input_dim
        self.transform = FeedForward(input_dim=input_dim, hidden_dim=hidden_dim, dropout=dropout)
        self.distance = DistanceBias(max_distance=max_distance)

    def forward(self, embedded: Float[Tensor, "B T E"], mask: Bool[Tensor, "B T"]) -> Reading:
        """embedded: [B, T, E], mask: [B, T]. Returns a `Reading` of width 2E, its attention named "intra"."""
        hidden = self.transform(embedded)  # [B, T, H]
        scores = hidden @ hidden.transpose(1, 2)  # [B, T, T], eq. (6)
        blend, weights = attend(scores + self.distance(embedded.shape[1]), embedded, mask)  # eq. (7)
        real = mask.unsqueeze(-1)  # [B, T, 1]
        outputs = torch.cat([embedded, blend], dim=-1) * real  # [B, T, 2E]
        return Reading(outputs, mask, {"intra": weights * real})
