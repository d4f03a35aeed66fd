"""A loop over a text's tokens that the exporter can write down: torch's `scan`, which becomes ONNX's Scan."""

from __future__ import annotations

from collections.abc import Callable

from torch import Tensor
from torch._higher_order_ops.scan import scan

Tensors = tuple[Tensor, ...]

Step = Callable[[Tensors, Tensors], tuple[Tensors, Tensors]]
"""What is carried and what the token brings, each [B, ...]: to what is carried on, and what the token leaves."""


def over_time(step: Step, carried: Tensors, tokens: Tensors) -> tuple[Tensors, Tensors]:
    """Takes a step at each of T tokens, however many there are: a Python loop would freeze at those of the example.

    carried: what the first step gets. tokens: [B, T, ...] each, or [1, T, ...] for what all texts share.

    Returns what the last step carried on, and what all steps left, [B, T, ...] each.
    """

    def left_to_right(before: Tensors, token: Tensors) -> tuple[Tensors, Tensors]:
        after, left = step(before, token)
        return after, tuple(one.clone() for one in left)  # what is carried on and what is left may not share memory

    begin = tuple(one.clone() for one in carried)  # likewise
    after, left = scan(left_to_right, begin, tuple(one.transpose(0, 1) for one in tokens))
    return after, tuple(one.transpose(0, 1) for one in left)
