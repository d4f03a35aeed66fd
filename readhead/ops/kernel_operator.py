"""Native kernels as operators of torch: one that learns, and one, which keeps nothing, for where nothing does."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

import torch
from torch import Tensor

from readhead.ops.kernel_call import dense
from readhead.ops.operator import define_by_hand, define_for_inference

Named = tuple[Tensor, ...]
"""An op's outputs: a NamedTuple."""


class Kernels(Protocol):
    """Forward and backward of one op, on dense tensors by name."""

    def forward(self, given: Mapping[str, Tensor], span: int | None, *, keep: bool) -> tuple[Any, Tensor | None]:
        """The outputs, and what `backward` needs if it is to be kept."""
        ...

    def backward(
        self, gradients: Mapping[str, Tensor | None], given: Mapping[str, Tensor], kept: Tensor, span: int | None
    ) -> Mapping[str, Tensor]:
        """The gradients by all tensors that are no masks. gradients: by each output, by name; None = zero."""
        ...


def define_kernels(
    name: str,
    kernels: Kernels,
    *,
    arguments: Sequence[str],
    option: str,
    outputs: type[Any],
    shapes: Callable[..., Named],
    kept_size: Callable[..., int],
) -> Callable[..., Any]:
    """The op, as operators `readhead::{name}` and, for where nothing learns, `readhead::{name}_inference`.

    arguments: the tensors by name, in the operator's order.
    option: the op's own plain option, as a schema writes it.
    outputs: the NamedTuple that the op returns.
    shapes: tensors of the outputs' sizes, without numbers, from the arguments by name.
    kept_size: how many floats are kept for the backward, from the arguments by name.

    Returns what calls it, by name.
    """
    fields: tuple[str, ...] = outputs._fields

    def forward(*, span: int | None, **given: Tensor) -> Named:
        answered, kept = kernels.forward(dense(given), span, keep=True)
        assert kept is not None
        return *answered, kept

    def forward_alone(*, span: int | None, **given: Tensor) -> Named:
        answered: Named = kernels.forward(dense(given), span, keep=False)[0]
        return answered

    def all_shapes(**given: Any) -> Named:
        return *shapes(**given), given["inputs"].new_empty(kept_size(**given))

    def backward(
        gradients: Sequence[Tensor | None], given: Mapping[str, Tensor], kept: Sequence[Tensor], span: int | None
    ) -> Mapping[str, Tensor]:
        by_outputs = [None if x is None else x.contiguous() for x in gradients]
        return kernels.backward(dict(zip(fields, by_outputs, strict=True)), dense(given), kept[0], span)

    count = len(fields)
    learning = define_by_hand(
        name, arguments, forward, all_shapes, backward, option=option, outputs=count, kept=(count, count + 1)
    )
    alone = define_for_inference(f"{name}_inference", arguments, forward_alone, shapes, option=option, outputs=count)

    def run(*, span: int | None = None, **given: Tensor) -> Any:
        learns = torch.is_grad_enabled() and any(x.requires_grad for x in given.values())
        return outputs(*(learning if learns else alone)(**given, span=span))

    return run
