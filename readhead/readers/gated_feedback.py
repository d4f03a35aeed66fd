"""The gated-feedback LSTM (Chung, Gulcehre, Cho and Bengio 2015, arXiv:1502.02367)."""

from __future__ import annotations

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

from readhead.layers.dropout import Dropout
from readhead.layers.lstm_gates import lstm_gates
from readhead.readers.causal import CausalReader, State
from readhead.readers.reading import Reading
from readhead.readers.stack import after_last_token, by_layer, expect_stack, of_layers


class GatedFeedbackReader(CausalReader):
    """A stack of LSTMs in which every layer's h flows back into every layer, each through a gate that is one number.

    Into layer j, with h^0 = x and h* all layers' h side by side:

    g^{i→j} = σ(w^{i→j} · h_t^{j-1} + u^{i→j} · h*_{t-1})                 one for each layer i
    [i; f; o] = σ(W h_t^{j-1} + U h_{t-1}^j)
    ĉ = tanh(W_c h_t^{j-1} + Σ_i g^{i→j} U^{i→j} h_{t-1}^i)
    c_t^j = f ⊙ c_{t-1}^j + i ⊙ ĉ ;  h_t^j = o ⊙ tanh(c_t^j)

    It is the published form; Cheng et al. (2016) had a variation of it, with gates that are vectors. Each sum also has
    a bias. Its state: of each layer `hidden` and `memory`, h and c, [B, D].

    input_dim: features of an embedded token.
    hidden_dim: D, features of h and c.
    num_layers: L, LSTMs on top of one another.
    dropout: on the h that goes up to the next layer, a probability.

    Raises:
        InputError: a size is below 1, or dropout is asked for and there is only one layer.
    """

    def __init__(self, *, input_dim: int, hidden_dim: int, num_layers: int = 3, dropout: float = 0.0) -> None:
        super().__init__()
        expect_stack("glstm", hidden_dim=hidden_dim, num_layers=num_layers, dropout=dropout)
        self.output_dim = hidden_dim
        self.num_layers = num_layers
        # Into layer j: what goes into i, f, o, ĉ, and into the gate of each layer that flows back.
        below = [input_dim, *[hidden_dim] * (num_layers - 1)]
        self.from_below = nn.ModuleList(nn.Linear(width, 4 * hidden_dim + num_layers) for width in below)
        # From layer i: what goes into its own i, f, o at the next token, and into every layer's ĉ.
        self.from_before = nn.ModuleList(
            nn.Linear(hidden_dim, (3 + num_layers) * hidden_dim, bias=False) for _ in range(num_layers)
        )
        self.gates_from_before = nn.Linear(num_layers * hidden_dim, num_layers * num_layers, bias=False)
        self.dropout = Dropout(dropout)

    def initial_state(self, batch_size: int) -> State:
        """Zeros."""
        nothing = [self.gates_from_before.weight.new_zeros(batch_size, self.output_dim)] * self.num_layers
        return by_layer(hidden=nothing, memory=nothing)

    def go_on(self, embedded: Float[Tensor, "B T E"], mask: Bool[Tensor, "B T"], state: State) -> tuple[Reading, State]:
        """As `read`."""
        before = [of_layers(state, name, self.num_layers) for name in ("hidden", "memory")]
        h, c = before
        hidden, memory = [], []
        for sums in self.from_below[0](embedded).unbind(1):
            h, c = self._read_token(sums, h, c)
            hidden.append(torch.stack(h))  # [L, B, D]
            memory.append(torch.stack(c))
        layers = [torch.stack(steps, dim=2) for steps in (hidden, memory)]  # [L, B, T, D]
        after = [
            [after_last_token(steps, mask, old) for steps, old in zip(layer, olds, strict=True)]
            for layer, olds in zip(layers, before, strict=True)
        ]
        return Reading(layers[0][-1] * mask.unsqueeze(-1), mask), by_layer(hidden=after[0], memory=after[1])

    def _read_token(self, sums: Tensor, h: list[Tensor], c: list[Tensor]) -> tuple[list[Tensor], list[Tensor]]:
        """sums: [B, 4D + L], what the token puts into the first layer. h, c: of each layer before it, [B, D]."""
        own, feedback = self._flowing_back(h)
        gates = self.gates_from_before(torch.cat(h, dim=-1)).chunk(self.num_layers, dim=-1)  # each [B, L]
        hidden: list[Tensor] = []
        memory: list[Tensor] = []
        for layer in range(self.num_layers):
            if layer:
                sums = self.from_below[layer](self.dropout(hidden[-1]))  # [B, 4D + L]
            g = torch.sigmoid(sums[:, 4 * self.output_dim :] + gates[layer])  # [B, L]
            back = (g.unsqueeze(-1) * feedback[layer]).sum(dim=1)  # [B, D]
            into_gates = torch.cat([own[layer], back], dim=-1)  # [B, 4D]
            i, f, o, candidate = lstm_gates(sums[:, : 4 * self.output_dim] + into_gates)
            memory.append(f * c[layer] + i * candidate)
            hidden.append(o * torch.tanh(memory[-1]))
        return hidden, memory

    def _flowing_back(self, h: list[Tensor]) -> tuple[list[Tensor], tuple[Tensor, ...]]:
        """Into each layer: from its own h into i, f and o [B, 3D], and from each layer's h into ĉ [B, L, D]."""
        width = self.output_dim
        sent = [linear(one) for linear, one in zip(self.from_before, h, strict=True)]  # each [B, (3 + L) D]
        own = [sums[:, : 3 * width] for sums in sent]
        into_candidates = torch.stack([sums[:, 3 * width :] for sums in sent], dim=1)  # [B, L, L · D]
        return own, into_candidates.view(-1, self.num_layers, self.num_layers, width).unbind(2)
