"""The depth-gated LSTM (Yao, Cohn, Vylomova, Duh and Dyer 2015, arXiv:1508.03790)."""

from __future__ import annotations

from jaxtyping import Bool, Float
from torch import Tensor, nn

from readhead.layers.depth_gated_lstm import BottomLSTM, DepthGatedLSTM
from readhead.layers.dropout import Dropout
from readhead.readers.causal import CausalReader, State
from readhead.readers.reading import Reading
from readhead.readers.stack import after_last_token, by_layer, expect_stack, of_layers


class DepthGatedReader(CausalReader):
    """A stack of LSTMs in which each layer's memory flows into the next layer's too, through a depth gate.

    `readhead.layers.depth_gated_lstm` has the equations. The first layer is a plain LSTM, as in Cheng et al. (2016):
    there is no memory below it. Its state: of each layer `hidden` and `memory`, h and c, [B, D].

    input_dim: features of an embedded token.
    hidden_dim: D, features of h and c.
    num_layers: LSTMs on top of one another.
    dropout: on the h that goes up to the next layer, a probability; the memory goes up whole.

    Raises:
        InputError: a size is below 1, or dropout is asked for and there is only one layer.
    """

    def __init__(self, *, input_dim: int, hidden_dim: int, num_layers: int = 3, dropout: float = 0.0) -> None:
        super().__init__()
        expect_stack("dlstm", hidden_dim=hidden_dim, num_layers=num_layers, dropout=dropout)
        self.output_dim = hidden_dim
        self.num_layers = num_layers
        self.bottom = BottomLSTM(input_dim=input_dim, hidden_dim=hidden_dim)
        self.above = nn.ModuleList(DepthGatedLSTM(hidden_dim=hidden_dim) for _ in range(num_layers - 1))
        self.dropout = Dropout(dropout)

    def initial_state(self, batch_size: int) -> State:
        """Zeros."""
        nothing = [self.bottom.from_before.weight.new_zeros(batch_size, self.output_dim)] * self.num_layers
        return by_layer(hidden=nothing, memory=nothing)

    def go_on(self, embedded: Float[Tensor, "B T E"], mask: Bool[Tensor, "B T"], state: State) -> tuple[Reading, State]:
        """As `read`."""
        h, c = (of_layers(state, name, self.num_layers) for name in ("hidden", "memory"))
        hidden, memory = self.bottom(embedded, h[0], c[0])  # [B, T, D]
        layers = [(hidden, memory)]
        for layer, upper in enumerate(self.above, start=1):
            hidden, memory = upper(self.dropout(hidden), memory, h[layer], c[layer])
            layers.append((hidden, memory))
        after = by_layer(
            hidden=[after_last_token(steps, mask, h[layer]) for layer, (steps, _) in enumerate(layers)],
            memory=[after_last_token(steps, mask, c[layer]) for layer, (_, steps) in enumerate(layers)],
        )
        return Reading(hidden * mask.unsqueeze(-1), mask), after
