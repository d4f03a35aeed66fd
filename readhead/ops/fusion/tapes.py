"""What `fusion` returns."""

from __future__ import annotations

from typing import NamedTuple

from jaxtyping import Float
from torch import Tensor


class FusedTapes(NamedTuple):
    """The two tapes' new slots, and how they came about. Rows of padded tokens are zero.

    hidden: [B, T, D], h of each token.
    memory: [B, T, D], c of each token.
    attention: [B, T, M + T], what each token gave to the slots there were, and to the tokens before it.
    source_attention: [B, T, S], what each token gave to the source's slots.
    blend: [B, D], h̃ of each text's last real token.
    source_blend: [B, D], γ̃ of each text's last real token.
    """

    hidden: Float[Tensor, "B T D"]
    memory: Float[Tensor, "B T D"]
    attention: Float[Tensor, "B T M+T"]
    source_attention: Float[Tensor, "B T S"]
    blend: Float[Tensor, "B D"]
    source_blend: Float[Tensor, "B D"]
