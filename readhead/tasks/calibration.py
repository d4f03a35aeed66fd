"""Temperature scaling (Guo et al. 2017): one number that turns logits into probabilities one can use.

p = softmax(logits / temperature), with the temperature that makes a held-out split's labels likeliest. It moves no
answer, only how sure it sounds.
"""

from __future__ import annotations

import math

import torch
from jaxtyping import Float, Int
from torch import Tensor
from torch.nn import functional

# Beyond these a split says nothing of its temperature: it is answered all right, or all alike.
COLDEST, HOTTEST = 0.05, 20.0


def probabilities(logits: Float[Tensor, "N C"], temperature: float) -> Float[Tensor, "N C"]:
    """softmax(logits / temperature), in float64 so that rows sum to 1 as printed."""
    return torch.softmax(logits.double() / temperature, dim=-1)


def temperature(logits: Float[Tensor, "N C"], labels: Int[Tensor, " N"]) -> float:
    """The temperature of least mean cross-entropy, found by ternary search over its logarithm.

    The loss is convex in 1 / temperature, hence has one minimum along any monotone scale of it.

    logits: [N, C] of a split that was not trained on.
    labels: [N] class indices.
    Returns the temperature, within [0.05, 20].
    """
    exact = logits.double()
    low, high = math.log(COLDEST), math.log(HOTTEST)
    for _ in range(60):
        left, right = low + (high - low) / 3, high - (high - low) / 3
        if _loss(exact, labels, left) < _loss(exact, labels, right):
            high = right
        else:
            low = left
    return math.exp((low + high) / 2)


def _loss(logits: Float[Tensor, "N C"], labels: Int[Tensor, " N"], log_temperature: float) -> float:
    return functional.cross_entropy(logits / math.exp(log_temperature), labels).item()
