"""Watching the operators that torch really runs, those inside our own operators too."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves


class OperatorWatch(TorchDispatchMode):  # type: ignore[no-untyped-call]
    """Inside it, `seen` is told of every operator of torch that runs, forward and backward.

    An operator of ours that is written in Python is looked into; what runs in native code is not seen.

    seen: called with the operator, its arguments and what it returned.
    """

    def __init__(self, seen: Callable[[torch._ops.OpOverload, Sequence[Any], Any], None]) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self._seen = seen

    def __torch_dispatch__(
        self,
        func: torch._ops.OpOverload,
        types: Sequence[type],
        args: Sequence[Any] = (),
        kwargs: Mapping[str, Any] | None = None,
    ) -> Any:
        """Runs one operator."""
        if func.namespace == "readhead":
            return self._inside(func, args, kwargs or {})
        result = func(*args, **(kwargs or {}))
        self._seen(func, args, result)
        return result

    def _inside(self, func: torch._ops.OpOverload, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        """Runs an operator of ours with the watch on: straight by its kernel for the device."""
        device = next(x.device.type for x in tree_leaves(args) if isinstance(x, torch.Tensor))
        key = {"cpu": torch._C.DispatchKey.CPU, "cuda": torch._C.DispatchKey.CUDA}[device]
        with self:
            return func.redispatch(torch._C.DispatchKeySet(key), *args, **kwargs)
