"""Nothing wrong is timed: an op's outputs and gradients against its definition in double precision."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import torch
from torch import Tensor

Op = Callable[..., tuple[Tensor, ...]]

Answers = Callable[[Op, Mapping[str, Tensor]], dict[str, Tensor]]
"""What is compared of an op on some inputs, by name."""

FLOOR = 4
"""Roundings of the largest number that are no error."""


DRAWS = 3
"""How many inputs an op may be tried on: a gradient whose terms nearly cancel can be far off by chance, on one."""


def demand_correct(op: Op, reference: Op, inputs: Sequence[Mapping[str, Tensor]], *, name: str) -> None:
    """The op may err twice as much as its definition does in the same precision, plus a few roundings.

    The truth is the definition in float64. An op that errs more on the first input is tried on others, and may do so on
    fewer than half.

    inputs: several, each by argument; those with decimals get a gradient.
    name: what the op is called when it is wrong.

    Raises:
        RuntimeError: an output or a gradient is further from the truth.
    """
    _demand(_outputs_and_gradients, op, reference, inputs, name)


def demand_correct_outputs(op: Op, reference: Op, inputs: Sequence[Mapping[str, Tensor]], *, name: str) -> None:
    """`demand_correct` of an op that has no gradients."""
    _demand(_outputs, op, reference, inputs, name)


def _demand(answers: Answers, op: Op, reference: Op, inputs: Sequence[Mapping[str, Tensor]], name: str) -> None:
    wrong = _what_is_wrong(answers, op, reference, inputs[0])
    if wrong is None:
        return
    others = [_what_is_wrong(answers, op, reference, given) for given in inputs[1:DRAWS]]
    if others.count(None) <= (1 + len(others)) // 2:
        raise RuntimeError(f"{name} is wrong and is not timed: {wrong}")


def _what_is_wrong(answers: Answers, op: Op, reference: Op, inputs: Mapping[str, Tensor]) -> str | None:
    double = {key: x.double() if x.is_floating_point() else x for key, x in inputs.items()}
    truth, plain, ours = (answers(f, given) for f, given in ((reference, double), (reference, inputs), (op, inputs)))
    for part, exact in truth.items():
        rounding = torch.finfo(plain[part].dtype).eps * float(exact.abs().max())
        allowed = 2 * _error(plain[part], exact) + FLOOR * rounding
        error = _error(ours[part], exact)
        if not error <= allowed:  # NaN is wrong too
            return f"its {part} is {error:.1e} from the reference in float64, at most {allowed:.1e} is allowed"
    return None


def _outputs(op: Op, inputs: Mapping[str, Tensor]) -> dict[str, Tensor]:
    with torch.no_grad():
        return {f"output {number}": y for number, y in enumerate(op(**inputs))}


def _outputs_and_gradients(op: Op, inputs: Mapping[str, Tensor]) -> dict[str, Tensor]:
    leaves = {key: x.detach().clone().requires_grad_(x.is_floating_point()) for key, x in inputs.items()}
    outputs = op(**leaves)
    learning = {key: x for key, x in leaves.items() if x.requires_grad}
    gradients = torch.autograd.grad(outputs, list(learning.values()), directions(outputs))
    named = {f"output {number}": y.detach() for number, y in enumerate(outputs)}
    return named | {f"gradient of {key}": x for key, x in zip(learning, gradients, strict=True)}


def directions(outputs: Sequence[Tensor]) -> list[Tensor]:
    """A gradient for each output: normal random numbers, the same ones each time."""
    generator = torch.Generator().manual_seed(0)
    return [torch.randn(y.shape, generator=generator, dtype=torch.float64).to(y) for y in outputs]


def _error(computed: Tensor, exact: Tensor) -> float:
    return float((computed.double() - exact).abs().max())
