"""A feed-forward network of ReLU layers."""

from __future__ import annotations

from itertools import pairwise

import torch
from jaxtyping import Float
from torch import Tensor, nn

from readhead.errors import InputError
from readhead.layers.dropout import Dropout


class FeedForward(nn.Module):
    """ReLU layers of one width: h ← dropout(max(0, W h + b)), `num_layers` times.

    input_dim: features that go in.
    hidden_dim: features of each layer.
    num_layers: 0 hands the input on as it is.
    dropout: on each layer's output, a probability.

    `output_dim` says how many features come out.

    Raises:
        InputError: hidden_dim is below 1, num_layers below 0, or dropout no probability below 1.
    """

    def __init__(self, *, input_dim: int, hidden_dim: int, num_layers: int = 2, dropout: float = 0.0) -> None:
        super().__init__()
        if hidden_dim < 1:
            raise InputError(f"hidden_dim = {hidden_dim}: a ReLU layer needs at least 1 feature")
        if num_layers < 0:
            raise InputError(f"num_layers = {num_layers}: expected a number of ReLU layers, at least 0")
        widths = [input_dim, *[hidden_dim] * num_layers]
        self.layers = nn.ModuleList(nn.Linear(below, above) for below, above in pairwise(widths))
        self.dropout = Dropout(dropout)
        self.output_dim = widths[-1]

    def forward(self, features: Float[Tensor, "... D"]) -> Float[Tensor, "... H"]:
        """features: [..., input_dim]. Returns [..., output_dim]."""
        for layer in self.layers:
            features = self.dropout(torch.relu(layer(features)))
        return features
