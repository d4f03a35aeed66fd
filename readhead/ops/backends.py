"""Which of an op's backends runs on a device, and why."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import torch

from readhead.errors import InputError

BACKENDS = ("triton", "cpu", "torch", "reference")
"""Every backend's name, the most specialised first: `auto` takes the first that can run."""


def _none(device: torch.device, dtype: torch.dtype) -> None:
    """Nothing stands in the way on any device."""


@dataclass(frozen=True, slots=True)
class Implementation:
    """One backend of one op.

    run: the op.
    obstacle: why it cannot run on a device with numbers of a type, in a clause; None if it can.
    """

    run: Callable[..., Any]
    obstacle: Callable[[torch.device, torch.dtype], str | None] = _none


@dataclass(frozen=True, slots=True)
class Choice:
    """The backend taken, and in one sentence why."""

    backend: str
    reason: str


def chosen_backend(op: str, device: torch.device, backend: str = "auto") -> Choice:
    """The backend that `op` (a name in `readhead.ops.OPS`) uses on a device, and the reason.

    Raises:
        InputError: the backend is named and cannot run there, or nothing has that name.
    """
    ops = import_module("readhead.ops").OPS
    if op not in ops:
        raise InputError(f"there is no op {op!r}; there are {', '.join(ops)}")
    return choose(op, import_module(ops[op]).IMPLEMENTATIONS, device, backend)


def choose(
    op: str,
    implementations: Mapping[str, Implementation],
    device: torch.device,
    backend: str = "auto",
    dtype: torch.dtype = torch.float32,
) -> Choice:
    """As `chosen_backend`, for an op whose implementations are at hand.

    dtype: of its numbers; under mixed precision all ops compute in float32, whatever they are given.
    """
    if torch.is_autocast_enabled(device.type):
        dtype = torch.float32
    if backend != "auto":
        obstacle = _obstacle(op, implementations, device, dtype, backend)
        if obstacle is not None:
            raise InputError(f"the {backend} backend of {op} cannot run: {obstacle}")
        return Choice(backend, "asked for by name")
    passed_over: list[str] = []
    for name in BACKENDS:
        obstacle = _obstacle(op, implementations, device, dtype, name)
        if obstacle is None:
            return Choice(name, "; ".join([f"the first that runs on {device.type}", *passed_over]))
        passed_over.append(f"{name}: {obstacle}")
    raise InputError(f"no backend of {op} can run: {'; '.join(passed_over)}")


def _obstacle(
    op: str, implementations: Mapping[str, Implementation], device: torch.device, dtype: torch.dtype, backend: str
) -> str | None:
    if backend not in BACKENDS:
        return f"there is no such backend; there are auto, {', '.join(BACKENDS)}"
    if backend not in implementations:
        return f"{op} has no {backend} backend"
    return implementations[backend].obstacle(device, dtype)
