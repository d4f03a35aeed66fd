"""An op as one operator of torch: one node for autograd, compile and export.

Its arguments are tensors, by name, and then one plain option, which a schema declares, as `int? span` or
`SymInt[] sizes`: its type, and its name. Piece by piece: an operator of `torch.library.custom_op` imports
torch's compiler at its first call, which takes longer than all the rest of a prediction.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

import torch
from torch import Tensor

Forward = Callable[..., tuple[Tensor, ...]]
"""All arguments by name to tensors; an operator's never share memory, with an argument or with each other."""

Backward = Callable[[Sequence[Tensor | None], Mapping[str, Tensor], Sequence[Tensor], Any], Mapping[str, Tensor]]
"""The outputs' gradients (None = zero), the tensors by name, what the forward kept, and the option: to the gradient of
every tensor that is no mask."""


def define_by_hand(
    name: str,
    tensors: Sequence[str],
    forward: Forward,
    shapes: Forward,
    backward: Backward,
    *,
    option: str,
    outputs: int,
    kept: tuple[int, int],
    constant: Collection[str] = (),
) -> Forward:
    """An operator `readhead::{name}` whose backward is written out, and is an operator too.

    It cannot be differentiated twice, and says so.

    tensors: the names of the arguments that are tensors, in the operator's order.
    forward: returns the outputs, and after them more that is for `backward` alone.
    shapes: as `forward`, on tensors without numbers.
    option: the last argument, as a schema declares it.
    outputs: how many of what `forward` returns are outputs.
    kept: what `backward` gets of all that `forward` returns: from which, to before which.
    constant: the tensors of numbers that get no gradient; masks get none anyway.

    Returns what calls it, by name, and gives its outputs alone.
    """

    def gets_gradient(key: str, x: Tensor) -> bool:
        return x.is_floating_point() and key not in constant

    def save(ctx: Any, inputs: tuple[Any, ...], output: tuple[Tensor, ...]) -> None:
        ctx.save_for_backward(*inputs[:-1], *output[slice(*kept)])
        ctx.option = inputs[-1]
        ctx.mark_non_differentiable(*output[outputs:])
        ctx.set_materialize_grads(False)

    def call_backward(ctx: Any, *gradients: Tensor | None) -> tuple[Tensor | None, ...]:
        given, remembered = ctx.saved_tensors[: len(tensors)], ctx.saved_tensors[len(tensors) :]
        operator = getattr(torch.ops.readhead, f"{name}_backward")
        found = iter(operator(list(gradients[:outputs]), list(given), list(remembered), ctx.option))
        return *(next(found) if learns else None for learns in map(gets_gradient, tensors, given)), None

    def run_backward(
        gradients: list[Tensor | None], given: list[Tensor], remembered: list[Tensor], chosen: Any
    ) -> list[Tensor]:
        found = backward(gradients, dict(zip(tensors, given, strict=True)), remembered, chosen)
        return [found[key] for key, x in zip(tensors, given, strict=True) if gets_gradient(key, x)]

    def backward_shapes(gradients: object, given: list[Tensor], *_: object) -> list[Tensor]:
        return [x.new_empty(x.shape) for key, x in zip(tensors, given, strict=True) if gets_gradient(key, x)]

    _define(name, tensors, forward, shapes, option=option, returns=kept[1])
    torch.library.register_autograd(f"readhead::{name}", call_backward, setup_context=save)
    _define_backward(name, run_backward, backward_shapes, option)
    call = _caller(name, tensors, option)
    return lambda **given: call(**given)[:outputs]


def define_for_inference(
    name: str, tensors: Sequence[str], forward: Forward, shapes: Forward, *, option: str, outputs: int
) -> Forward:
    """An operator `readhead::{name}` without a backward, so that nothing is kept for one.

    The arguments are those of `define_by_hand`.
    """
    _define(name, tensors, forward, shapes, option=option, returns=outputs)
    return _caller(name, tensors, option)


