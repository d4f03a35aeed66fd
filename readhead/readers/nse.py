"""Neural semantic encoders (Munkhdalai and Yu 2017, arXiv:1607.04315v3)."""

from __future__ import annotations

from jaxtyping import Bool, Float
from torch import Tensor, nn

from readhead.readers.many_memories import ManyMemoryReader
from readhead.readers.reading import Reading


class NSEReader(nn.Module):
    """Reads a text into a memory that begins as its words, and at each word looks it up, composes and writes it back.

    `ManyMemoryReader` has the equations, (1)-(6); it shares no memory here. A word sees those after it, since they
    are in the memory from the beginning.

    input_dim: D, features of an embedded token; of h and of each slot as well, since the slots begin as tokens.
    num_layers: LSTMs on top of one another, both of those that read and of those that write.
    dropout: on what either LSTM reads, a probability.

    Raises:
        InputError: there is no layer, or dropout is no probability below 1.
    """

    def __init__(self, *, input_dim: int, num_layers: int = 1, dropout: float = 0.0) -> None:
        super().__init__()
        self.output_dim = input_dim
        self.reader = ManyMemoryReader(input_dim=input_dim, num_shared=0, num_layers=num_layers, dropout=dropout)

    def forward(self, embedded: Float[Tensor, "B T D"], mask: Bool[Tensor, "B T"]) -> Reading:
        """embedded: [B, T, D], mask: [B, T]. Returns a `Reading` of width D, its attention z named "memory"."""
        reading: Reading = self.reader(embedded, mask, []).reading
        return reading
