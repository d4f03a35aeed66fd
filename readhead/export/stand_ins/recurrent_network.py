"""torch's recurrent networks as the exporter can write them down: a layer is one operator, as it is in ONNX.

torch's own export of an RNN freezes at the example's length, and packing asks how long the texts are.
"""

from __future__ import annotations

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from readhead.readers.packed import Layers


def read_packed(
    network: nn.RNNBase, embedded: Float[Tensor, "B T E"], mask: Bool[Tensor, "B T"], before: Layers
) -> tuple[Float[Tensor, "B T D"], Layers]:
    """As `readhead.readers.packed.read_packed`."""
    lengths = mask.sum(dim=1)  # [B]
    outputs, after = _read(network, embedded, lengths.clamp(min=1), before)
    has_read = (lengths > 0).view(1, -1, 1)
    kept = (new.where(has_read, old) for new, old in zip(after, before, strict=True))
    return outputs * mask.unsqueeze(-1), tuple(kept)


def run(
    network: nn.RNNBase, inputs: Float[Tensor, "B T E"], before: Layers | None = None
) -> tuple[Float[Tensor, "B T D"], Layers]:
    """As `readhead.readers.packed.run`, of texts that are padded."""
    size, length, _ = inputs.shape
    directions = 2 if network.bidirectional else 1
    nothing = inputs.new_zeros(network.num_layers * directions, size, network.hidden_size)
    lengths = torch.full((size,), length, dtype=torch.int64, device=inputs.device)
    return _read(network, inputs, lengths, before or (nothing, nothing)[: 2 if isinstance(network, nn.LSTM) else 1])


def _read(
    network: nn.RNNBase, inputs: Float[Tensor, "B T E"], lengths: Int[Tensor, " B"], before: Layers
) -> tuple[Float[Tensor, "B T D"], Layers]:
    directions = 2 if network.bidirectional else 1
    has_cell = isinstance(network, nn.LSTM)
    operator = torch.ops.readhead.lstm_layer if has_cell else torch.ops.readhead.rnn_layer
    after: list[tuple[Tensor, ...]] = []
    for layer in range(network.num_layers):
        own = slice(layer * directions, (layer + 1) * directions)
        weights = _weights(network, layer, gates=4 if has_cell else 1)
        inputs, *left = operator(inputs, lengths.int(), *(one[own] for one in before), *weights)  # [B, T, D]
        after.append(tuple(left))
    return inputs, tuple(torch.cat(layers) for layers in zip(*after, strict=True))


def _weights(network: nn.RNNBase, layer: int, *, gates: int) -> list[Tensor]:
    """Of each direction: by the input [gates · D, E], by h [gates · D, D], and the biases [2 gates · D]."""

    def of(name: str, suffix: str) -> Tensor:
        kept: Tensor = getattr(network, f"{name}_l{layer}{suffix}")
        if gates == 1:
            return kept
        i, f, candidate, o = kept.chunk(gates)  # torch's order
        return torch.cat([i, o, f, candidate])

    suffixes = ["", "_reverse"][: 2 if network.bidirectional else 1]
    by_input, by_hidden = (torch.stack([of(name, end) for end in suffixes]) for name in ("weight_ih", "weight_hh"))
    biases = torch.stack([torch.cat([of("bias_ih", end), of("bias_hh", end)]) for end in suffixes])
    return [by_input, by_hidden, biases]


def _shapes(inputs: Tensor, lengths: Tensor, hidden: Tensor, *others: Tensor) -> tuple[Tensor, ...]:
    directions, batch, width = hidden.shape
    states = [hidden.new_empty(hidden.shape) for _ in others[:-3]]  # one, and a cell if there is one
    return inputs.new_empty(batch, inputs.shape[1], directions * width), hidden.new_empty(hidden.shape), *states


# inputs [B, T, E], lengths [B], what the layer holds [directions, B, D], and its weights: to h of each token
# [B, T, directions · D], and what the layer then holds. They are never run in torch.
for _name, _cell, _states in (("lstm_layer", "Tensor cell, ", 3), ("rnn_layer", "", 2)):
    torch.library.define(
        f"readhead::{_name}",
        f"(Tensor inputs, Tensor lengths, Tensor hidden, {_cell}Tensor by_input, Tensor by_hidden, Tensor biases)"
        f" -> ({', '.join(['Tensor'] * _states)})",
    )
    torch.library.register_fake(f"readhead::{_name}", _shapes)
