"""From one vector a token to one vector a text. POOLINGS lists the ways by their recipe name."""

from __future__ import annotations

from collections.abc import Callable

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from readhead.errors import InputError

Pooling = Callable[[Float[Tensor, "B T D"], Bool[Tensor, "B T"]], Float[Tensor, "B D"]]
"""From outputs [B, T, D] and mask [B, T] to [B, D]. A text without a real token gives zeros."""


def mean(outputs: Float[Tensor, "B T D"], mask: Bool[Tensor, "B T"]) -> Float[Tensor, "B D"]:
    """The mean over a text's tokens."""
    return total(outputs, mask) / mask.sum(dim=1, keepdim=True).clamp(min=1)


def total(outputs: Float[Tensor, "B T D"], mask: Bool[Tensor, "B T"]) -> Float[Tensor, "B D"]:
    """The sum over a text's tokens."""
    return (outputs * mask.unsqueeze(-1)).sum(dim=1)


def highest(outputs: Float[Tensor, "B T D"], mask: Bool[Tensor, "B T"]) -> Float[Tensor, "B D"]:
    """Each feature's largest value among a text's tokens."""
    lowest = torch.finfo(outputs.dtype).min
    return outputs.masked_fill(~mask.unsqueeze(-1), lowest).amax(dim=1) * mask.any(dim=1, keepdim=True)


def last(outputs: Float[Tensor, "B T D"], mask: Bool[Tensor, "B T"]) -> Float[Tensor, "B D"]:
    """A text's last token; padding stands on the right."""
    token = mask.sum(dim=1).sub(1).clamp(min=0)  # [B]
    text = torch.arange(len(token), device=token.device)
    return outputs[text, token] * mask.any(dim=1, keepdim=True)


POOLINGS: dict[str, Pooling] = {"mean": mean, "sum": total, "max": highest, "last": last}


def pooling(name: str) -> Pooling:
    """The pooling of that name.

    Raises:
        InputError: there is none.
    """
    if name not in POOLINGS:
        raise InputError(f"there is no pooling {name!r}; expected one of {', '.join(POOLINGS)}")
    return POOLINGS[name]
