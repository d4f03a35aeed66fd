"""The simple recurrent network (Elman 1990)."""

from __future__ import annotations

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

from readhead.readers.causal import CausalReader, State
from readhead.readers.packed import read_packed, run
from readhead.readers.reading import Reading
from readhead.readers.stack import by_layer, expect_stack, of_layers


class RNNReader(CausalReader):
    """Reads from left to right, h_t = tanh(W x_t + U h_{t-1} + b); several layers read one another's h.

    Its state: of each layer `hidden`, h, [B, D].

    input_dim: features of an embedded token.
    hidden_dim: D, features of h.
    num_layers: networks on top of one another.
    dropout: between the layers, a probability.

    Raises:
        InputError: a size is below 1, or dropout is asked for and there is only one layer.
    """

    def __init__(self, *, input_dim: int, hidden_dim: int, num_layers: int = 1, dropout: float = 0.0) -> None:
        super().__init__()
        expect_stack("rnn", hidden_dim=hidden_dim, num_layers=num_layers, dropout=dropout)
        self.output_dim = hidden_dim
        self.rnn = nn.RNN(input_dim, hidden_dim, num_layers, batch_first=True, dropout=dropout)

    def forward(self, embedded: Float[Tensor, "B T E"], mask: Bool[Tensor, "B T"]) -> Reading:
        """embedded: [B, T, E], mask: [B, T]. Returns a `Reading` of width hidden_dim."""
        # Padding stands on the right, where no real token sees it: packing would only cost time.
        outputs, _ = run(self.rnn, embedded)  # [B, T, D]
        return Reading(outputs * mask.unsqueeze(-1), mask)

    def initial_state(self, batch_size: int) -> State:
        """Zeros."""
        nothing = next(self.parameters()).new_zeros(batch_size, self.output_dim)
        return by_layer(hidden=[nothing] * self.rnn.num_layers)

    def go_on(self, embedded: Float[Tensor, "B T E"], mask: Bool[Tensor, "B T"], state: State) -> tuple[Reading, State]:
        """As `read`."""
        before = torch.stack(of_layers(state, "hidden", self.rnn.num_layers))  # [L, B, D]
        outputs, (hidden,) = read_packed(self.rnn, embedded, mask, (before,))
        return Reading(outputs, mask), by_layer(hidden=hidden.unbind())
