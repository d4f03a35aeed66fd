"""A call of a native kernel: structures of sizes and pointers, and what tensors must be like to be pointed at."""

from __future__ import annotations

import ctypes
from collections.abc import Iterable, Mapping
from typing import Any

import torch
from torch import Tensor

from readhead.errors import InputError
from readhead.ops import native

_DONE, _NO_MEMORY = 0, 1  # the statuses of native/include/readhead.h; others are calls that no kernel can answer


def why_no_kernels(device: torch.device, dtype: torch.dtype) -> str | None:
    """Why the native kernels can't take tensors of a device and a type, in a clause; None if they can."""
    if device.type != "cpu":
        return "it runs on a CPU alone"
    if dtype != torch.float32:
        return f"it computes in float32 alone, not in {str(dtype).removeprefix('torch.')}"
    return native.obstacle()


def structure_of_sizes(name: str, fields: Iterable[str]) -> type[ctypes.Structure]:
    """A C structure of whole numbers of 64 bits, in this order."""
    return type(name, (ctypes.Structure,), {"_fields_": [(field, ctypes.c_int64) for field in fields]})


def structure_of_pointers(name: str, fields: Iterable[str]) -> type[ctypes.Structure]:
    """A C structure of pointers, in this order."""
    return type(name, (ctypes.Structure,), {"_fields_": [(field, ctypes.c_void_p) for field in fields]})


def pointers(structure: type[ctypes.Structure], tensors: Mapping[str, Tensor | None]) -> ctypes.Structure:
    """To the tensors of the structure's fields, None = null. They must outlive the call."""
    fields = [field[0] for field in structure._fields_]
    return structure(**{name: address(tensors[name]) for name in fields})


def address(tensor: Tensor | None) -> int | None:
    """Where its numbers begin; None = null."""
    return None if tensor is None else tensor.data_ptr()


def dense(tensors: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """The same, copied where their rows do not lie one behind the other."""
    return {name: x.contiguous() for name, x in tensors.items()}


def demand_contract(op: str, tensors: Mapping[str, Tensor | None]) -> None:
    """Kernels check nothing: all tensors must be dense, on the CPU, and of float32 or bool.

    op: who says it. tensors: by name; None = nothing to look at.

    Raises:
        InputError: one is not.
    """
    for name, tensor in tensors.items():
        if tensor is None:
            continue
        if tensor.device.type != "cpu":
            raise InputError(f"{op}: {name} is on {tensor.device}; the cpu backend reads the CPU's memory")
        if tensor.dtype not in (torch.float32, torch.bool):
            raise InputError(f"{op}: {name} is {tensor.dtype}; the cpu backend computes in torch.float32")
        if not tensor.is_contiguous():
            raise InputError(f"{op}: {name} has strides {list(tensor.stride())}; the cpu backend reads rows one by one")


def call(kernel: Any, *arguments: ctypes.Structure | int | None) -> None:
    """Calls a kernel of native/include: structures by reference, addresses as they are.

    Raises:
        MemoryError: its workspace could not grow.
        RuntimeError: the call was wrong, which `demand_contract` should have told.
    """
    status = kernel(*(ctypes.c_void_p(x) if x is None or isinstance(x, int) else ctypes.byref(x) for x in arguments))
    if status not in (_DONE, _NO_MEMORY):
        raise RuntimeError(f"a native kernel refused its call with status {status}")
    if status == _NO_MEMORY:
        raise MemoryError("a native kernel could not get the memory that it needs to work in")
