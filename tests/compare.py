"""The one comparison of a fast op with its reference: by ratio, never by a tolerance of one's own."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import torch
from torch import Tensor

Op = Callable[..., tuple[Tensor, ...]]

DRAWS = 7
"""How many inputs an op is tried on, if it is off on the first: there the reference itself can be right by luck, and
what luck it has differs from processor to processor."""


def assert_matches_reference(fast: Op, reference: Op, inputs: Mapping[str, Tensor]) -> None:
    """Outputs and every gradient of `fast` are about as near to the truth as the reference's own.

    The truth is the reference in float64. In the inputs' own precision `fast` may err twice as much as the
    reference does, plus a floor of a few roundings of the largest number; on other inputs than the first, which are
    those with every number up to a half larger or smaller, it must do so on most.

    inputs: by the op's argument name; those with decimals get a gradient.
    """
    wrong = _what_is_wrong(fast, reference, inputs)
    if wrong is None:
        return
    generator = torch.Generator().manual_seed(2)
    others = (_what_is_wrong(fast, reference, _shaken(inputs, generator)) for _ in range(DRAWS - 1))
    assert sum(other is None for other in others) > DRAWS // 2, wrong


def _what_is_wrong(fast: Op, reference: Op, inputs: Mapping[str, Tensor]) -> str | None:
    ours = _everything(fast, inputs)
    plain = _everything(reference, inputs)
    truth = _everything(reference, in_float64(inputs))
    precision = torch.finfo(next(x.dtype for x in inputs.values() if x.is_floating_point())).eps
    for name, exact in truth.items():
        assert ours[name].dtype == plain[name].dtype, f"{name}: {ours[name].dtype}, not {plain[name].dtype}"
        error, allowed = _error(ours[name], exact), 2 * _error(plain[name], exact)
        allowed += 4 * precision * float(exact.abs().max())
        assert error < float("inf"), f"{name} has NaN, or is infinitely far from the truth"
        if error > allowed:
            return f"{name} is {error:.2e} from the truth; allowed are {allowed:.2e}"
    return None


def _shaken(inputs: Mapping[str, Tensor], generator: torch.Generator) -> dict[str, Tensor]:
    return {
        name: x * (0.5 + torch.rand(x.shape, generator=generator)).to(x) if x.is_floating_point() else x
        for name, x in inputs.items()
    }


def in_float64(inputs: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """The same numbers in double precision; masks stay masks."""
    return {name: x.double() if x.is_floating_point() else x for name, x in inputs.items()}


def _everything(op: Op, inputs: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """The outputs, and the gradients of a weighted sum of all of them, by name."""
    leaves = {name: x.detach().clone().requires_grad_(x.is_floating_point()) for name, x in inputs.items()}
    outputs = op(**leaves)
    generator = torch.Generator().manual_seed(1)
    weights = [torch.randn(y.shape, generator=generator, dtype=torch.float64).to(y) for y in outputs]
    torch.autograd.backward(outputs, weights)
    gradients = {f"gradient of {name}": x.grad for name, x in leaves.items() if x.grad is not None}
    return {f"output {i}": y.detach() for i, y in enumerate(outputs)} | gradients


def _error(computed: Tensor, exact: Tensor) -> float:
    error = (computed.double() - exact).abs().max()
    return float("inf") if error.isnan() else float(error)
