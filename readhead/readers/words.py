"""The reader that does not read: each word stands alone."""

from __future__ import annotations

from jaxtyping import Bool, Float
from torch import Tensor, nn

from readhead.readers.reading import Reading


class WordsReader(nn.Module):
    """Hands the embedded tokens on: ā_i = a_i. What bags of words and vanilla decomposable attention read.

    input_dim: features of an embedded token.
    """

    def __init__(self, *, input_dim: int) -> None:
        super().__init__()
        self.output_dim = input_dim

    def forward(self, embedded: Float[Tensor, "B T E"], mask: Bool[Tensor, "B T"]) -> Reading:
        """embedded: [B, T, E], mask: [B, T]. Returns a `Reading` of width E."""
        return Reading(embedded * mask.unsqueeze(-1), mask)
