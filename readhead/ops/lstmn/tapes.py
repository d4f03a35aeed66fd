"""What `lstmn` returns."""

from __future__ import annotations

from typing import NamedTuple

from jaxtyping import Float
from torch import Tensor


class Tapes(NamedTuple):
    """The two tapes' new slots, and how they came about. Rows of padded tokens are zero.

    hidden: [B, T, D], h of each token.
    memory: [B, T, D], c of each token.
    attention: [B, T, M + T], what each token gave to the slots there were, and to the tokens before it.
    blend: [B, D], h̃ of each text's last real token.
    """

    hidden: Float[Tensor, "B T D"]
    memory: Float[Tensor, "B T D"]
    attention: Float[Tensor, "B T M+T"]
    blend: Float[Tensor, "B D"]
