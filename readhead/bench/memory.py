"""How much memory a call takes, counted by the tensors that it makes.

What native code allocates for itself and gives back before it returns is not seen.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor
from torch.utils._pytree import tree_leaves

from readhead.bench.dispatch import OperatorWatch


def peak_bytes(call: Callable[[], object]) -> int:
    """The most bytes that tensors made by a call hold at one time; its inputs and parameters do not count."""
    alive: dict[int, int] = {}
    known: set[int] = set()
    peak = 0

    def note(_: torch._ops.OpOverload, args: Sequence[Any], result: Any) -> None:
        nonlocal peak
        known.update(_address(x) for x in tree_leaves(args) if isinstance(x, Tensor) and _address(x) not in alive)
        for x in tree_leaves(result):
            if isinstance(x, Tensor) and _address(x) not in alive and _address(x) not in known:
                alive[_address(x)] = x.untyped_storage().nbytes()
                weakref.finalize(x.untyped_storage(), alive.pop, _address(x), None)
        peak = max(peak, sum(alive.values()))

    with OperatorWatch(note):
        call()
    return peak


def saved_bytes(forward: Callable[[], object], *, given: Sequence[Tensor]) -> int:
    """The bytes that a forward pass keeps for its backward.

    given: the inputs and parameters, which do not count: they would be there without it.
    """
    counted: dict[int, int] = {}
    own = {_address(x) for x in given}

    def note(x: Tensor) -> Tensor:
        if _address(x) not in own:
            counted[_address(x)] = x.untyped_storage().nbytes()
        return x.detach()  # x itself may lead back to what keeps it, and neither would ever be freed

    with torch.autograd.graph.saved_tensors_hooks(note, lambda x: x):
        outputs = forward()
        total = sum(counted.values())
        del outputs
    return total


def _address(x: Tensor) -> int:
    return x.untyped_storage().data_ptr()
