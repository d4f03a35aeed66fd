"""Word vectors, and their projection to the width of a reader."""

from __future__ import annotations

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from readhead.errors import InputError
from readhead.layers.dropout import Dropout


class Embedding(nn.Module):
    """Looks up each token's vector, and projects it linearly (without a bias) if a width is asked for.

    table: [V, E], the vectors.
    trainable: whether they learn. Frozen ones are no part of the state_dict: they are stored once, elsewhere.
    projection_dim: P, the features of the projection; None for none.
    dropout: on what comes out, a probability.
    pretrained: [V], True = a vector that came from a file; None = all of them did.

    `output_dim` is P, or E without a projection. `pretrained_gradient_scale` multiplies the gradient of the
    pretrained rows of a trainable table; a trainer may set it anew each epoch (the LSTMN, Cheng et al. 2016,
    has 0.35 or 0 in the first).

    Raises:
        InputError: projection_dim is below 1, or dropout no probability below 1.
    """

    table: Tensor
    pretrained: Tensor

    def __init__(
        self,
        *,
        table: Float[Tensor, "V E"],
        trainable: bool,
        projection_dim: int | None = None,
        dropout: float = 0.0,
        pretrained: Bool[Tensor, " V"] | None = None,
    ) -> None:
        super().__init__()
        if projection_dim is not None and projection_dim < 1:
            raise InputError(f"projection_dim = {projection_dim}: a projection needs at least 1 feature")
        if trainable:
            self.table = nn.Parameter(table.clone())
        else:
            self.register_buffer("table", table, persistent=False)
        if pretrained is None:
            pretrained = torch.ones(len(table), dtype=torch.bool)
        self.register_buffer("pretrained", pretrained, persistent=False)
        self.pretrained_gradient_scale = 1.0
        width = table.shape[1]
        self.projection = nn.Identity() if projection_dim is None else nn.Linear(width, projection_dim, bias=False)
        self.output_dim = width if projection_dim is None else projection_dim
        self.dropout = Dropout(dropout)

    def forward(self, token_ids: Int[Tensor, "B T"], mask: Bool[Tensor, "B T"]) -> Float[Tensor, "B T P"]:
        """token_ids and mask: [B, T]. Returns [B, T, output_dim], zero where padded."""
        vectors = self._scale_gradient(nn.functional.embedding(token_ids, self.table), token_ids)  # [B, T, E]
        embedded: Tensor = self.dropout(self.projection(vectors))  # [B, T, P]
        return embedded * mask.unsqueeze(-1)

    def _scale_gradient(self, vectors: Tensor, token_ids: Tensor) -> Tensor:
        if self.pretrained_gradient_scale == 1:
            return vectors
        scale = torch.where(self.pretrained[token_ids], self.pretrained_gradient_scale, 1.0).unsqueeze(-1)
        return vectors.detach().lerp(vectors, scale)
