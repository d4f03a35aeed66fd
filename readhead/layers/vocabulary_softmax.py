"""The softmax over a vocabulary: most of the time that a language model takes."""

from __future__ import annotations

from typing import Any

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn
from torch.autograd.function import once_differentiable

ROWS = 64
"""Tokens whose logits are worked on at once: those of a large vocabulary then stay in a processor's cache."""

PART = 512  # tokens, where there is no way back


class VocabularySoftmax(nn.Module):
    """-log p of the class that followed, p = softmax(W h + b).

    The same as a linear layer and a cross-entropy, with one array of N × C numbers where those have four: the logits
    become their own exponentials and then their own gradient, a few rows at a time.

    input_dim: D, features of h.
    num_classes: C.
    """

    def __init__(self, *, input_dim: int, num_classes: int) -> None:
        super().__init__()
        self.linear = nn.Linear(input_dim, num_classes)

    def forward(self, hidden: Float[Tensor, "N D"], classes: Int[Tensor, " N"]) -> Float[Tensor, " N"]:
        """hidden: [N, D], classes: [N], those that followed. Returns -log p of each [N], in nats and float32."""
        with torch.autocast(hidden.device.type, enabled=False):
            weight, bias = self.linear.weight, self.linear.bias
            if not torch.is_grad_enabled():
                return self._without_gradients(hidden.to(weight.dtype), classes)
            nats: Tensor = _Nats.apply(hidden.to(weight.dtype), weight, bias, classes)  # type: ignore[no-untyped-call]
        return nats

    def _without_gradients(self, hidden: Float[Tensor, "N D"], classes: Int[Tensor, " N"]) -> Float[Tensor, " N"]:
        """The same where nothing is kept for a way back: no N × C numbers at once."""
        parts = zip(torch.split(hidden, PART), torch.split(classes, PART), strict=True)
        nats = [nn.functional.cross_entropy(self.linear(h), c, reduction="none") for h, c in parts]
        return torch.cat(nats)

    def logits(self, hidden: Float[Tensor, "N D"]) -> Float[Tensor, "N C"]:
        """hidden: [N, D]. Returns W h + b, [N, C], in float32."""
        return self.linear(hidden).float()  # type: ignore[no-any-return]


class _Nats(torch.autograd.Function):
    """-log softmax(W h + b)[class] = log Σ_c exp(l_c - m) + m - l_class, with m the largest logit.

    Its gradient by l is softmax(l) - onehot(class), times what comes from above. It is made where the exponentials
    were, so that there is one way back only: autograd refuses a second one.
    """

    @staticmethod
    def forward(ctx: Any, hidden: Tensor, weight: Tensor, bias: Tensor, classes: Tensor) -> Tensor:
        logits = torch.addmm(bias, hidden, weight.t())  # [N, C]
        followed = logits.gather(1, classes[:, None]).squeeze(1)  # [N]
        largest, total = torch.empty_like(followed), torch.empty_like(followed)
        for rows in _rows(len(logits)):
            torch.amax(logits[rows], dim=1, out=largest[rows])
            exponentials = logits[rows].sub_(largest[rows, None]).exp_()
            torch.sum(exponentials, dim=1, out=total[rows])
        ctx.save_for_backward(hidden, weight, classes, logits, total)
        return total.log() + largest - followed

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, above: Tensor) -> tuple[Tensor, Tensor, Tensor, None]:
        hidden, weight, classes, exponentials, total = ctx.saved_tensors
        gradient, share = exponentials, above / total
        for rows in _rows(len(gradient)):
            gradient[rows].mul_(share[rows, None])
        gradient.scatter_add_(1, classes[:, None], -above[:, None])
        return gradient @ weight, gradient.t() @ hidden, gradient.sum(dim=0), None


def _rows(count: int) -> list[slice]:
    return [slice(start, start + ROWS) for start in range(0, count, ROWS)]
