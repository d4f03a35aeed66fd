"""The LSTM (Hochreiter and Schmidhuber 1997): the baseline that every paper compares with."""

from __future__ import annotations

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

from readhead.readers.causal import CausalReader, State
from readhead.readers.packed import read_packed, run
from readhead.readers.reading import Reading
from readhead.readers.stack import by_layer, expect_stack, of_layers


class LSTMReader(CausalReader):
    """Reads from left to right; several layers, the "stacked LSTM", read one another's h.

    [i; f; o; ĉ] = [σ; σ; σ; tanh](W [h_{t-1}, x_t] + b)
    c_t = f ⊙ c_{t-1} + i ⊙ ĉ
    h_t = o ⊙ tanh(c_t)

    They are (1)-(3) of Cheng et al. (2016). Its state: of each layer `hidden` and `memory`, h and c, [B, D].

    input_dim: features of an embedded token.
    hidden_dim: D, features of h.
    num_layers: LSTMs on top of one another.
    dropout: between the layers, a probability.

    Raises:
        InputError: a size is below 1, or dropout is asked for and there is only one layer.
    """

    def __init__(self, *, input_dim: int, hidden_dim: int, num_layers: int = 1, dropout: float = 0.0) -> None:
        super().__init__()
        expect_stack("lstm", hidden_dim=hidden_dim, num_layers=num_layers, dropout=dropout)
        self.output_dim = hidden_dim
        self.lstm = nn.LSTM(input_dim, hidden_dim, num_layers, batch_first=True, dropout=dropout)

    def forward(self, embedded: Float[Tensor, "B T E"], mask: Bool[Tensor, "B T"]) -> Reading:
        """embedded: [B, T, E], mask: [B, T]. Returns a `Reading` of width hidden_dim."""
        # Padding stands on the right, where no real token sees it: packing would only cost time.
        outputs, _ = run(self.lstm, embedded)  # [B, T, D]
        return Reading(outputs * mask.unsqueeze(-1), mask)

    def initial_state(self, batch_size: int) -> State:
        """Zeros."""
        nothing = [next(self.parameters()).new_zeros(batch_size, self.output_dim)] * self.lstm.num_layers
        return by_layer(hidden=nothing, memory=nothing)

    def go_on(self, embedded: Float[Tensor, "B T E"], mask: Bool[Tensor, "B T"], state: State) -> tuple[Reading, State]:
        """As `read`."""
        before = (torch.stack(of_layers(state, name, self.lstm.num_layers)) for name in ("hidden", "memory"))
        outputs, (hidden, memory) = read_packed(self.lstm, embedded, mask, tuple(before))
        return Reading(outputs, mask), by_layer(hidden=hidden.unbind(), memory=memory.unbind())