def define_by_definition(
    name: str, tensors: Sequence[str], definition: Forward, shapes: Forward, *, option: str, outputs: int
) -> Forward:
    """An operator `readhead::{name}` whose backward runs the definition again, and autograd takes that apart.

    tensors: the names of the arguments that are tensors, in the operator's order.
    shapes: as `definition`, on tensors without numbers.
    option: the last argument, as a schema declares it.
    outputs: how many tensors `definition` returns.

    Returns what calls it, as `definition` is called.
    """

    def run(**given: Any) -> tuple[Tensor, ...]:
        return tuple(y.clone(memory_format=torch.contiguous_format) for y in definition(**given))

    def save(ctx: Any, inputs: tuple[Any, ...], output: tuple[Tensor, ...]) -> None:
        ctx.save_for_backward(*inputs[:-1])
        ctx.option = inputs[-1]

    def run_again(ctx: Any, *gradients: Tensor) -> tuple[Tensor | None, ...]:
        twice = torch.is_grad_enabled()
        with torch.enable_grad():
            # Views, so that this run's gradients end here also where an argument was itself computed.
            given = [x.view_as(x) for x in ctx.saved_tensors]
            again = definition(**dict(zip(tensors, given, strict=True)), **{_name_of(option): ctx.option})
        learning = [x for x in given if x.requires_grad]
        # Not every output need depend on what learns.
        answers, directions = zip(
            *((y, g) for y, g in zip(again, gradients, strict=True) if y.requires_grad), strict=True
        )
        found = torch.autograd.grad(answers, learning, directions, create_graph=twice, materialize_grads=True)
        each = iter(found)
        return *(next(each) if x.requires_grad else None for x in given), None

    _define(name, tensors, run, shapes, option=option, returns=outputs)
    torch.library.register_autograd(f"readhead::{name}", run_again, setup_context=save)
    return _caller(name, tensors, option)


def _define(name: str, tensors: Sequence[str], forward: Forward, shapes: Forward, *, option: str, returns: int) -> None:
    def by_name(run: Forward) -> Callable[..., tuple[Tensor, ...]]:
        return lambda *given: run(**dict(zip([*tensors, _name_of(option)], given, strict=True)))

    schema = f"({', '.join(f'Tensor {key}' for key in tensors)}, {option}) -> ({', '.join(['Tensor'] * returns)})"
    full_name = f"readhead::{name}"
    torch.library.define(full_name, schema)
    torch.library.impl(full_name, "CompositeExplicitAutograd", by_name(forward))
    torch.library.register_fake(full_name, by_name(shapes))
    _compute_in_float32(full_name)


def _caller(name: str, tensors: Sequence[str], option: str) -> Forward:
    def call(**given: Any) -> tuple[Tensor, ...]:
        operator = getattr(torch.ops.readhead, name)
        returned: tuple[Tensor, ...] = operator(*(given[key] for key in tensors), given.get(_name_of(option)))
        return returned

    return call


def _name_of(option: str) -> str:
    return option.rpartition(" ")[2]


def _define_backward(
    name: str, run: Callable[..., list[Tensor]], shapes: Callable[..., list[Tensor]], option: str
) -> None:
    def refuse(ctx: object, *_: object) -> None:
        raise RuntimeError(f"the fast {name} cannot be differentiated twice; its reference backend can")

    full_name = f"readhead::{name}_backward"
    torch.library.define(full_name, f"(Tensor?[] gradients, Tensor[] given, Tensor[] kept, {option}) -> Tensor[]")
    torch.library.impl(full_name, "CompositeExplicitAutograd", run)
    torch.library.register_fake(full_name, shapes)
    torch.library.register_autograd(full_name, refuse)
    _compute_in_float32(full_name)


def _compute_in_float32(full_name: str) -> None:
    """Under mixed precision it is float32 that goes in: a long recurrence needs it."""
    for device in ("cpu", "cuda"):
        torch.library.register_autocast(full_name, device, torch.float32)
