"""Several memories side by side: what is done to each of them alone."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from jaxtyping import Bool, Float
from torch import Tensor


class Segments:
    """N memories of `sizes` slots each, which are S together.

    like: a tensor whose type and device the masks of the memories get.
    """

    def __init__(self, sizes: Sequence[int], like: Tensor) -> None:
        ends = [sum(sizes[: number + 1]) for number in range(len(sizes))]
        self.slices = [slice(end - size, end) for size, end in zip(sizes, ends, strict=True)]
        self._belongs = like.new_zeros(len(sizes), sum(sizes))  # [N, S]
        for number, own in enumerate(self.slices):
            self._belongs[number, own] = 1

    def softmax(
        self, scores: Float[Tensor, "B S"], unreadable: Bool[Tensor, "B S"] | None = None
    ) -> Float[Tensor, "B S"]:
        """Over the slots of each memory that can be read; 0 at others. unreadable: [B, S]; None = none is."""
        if unreadable is not None:
            # The lowest finite number and not -inf: a memory without a real slot would be 0/0.
            scores = scores.masked_fill(unreadable, torch.finfo(scores.dtype).min)
        each = [torch.softmax(scores[:, own], dim=1) for own in self.slices]
        keys = each[0] if len(each) == 1 else torch.cat(each, dim=1)
        return keys if unreadable is None else keys.masked_fill_(unreadable, 0)

    def softmax_backward(self, by_keys: Float[Tensor, "B S"], keys: Float[Tensor, "B S"]) -> Float[Tensor, "B S"]:
        """The gradient by the scores. by_keys: the one by the softmax, keys: the softmax."""
        weighted = keys * by_keys
        shares = weighted @ self._belongs.t() @ self._belongs  # [B, S], each slot's memory's sum
        return torch.addcmul(weighted, keys, shares, value=-1)

    def blend(self, keys: Float[Tensor, "B S"], memory: Float[Tensor, "B S D"]) -> Float[Tensor, "B N D"]:
        """What each memory gives: the sum of its slots, weighted by their keys."""
        if len(self.slices) == 1:
            return torch.bmm(keys.unsqueeze(1), memory)
        return torch.cat([torch.bmm(keys[:, None, own], memory[:, own]) for own in self.slices], dim=1)

    def spread(self, keys: Float[Tensor, "B S"]) -> Float[Tensor, "B N S"]:
        """A row for each memory, zero at the slots of the others."""
        return keys.unsqueeze(1) * self._belongs

    def gather(self, rows: Float[Tensor, "B N S"]) -> Float[Tensor, "B S"]:
        """From a row for each memory the numbers at its own slots."""
        if len(self.slices) == 1:
            return rows.squeeze(1)
        return (rows * self._belongs).sum(dim=1)
