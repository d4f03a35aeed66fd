"""The matrix products of a step, found while it runs, and done again without the rest of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from readhead.bench.dispatch import OperatorWatch

aten = torch.ops.aten
LEFT_FACTOR = {
    aten.mm.default: 0,
    aten.bmm.default: 0,
    aten.mv.default: 0,
    aten.matmul.default: 0,
    aten.linear.default: 0,
    aten.addmm.default: 1,
    aten.baddbmm.default: 1,
    aten.addmv.default: 1,
}
"""Torch's matrix products, and which argument is the left factor: its last axis is summed over."""


@dataclass(frozen=True, slots=True)
class Operand:
    """A tensor that goes into a product, without its numbers.

    Operands that were the same memory are equal, and the same memory in a replay: caches see what they saw.
    """

    address: int
    shape: tuple[int, ...]
    stride: tuple[int, ...]
    dtype: torch.dtype
    device: torch.device

    @classmethod
    def of(cls, x: Tensor) -> Operand:
        """The operand that a tensor is."""
        return cls(x.data_ptr(), tuple(x.shape), x.stride(), x.dtype, x.device)

    def made(self) -> Tensor:
        """A tensor of the same layout, with normal random numbers."""
        span = 1 + sum((size - 1) * step for size, step in zip(self.shape, self.stride, strict=True))
        numbers = torch.randn(span if 0 not in self.shape else 0, dtype=self.dtype, device=self.device)
        return numbers.as_strided(self.shape, self.stride)


@dataclass(frozen=True, slots=True)
class Product:
    """One matrix product.

    operator: one of LEFT_FACTOR.
    operands: in the operator's order.
    flop: floating-point operations; a multiplication with its addition is two.
    """

    operator: torch._ops.OpOverload
    operands: tuple[Operand, ...]
    flop: int


def products_of(step: Callable[[], object]) -> list[Product]:
    """Runs a step and returns its matrix products, forward and backward, in their order."""
    found: list[Product] = []

    def look(operator: torch._ops.OpOverload, args: Sequence[Any], result: Any) -> None:
        if operator in LEFT_FACTOR:
            operands = tuple(Operand.of(x) for x in args if isinstance(x, Tensor))
            summed = operands[LEFT_FACTOR[operator]].shape[-1]
            found.append(Product(operator, operands, flop=2 * summed * result.numel()))

    with OperatorWatch(look):
        step()
    return found


def replay(products: Sequence[Product], pool: dict[Operand, Tensor]) -> Callable[[], None]:
    """What does the products again, alone, on random numbers of the same layouts.

    pool: operands made before; new ones are added to it.
    """
    for operand in {operand for product in products for operand in product.operands}:
        if operand not in pool:
            pool[operand] = operand.made()
    calls = [(product.operator, [pool[operand] for operand in product.operands]) for product in products]

    def run() -> None:
        with torch.no_grad():
            for operator, operands in calls:
                operator(*operands)

    return run
