"""A memory that is written as well as read (Munkhdalai and Yu 2017, arXiv:1607.04315v3)."""

from __future__ import annotations

from typing import NamedTuple

from jaxtyping import Bool, Float
from torch import Tensor


class Memory(NamedTuple):
    """A memory of S slots for each of B texts.

    slots: [B, S, D], what stands in them; finite everywhere.
    mask: [B, S], True = a slot that can be read and written; the others stand for padding.
    """

    slots: Float[Tensor, "B S D"]
    mask: Bool[Tensor, "B S"]
