"""One layer of a long short-term memory-network (Cheng, Dong and Lapata 2016, arXiv:1601.06733v7)."""

from __future__ import annotations

from functools import partial
from typing import Self, TypedDict

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

from readhead.errors import InputError
from readhead.layers.tape import Tape
from readhead.ops.kernel_call import why_no_kernels
from readhead.ops.lstmn import Tapes, lstmn
from readhead.ops.lstmn.cpu import WEIGHTS, PackedLstmn


class LSTMNWeights(TypedDict):
    """The weights of eq. (4) and (7), as `readhead.ops.lstmn` calls them."""

    attend_hidden: Float[Tensor, "D D"]
    attend_input: Float[Tensor, "D E"]
    attend_blend: Float[Tensor, "D D"]
    attend_bias: Float[Tensor, " D"]
    attend_score: Float[Tensor, " D"]
    gate_input: Float[Tensor, "4*D E"]
    gate_blend: Float[Tensor, "4*D D"]
    gate_bias: Float[Tensor, " 4*D"]


class LSTMNLayer(nn.Module):
    """The weights of one layer; `readhead.ops.lstmn` has the equations and calls them by the same names.

    They start as the linear maps of the authors' code do: each matrix in U(±1/√fan_in), and each bias as the sum of
    the biases that those maps would have, which add up to it.

    input_dim: E, features of what the layer reads: an embedded token, or for an upper layer h of the layer below,
        with the token beside it if there are skip-connections.
    hidden_dim: D, features of h and c, and of the attention.
    backend: of the op: a name of `readhead.ops.backends.BACKENDS`, or `auto`.

    Raises:
        InputError: hidden_dim is below 1.
    """

    def __init__(self, *, input_dim: int, hidden_dim: int, backend: str = "auto") -> None:
        super().__init__()
        if hidden_dim < 1:
            raise InputError(f"hidden_dim = {hidden_dim}: an LSTMN needs at least 1 feature")
        self.backend = backend
        self.attend_hidden = _uniform(hidden_dim, hidden_dim, fan_in=hidden_dim)
        self.attend_input = _uniform(hidden_dim, input_dim, fan_in=input_dim)
        self.attend_blend = _uniform(hidden_dim, hidden_dim, fan_in=hidden_dim)
        self.attend_bias = _sum_of_biases(hidden_dim, fans_in=[hidden_dim, input_dim, hidden_dim])
        self.attend_score = _uniform(hidden_dim, fan_in=hidden_dim)
        self.gate_input = _uniform(4 * hidden_dim, input_dim, fan_in=input_dim)
        self.gate_blend = _uniform(4 * hidden_dim, hidden_dim, fan_in=hidden_dim)
        self.gate_bias = _sum_of_biases(4 * hidden_dim, fans_in=[input_dim, hidden_dim])
        self._packed: PackedLstmn | None = None

    def pack(self) -> None:
        """Lays the weights out for the native kernels, for as long as nothing learns: `train()` undoes it.

        Reading one text at a time, which would lay them out again at each, gets about twice as fast. Where no native
        kernel runs, nothing happens.
        """
        self.eval()
        if self.backend in ("auto", "cpu") and why_no_kernels(self.gate_bias.device, self.gate_bias.dtype) is None:
            self._packed = PackedLstmn(weights={name: getattr(self, name) for name in WEIGHTS})

    def train(self, mode: bool = True) -> Self:
        """As of any module; weights that may change are packed no more."""
        if mode:
            self._packed = None
        return super().train(mode)

    def weights(self) -> LSTMNWeights:
        """The weights, as the ops `lstmn` and `fusion` take them."""
        return {
            "attend_hidden": self.attend_hidden,
            "attend_input": self.attend_input,
            "attend_blend": self.attend_blend,
            "attend_bias": self.attend_bias,
            "attend_score": self.attend_score,
            "gate_input": self.gate_input,
            "gate_blend": self.gate_blend,
            "gate_bias": self.gate_bias,
        }

    def forward(
        self,
        inputs: Float[Tensor, "B T E"],
        mask: Bool[Tensor, "B T"],
        tape: Tape,
        blend: Float[Tensor, "B D"],
        span: int | None = None,
    ) -> Tapes:
        """Reads on from a tape.

        inputs: [B, T, E], mask: [B, T]. tape: of M slots. blend: [B, D], h̃ before the first token.
        span: how many slots back a token can look; None = all.

        Returns the T new slots, the attention [B, T, M + T] and the last h̃ [B, D].
        """
        packed = None if torch.is_grad_enabled() else self._packed
        read = packed or partial(lstmn, **self.weights(), backend=self.backend)
        return read(
            inputs=inputs,
            mask=mask,
            hidden_tape=tape.hidden,
            memory_tape=tape.memory,
            written=tape.written,
            blend=blend,
            span=span,
        )


def _uniform(*shape: int, fan_in: int) -> nn.Parameter:
    bound = fan_in**-0.5
    return nn.Parameter(torch.empty(*shape).uniform_(-bound, bound))


def _sum_of_biases(size: int, *, fans_in: list[int]) -> nn.Parameter:
    biases = [_uniform(size, fan_in=fan_in).detach() for fan_in in fans_in]
    return nn.Parameter(torch.stack(biases).sum(dim=0))
