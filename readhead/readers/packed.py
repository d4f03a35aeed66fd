"""torch's recurrent networks: run in any precision, and read on from a state over texts of different lengths."""

from __future__ import annotations

from typing import Any

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn
from torch.nn.utils.rnn import PackedSequence, pack_padded_sequence, pad_packed_sequence

Layers = tuple[Float[Tensor, "L B D"], ...]
"""What every layer holds: (h,) of an `nn.RNN`, (h, c) of an `nn.LSTM`."""


def read_packed(
    network: nn.RNNBase, embedded: Float[Tensor, "B T E"], mask: Bool[Tensor, "B T"], before: Layers
) -> tuple[Float[Tensor, "B T D"], Layers]:
    """Runs a network that is `batch_first`.

    embedded: [B, T, E], mask: [B, T], True = a real token; padding stands on the right.
    before: what the layers hold before the first token, each [L, B, D].

    Returns the last layer's h [B, T, D], and what the layers hold after each text's last real token.
    """
    if mask.all():  # Packing costs time, and a text read token by token never needs it.
        return run(network, embedded, before)
    lengths = mask.sum(dim=1)  # [B]
    # A text without a token is read for one token, which is then forgotten: torch packs no empty ones.
    packed = pack_padded_sequence(embedded, lengths.clamp(min=1).cpu(), batch_first=True, enforce_sorted=False)
    packed_outputs, after = run(network, packed, before)
    outputs, _ = pad_packed_sequence(packed_outputs, batch_first=True, total_length=embedded.shape[1])  # [B, T, D]
    has_read = (lengths > 0).view(1, -1, 1)
    kept = (new.where(has_read, old) for new, old in zip(after, before, strict=True))
    return outputs * mask.unsqueeze(-1), tuple(kept)


def run(
    network: nn.RNNBase, inputs: Float[Tensor, "B T E"] | PackedSequence, before: Layers | None = None
) -> tuple[Any, Layers]:
    """Runs a network; on a CPU in float32 under mixed precision too, for which many CPUs have no LSTM.

    before: what the layers hold before the first token; None = zeros.

    Returns its outputs, as the inputs are: padded or packed, and what the layers hold after the last token, of the type
    of its weights.
    """
    like = next(network.parameters())
    if like.is_cpu and torch.is_autocast_enabled("cpu"):
        with torch.autocast("cpu", enabled=False):
            return run(network, inputs.to(like.dtype), before)
    # An `nn.RNN` takes and gives its only tensor bare.
    if isinstance(network, nn.LSTM):
        outputs, after = network(inputs, before)
    else:
        outputs, hidden = network(inputs, before and before[0])
        after = (hidden,)
    return outputs, tuple(layer.to(like.dtype) for layer in after)
