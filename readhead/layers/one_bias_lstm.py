"""An LSTM with as many weights as its equations have."""

from __future__ import annotations

import torch
from torch import nn


class OneBiasLSTM(nn.LSTM):
    """torch's LSTM with one bias vector a layer, where `nn.LSTM` has two that are only ever added.

    [i; f; o; ĉ] = [σ; σ; σ; tanh](W [h_{t-1}, x_t] + b)
    c_t = f ⊙ c_{t-1} + i ⊙ ĉ
    h_t = o ⊙ tanh(c_t)

    The second bias stays as a constant zero, so that torch's own fused kernels run. The rows of a weight are those of
    i, f, ĉ, o in turn, as torch has them. It reads [B, T, E]; padding on the right changes nothing before it.

    input_dim: E, features of x.
    hidden_dim: D, features of h and c.
    num_layers: LSTMs on top of one another.
    """

    def __init__(self, *, input_dim: int, hidden_dim: int, num_layers: int = 1) -> None:
        super().__init__(input_dim, hidden_dim, num_layers, batch_first=True)
        for layer in range(num_layers):
            name = f"bias_hh_l{layer}"
            zeros = torch.zeros_like(getattr(self, name), requires_grad=False)
            delattr(self, name)
            self.register_buffer(name, zeros, persistent=False)
