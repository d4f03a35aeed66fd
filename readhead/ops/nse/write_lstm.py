"""The write LSTM, token by token and back. Layers read [their input; their own last h] in one product."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from readhead.ops import cell
from readhead.ops.linear import add_product, product, weight_gradient


class Steps(NamedTuple):
    """What happened at every token, time first; of operands and cells there is one more, from the last token.

    operands: [T + 1, B, C + D], what the first layer reads: k ⊙ c of this token, and its own h of the token before.
    upper_operands: [L - 1, T + 1, B, 2D], the same of the other layers, which read h of the layer below.
    gates: [L, T, B, 4D], i, f, o and ĉ.
    cells: [L, T + 1, B, D], c of the token before.
    """

    operands: Float[Tensor, "T+1 B C+D"]
    upper_operands: Float[Tensor, "L-1 T+1 B 2*D"]
    gates: Float[Tensor, "L T B 4*D"]
    cells: Float[Tensor, "L T+1 B D"]

    @classmethod
    def before(cls, given: Mapping[str, Tensor]) -> Steps:
        """Before the first token, with each layer's bias in place of its gates."""
        (B, T, C), (L, _, D) = given["kept"].shape, given["write_hidden"].shape
        new = given["reads"].new_zeros
        gates = given["write_bias"][:, None, None].expand(L, T, B, 4 * D).clone(memory_format=torch.contiguous_format)
        return cls(new(T + 1, B, C + D), new(L - 1, T + 1, B, 2 * D), gates, new(L, T + 1, B, D))

    def read_by(self, layer: int) -> Float[Tensor, "T+1 B E+D"]:
        """The operands of one layer."""
        return self.upper_operands[layer - 1] if layer else self.operands


class WriteLstm:
    """All layers, one token at a time.

    given: the tensors of `readhead.ops.nse` by name.
    steps: where tokens are noted down; the first layer's input must stand there before its token's turn.
    padding: [B, T, 1], True = a padded token, which leaves all states as they are; None = there is none.
    """

    def __init__(self, given: Mapping[str, Tensor], steps: Steps, padding: Bool[Tensor, "B T 1"] | None) -> None:
        self._weights, self._steps = _joined_weights(given), steps
        self._real = None if padding is None else ~padding.transpose(0, 1)  # [T, B, 1]

    def step(self, t: int) -> Float[Tensor, "B D"]:
        """h of the last layer."""
        for layer, weight in enumerate(self._weights):
            operands, cells = self._steps.read_by(layer), self._steps.cells[layer]
            gates, width = self._steps.gates[layer, t], cells.shape[2]
            add_product(gates, operands[t], weight)
            cell.activate_(gates)
            cell.remember(gates, cells[t], None, out=cells[t + 1])
            hidden = operands[t + 1, :, -width:]
            cell.expose(gates, cells[t + 1], out=hidden)
            if self._real is not None:
                torch.where(self._real[t], hidden, operands[t, :, -width:], out=hidden)
                torch.where(self._real[t], cells[t + 1], cells[t], out=cells[t + 1])
            if layer + 1 < len(self._weights):
                self._steps.upper_operands[layer, t, :, :width] = hidden
        return hidden


class WriteLstmGradient:
    """The way back, one token at a time, the last one first.

    given, steps, padding: as `WriteLstm` had them.
    """

    def __init__(self, given: Mapping[str, Tensor], steps: Steps, padding: Bool[Tensor, "B T 1"] | None) -> None:
        self._steps, self._real = steps, None if padding is None else ~padding.transpose(0, 1)  # [T, B, 1]
        self._turned = [weight.t().contiguous() for weight in _joined_weights(given)]  # [E + D, 4D] each
        self._by_gates = torch.empty_like(steps.gates)
        self._exposures = cell.slopes(steps.gates, steps.cells[:, 1:], steps.cells[:, :-1], out=self._by_gates)
        if self._real is not None:
            self._by_gates.mul_(self._real)
            self._exposures.mul_(self._real)
        self._by_hidden = torch.zeros_like(steps.cells[:, 0])  # [L, B, D], what h gets from the token after
        self._by_cells = torch.zeros_like(self._by_hidden)

    def step(self, t: int, by_hidden: Float[Tensor, "B D"]) -> Float[Tensor, "B C"]:
        """The gradient by the first layer's input. by_hidden: the one by h of the last layer, as it was given out."""
        width = by_hidden.shape[1]
        for layer in reversed(range(len(self._turned))):
            by_gates, by_cell = self._by_gates[layer, t], self._by_cells[layer]
            by_hidden = by_hidden + self._by_hidden[layer]
            cell.step_back_(by_gates, self._exposures[layer, t], by_hidden, by_cell)
            by_operand = product(by_gates, self._turned[layer])  # [B, E + D]
            forget = self._steps.gates[layer, t, :, width : 2 * width]
            if self._real is None:
                self._by_hidden[layer] = by_operand[:, -width:]
                by_cell.mul_(forget)
            else:  # a padded token hands on what it got
                torch.where(self._real[t], by_operand[:, -width:], by_hidden, out=self._by_hidden[layer])
                torch.where(self._real[t], by_cell * forget, by_cell, out=by_cell)
            by_hidden = by_operand[:, :-width]
        return by_hidden

    def by_weights(self) -> dict[str, Tensor]:
        """The gradients by the weights, each one product over all tokens."""
        found = []
        for layer, by_gates in enumerate(self._by_gates):
            operands = self._steps.read_by(layer)[:-1].flatten(0, 1)  # [TB, E + D]
            found.append(weight_gradient(by_gates.flatten(0, 1), operands))
        width = self._by_hidden.shape[2]
        upper = [by_weight[:, :-width] for by_weight in found[1:]]
        return {
            "write_input": found[0][:, :-width].contiguous(),
            "write_hidden": torch.stack([by_weight[:, -width:] for by_weight in found]),
            "write_upper": torch.stack(upper) if upper else found[0].new_empty(0, 4 * width, width),
            "write_bias": self._by_gates.sum(dim=2).sum(dim=1),  # texts first and tokens then, which rounds less
        }


def _joined_weights(given: Mapping[str, Tensor]) -> list[Float[Tensor, "4*D E+D"]]:
    """For each layer [W of its input, W of its own h]."""
    inputs = [given["write_input"], *given["write_upper"]]
    return [torch.cat(pair, dim=1) for pair in zip(inputs, given["write_hidden"], strict=True)]
