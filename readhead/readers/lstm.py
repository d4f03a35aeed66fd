"""The LSTM (Hochreiter and Schmidhuber 1997): the baseline that every paper compares with."""

from __future__ import annotations

from jaxtyping import Bool, Float
from torch import Tensor, nn

from readhead.errors import InputError
from readhead.readers.reading import Reading


class LSTMReader(nn.Module):
    """Reads from left to right, h_t = LSTM(x_t, h_{t-1}); several layers read one another's h.

    input_dim: features of an embedded token.
    hidden_dim: features of h.
    num_layers: LSTMs on top of one another.
    dropout: between the layers, a probability.

    Raises:
        InputError: dropout is asked for and there is only one layer.
    """

    def __init__(self, *, input_dim: int, hidden_dim: int, num_layers: int = 1, dropout: float = 0.0) -> None:
        super().__init__()
        if dropout and num_layers == 1:
            raise InputError(f"the lstm reader's dropout ({dropout}) stands between layers; it has only one layer")
        self.output_dim = hidden_dim
        self.lstm = nn.LSTM(input_dim, hidden_dim, num_layers, batch_first=True, dropout=dropout)

    def forward(self, embedded: Float[Tensor, "B T E"], mask: Bool[Tensor, "B T"]) -> Reading:
        """embedded: [B, T, E], mask: [B, T]. Returns a `Reading` of width hidden_dim."""
        # Padding stands on the right, where no real token sees it: packing would only cost time.
        outputs, _ = self.lstm(embedded)  # [B, T, D]
        return Reading(outputs * mask.unsqueeze(-1), mask)
