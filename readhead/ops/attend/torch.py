"""`attend` as one operator with its backward written out: one node for autograd, compile and export.

With w = softmax(e) over the real slots and y = w v, a loss whose gradients by y and w are ȳ and w̄ has

    v̄ = wᵀ ȳ        ŵ = ȳ vᵀ + w̄        ē = w ⊙ (ŵ − Σ_s w_s ŵ_s)

A masked slot has w = 0, hence ē = 0; so has a row without a real slot. Only w is kept for the way back.
"""

from __future__ import annotations

from typing import Any

import torch
from jaxtyping import Bool, Float
from torch import Tensor


def attend(
    scores: Float[Tensor, "B T S"], values: Float[Tensor, "B S D"], mask: Bool[Tensor, "B S"]
) -> tuple[Float[Tensor, "B T D"], Float[Tensor, "B T S"]]:
    """The blend [B, T, D] and the weights [B, T, S], as `readhead.ops.attend` says."""
    blend, weights = torch.ops.readhead.attend(scores, values, mask)
    return blend, weights


def _forward(scores: Tensor, values: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
    real = mask.unsqueeze(1)  # [B, 1, S]
    # The lowest finite number and not -inf: a row without a real slot would be 0/0.
    weights = torch.softmax(scores.masked_fill(~real, torch.finfo(scores.dtype).min), dim=-1).mul_(real)
    return torch.bmm(weights, values), weights


def _shapes(scores: Tensor, values: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
    return values.new_empty(*scores.shape[:2], values.shape[-1]), scores.new_empty(scores.shape)


def _save(ctx: Any, inputs: tuple[Tensor, Tensor, Tensor], output: tuple[Tensor, Tensor]) -> None:
    ctx.save_for_backward(output[1], inputs[1])


def _backward(ctx: Any, grad_blend: Tensor, grad_weights: Tensor) -> tuple[Tensor, Tensor, None]:
    weights, values = ctx.saved_tensors
    by_weight = torch.baddbmm(grad_weights, grad_blend, values.transpose(1, 2))  # ŵ, [B, T, S]
    grad_scores = torch.ops.aten._softmax_backward_data(by_weight, weights, -1, weights.dtype)
    return grad_scores, torch.bmm(weights.transpose(1, 2), grad_blend), None


# Piece by piece: an operator of `torch.library.custom_op` imports torch's compiler at its first call, which
# takes longer than all the rest of a prediction.
_NAME = "readhead::attend"
torch.library.define(_NAME, "(Tensor scores, Tensor values, Tensor mask) -> (Tensor, Tensor)")
torch.library.impl(_NAME, "CompositeExplicitAutograd", _forward)
torch.library.register_fake(_NAME, _shapes)
torch.library.register_autograd(_NAME, _backward, setup_context=_save)
# Under mixed precision it is float32 that goes in: a sum of many small weights needs it.
torch.library.register_autocast(_NAME, "cpu", torch.float32)
torch.library.register_autocast(_NAME, "cuda", torch.float32)
