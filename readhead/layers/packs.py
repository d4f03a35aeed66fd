"""Layers that read faster once their weights are known to stay as they are."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from torch import nn


@runtime_checkable
class Packs(Protocol):
    """A layer with weights that can be laid out once for many calls, until `train()`."""

    def pack(self) -> None:
        """Lays them out. Weights that are changed without `train()` are not looked at again."""
        ...


def pack(model: nn.Module) -> None:
    """Makes a whole model ready to read, and only to read."""
    model.eval()
    for module in model.modules():
        if isinstance(module, Packs):
            module.pack()
