"""Which tokens and slots take part."""

from __future__ import annotations

from typing import NamedTuple

import torch
from jaxtyping import Bool, Float
from torch import Tensor


class Masks(NamedTuple):
    """Who does not. None = everybody does, so that nothing need be masked.

    padding: [B, T, 1], True = a padded token.
    unreal: [B, S, 1], True = a slot that is never read and never written.
    unreadable: [B, T, S], True = a slot that a token does not read.
    """

    padding: Bool[Tensor, "B T 1"] | None
    unreal: Bool[Tensor, "B S 1"] | None
    unreadable: Bool[Tensor, "B T S"] | None

    @classmethod
    def of(cls, mask: Bool[Tensor, "B T"], slots: Bool[Tensor, "B S"]) -> Masks:
        """mask: [B, T], True = a real token. slots: [B, S], True = a real slot."""
        every_token, every_slot = bool(mask.all()), bool(slots.all())
        return cls(
            padding=None if every_token else ~mask.unsqueeze(2),
            unreal=None if every_slot else ~slots.unsqueeze(2),
            unreadable=None if every_token and every_slot else ~(mask.unsqueeze(2) & slots.unsqueeze(1)),
        )

    def clear_tokens(self, x: Float[Tensor, "B T E"]) -> Float[Tensor, "B T E"]:
        """0 at padded tokens: whatever stands there, times 0 need not be 0."""
        return x if self.padding is None else x.masked_fill(self.padding, 0)

    def clear_slots(self, x: Float[Tensor, "B S D"]) -> Float[Tensor, "B S D"]:
        """0 at unreal slots."""
        return x if self.unreal is None else x.masked_fill(self.unreal, 0)

    def restore_slots(self, x: Float[Tensor, "B S D"], before: Float[Tensor, "B S D"]) -> Float[Tensor, "B S D"]:
        """At unreal slots what stood there before."""
        return x if self.unreal is None else torch.where(self.unreal, before, x)
