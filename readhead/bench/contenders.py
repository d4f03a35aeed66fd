"""Who is timed at an op: its backends, and torch.nn.LSTM beside them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module

import torch
from torch import Tensor, nn

from readhead.bench.correctness import Op
from readhead.bench.timed_ops import TIMED_OPS, Inputs, Shape
from readhead.ops import OPS
from readhead.ops.backends import BACKENDS, Implementation

LSTM = "nn.LSTM"


@dataclass(frozen=True, slots=True)
class Contender:
    """One backend, or torch.nn.LSTM.

    op: tensors in, a tuple of tensors out.
    inputs: by argument, several that take turns.
    """

    name: str
    op: Op
    inputs: list[Inputs]


def implementations(op: str) -> Mapping[str, Implementation]:
    """An op's backends by name, the fastest first."""
    listed: Mapping[str, Implementation] = import_module(OPS[op]).IMPLEMENTATIONS
    return {name: listed[name] for name in BACKENDS if name in listed}


def backends(op: str, inputs: list[Inputs], device: torch.device) -> list[Contender]:
    """Those that can run on the device."""
    return [
        Contender(name, TIMED_OPS[op].form(backend.run), inputs)
        for name, backend in implementations(op).items()
        if not backend.obstacle(device, torch.float32)
    ]


def packed(op: str, inputs: list[Inputs], device: torch.device) -> list[Contender]:
    """The native kernels with weights laid out before, if the op has that and they run on the device."""
    packing = TIMED_OPS[op].packing
    if packing is None or implementations(op)["cpu"].obstacle(device, torch.float32):
        return []
    return [Contender("cpu, packed", packing(inputs[0]), inputs)]


def recurrence(shape: Shape, device: torch.device, count: int) -> Contender:
    """torch.nn.LSTM on texts of that shape. count: different ones."""
    inputs = [{"embedded": torch.randn(shape, device=device)} for _ in range(count)]
    return Contender(LSTM, Recurrence(hidden_dim=shape[-1]).to(device), inputs)


class Recurrence(nn.Module):
    """torch.nn.LSTM as an op: [B, T, H] to [B, T, H]. What everybody's recurrence is measured against."""

    def __init__(self, *, hidden_dim: int) -> None:
        super().__init__()
        self.lstm = nn.LSTM(hidden_dim, hidden_dim, batch_first=True)

    def forward(self, embedded: Tensor) -> tuple[Tensor]:
        """embedded: [B, T, H]. Returns every h, [B, T, H]."""
        return (self.lstm(embedded)[0],)
