"""The LSTM that reads in both directions (Graves and Schmidhuber 2005)."""

from __future__ import annotations

from jaxtyping import Bool, Float
from torch import Tensor, nn

from readhead.readers.packed import read_packed
from readhead.readers.reading import Reading
from readhead.readers.stack import expect_stack


class BiLSTMReader(nn.Module):
    """Two LSTMs, one from left to right and one from right to left; h_t = [→h_t; ←h_t] knows the whole text.

    The second begins at each text's own last word, never in its padding. Of several layers, the upper ones read both
    directions of the layer below. Each direction has weights of its own.

    input_dim: features of an embedded token.
    hidden_dim: features of each direction; `output_dim` is twice as many.
    num_layers: bidirectional LSTMs on top of one another.
    dropout: between the layers, a probability.

    Raises:
        InputError: a size is below 1, or dropout is asked for and there is only one layer.
    """

    def __init__(self, *, input_dim: int, hidden_dim: int, num_layers: int = 1, dropout: float = 0.0) -> None:
        super().__init__()
        expect_stack("bilstm", hidden_dim=hidden_dim, num_layers=num_layers, dropout=dropout)
        self.output_dim = 2 * hidden_dim
        self.lstm = nn.LSTM(input_dim, hidden_dim, num_layers, batch_first=True, dropout=dropout, bidirectional=True)

    def forward(self, embedded: Float[Tensor, "B T E"], mask: Bool[Tensor, "B T"]) -> Reading:
        """embedded: [B, T, E], mask: [B, T]. Returns a `Reading` of width 2 · hidden_dim."""
        directions = 2 * self.lstm.num_layers
        nothing = next(self.parameters()).new_zeros(directions, len(embedded), self.lstm.hidden_size)
        outputs, _ = read_packed(self.lstm, embedded, mask, (nothing, nothing))  # [B, T, 2D]
        return Reading(outputs, mask)
