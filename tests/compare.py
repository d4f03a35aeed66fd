"""The one comparison of a fast op with its reference: by ratio, never by a tolerance of one's own."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import torch
from torch import Tensor

Op = Callable[..., tuple[Tensor, ...]]


def assert_matches_reference(fast: Op, reference: Op, inputs: Mapping[str, Tensor]) -> None:
    """Outputs and every gradient of `fast` are about as near to the truth as the reference's own.

    The truth is the reference in float64. In the inputs' own precision `fast` may err twice as much as the
    reference does, plus a floor of a few roundings of the largest number.

    inputs: by the op's argument name; those with decimals get a gradient.
    """
    ours = _everything(fast, inputs)
    plain = _everything(reference, inputs)
    truth = _everything(reference, in_float64(inputs))
    precision = torch.finfo(next(x.dtype for x in inputs.values() if x.is_floating_point())).eps
    for name, exact in truth.items():
        assert ours[name].dtype == plain[name].dtype, f"{name}: {ours[name].dtype}, not {plain[name].dtype}"
        error, allowed = _error(ours[name], exact), 2 * _error(plain[name], exact)
        allowed += 4 * precision * float(exact.abs().max())
        assert error <= allowed, f"{name} is {error:.2e} from the truth; allowed are {allowed:.2e}"


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
