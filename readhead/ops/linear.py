"""Products with a weight matrix, by whichever of the machine's libraries is the faster one."""

from __future__ import annotations

import torch
from jaxtyping import Float
from torch import Tensor


def product(x: Float[Tensor, "*N K"], weight: Float[Tensor, "O K"]) -> Float[Tensor, "*N O"]:
    """x Wᵀ. x: [..., K], weight: [O, K]. Returns [..., O]."""
    if _onednn_is_faster(x):
        return _onednn(x, weight)
    return torch.matmul(x, weight.t())


def add_product(sums: Float[Tensor, "N O"], x: Float[Tensor, "N K"], weight: Float[Tensor, "O K"]) -> None:
    """sums += x Wᵀ, in place. sums: [N, O], x: [N, K], weight: [O, K]."""
    if _onednn_is_faster(x):
        sums.add_(_onednn(x, weight))
    else:
        sums.addmm_(x, weight.t())


def weight_gradient(by_output: Float[Tensor, "N O"], x: Float[Tensor, "N K"]) -> Float[Tensor, "O K"]:
    """The gradient of W in y = x Wᵀ: ȳᵀ x. by_output: [N, O], ȳ; x: [N, K]. Returns [O, K]."""
    if _onednn_is_faster(x):
        return _onednn(by_output.t().contiguous(), x.t().contiguous())
    return torch.mm(by_output.t(), x)


def _onednn_is_faster(x: Tensor) -> bool:
    """Whether this is a machine where it is, and it is there: torch's operator for it is private, and may go away.

    With AVX-512 it is up to twice as fast as MKL, which takes the slow road on processors that are not Intel's. With
    AVX2 alone it was measured to be as fast at large products and slower by a fifth at those of one step.
    """
    return (
        x.device.type == "cpu"
        and x.dtype == torch.float32
        and torch.backends.cpu.get_cpu_capability().startswith("AVX512")
        and bool(torch.backends.mkldnn.enabled)
        and hasattr(torch.ops.mkldnn, "_linear_pointwise")
    )


def _onednn(x: Tensor, weight: Tensor) -> Tensor:
    product: Tensor = torch.ops.mkldnn._linear_pointwise(x, weight, None, "none", [], "")
    return product
