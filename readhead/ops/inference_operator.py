"""An op as one operator of torch that nothing learns from: what its backward would need is never kept."""

from __future__ import annotations

from collections.abc import Sequence

from readhead.ops.operator import Forward, _caller, _define


def define_for_inference(
    name: str, tensors: Sequence[str], forward: Forward, shapes: Forward, *, outputs: int
) -> Forward:
    """An operator `readhead::{name}` without a gradient, as `readhead.ops.operator.define_by_hand` without one."""
    _define(name, tensors, forward, shapes, returns=outputs)
    return _caller(name, tensors)
