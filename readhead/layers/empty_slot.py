"""A slot of zeros, for what has no counterpart."""

from __future__ import annotations

from jaxtyping import Bool, Float
from torch import Tensor, nn


def with_empty_slot(
    memory: Float[Tensor, "B S D"], mask: Bool[Tensor, "B S"]
) -> tuple[Float[Tensor, "B S+1 D"], Bool[Tensor, "B S+1"]]:
    """Puts a slot of zeros, which is real for every text, in front.

    The match-LSTM calls it NULL (Wang and Jiang 2016). With it, a memory of no tokens can be read too.

    memory: [B, S, D], mask: [B, S], True = a real slot. Returns [B, S + 1, D] and [B, S + 1].
    """
    return nn.functional.pad(memory, (0, 0, 1, 0)), nn.functional.pad(mask, (1, 0), value=True)
