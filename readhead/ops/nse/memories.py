"""What `nse` returns."""

from __future__ import annotations

from typing import NamedTuple

from jaxtyping import Float
from torch import Tensor


class Memories(NamedTuple):
    """What a text left in the memories, and how it got there. Rows of padded tokens are zero.

    hidden: [B, T, D], h of each token.
    memory: [B, S, D], the slots as they stand after the last token.
    attention: [B, T, S], z: what each token read of the slots, and how much of them it wrote over.
    """

    hidden: Float[Tensor, "B T D"]
    memory: Float[Tensor, "B S D"]
    attention: Float[Tensor, "B T S"]
