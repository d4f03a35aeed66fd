"""Logits and labels of a split, collected batch by batch."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from jaxtyping import Float, Int, Int64
from torch import Tensor


class Collected:
    """Logits with their labels, in whatever order their batches come."""

    def __init__(self) -> None:
        self._logits: list[Tensor] = []
        self._labels: list[Tensor] = []
        self._indices: list[int] = []

    def add(self, logits: Float[Tensor, "B ..."], labels: Int[Tensor, " B"], indices: Sequence[int]) -> None:
        """Takes one batch in; `indices` [B] are the examples' places in the split."""
        self._logits.append(logits.detach().float().cpu())
        self._labels.append(labels.cpu())
        self._indices.extend(int(i) for i in indices)

    def in_order(self) -> tuple[Float[Tensor, "N ..."], Int[Tensor, " N"]]:
        """Logits and labels in the split's own order."""
        order = self.order
        return torch.cat(self._logits)[order], torch.cat(self._labels)[order]

    @property
    def order(self) -> Int64[np.ndarray, " N"]:
        """Where each example of the split stands among those collected."""
        return np.argsort(self._indices)
