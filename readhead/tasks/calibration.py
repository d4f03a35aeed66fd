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

COLDEST, HOTTEST = 0.05, 20.0


def probabilities(logits: Float[Tensor, "N C"], temperature: float) -> Float[Tensor, "N C"]:
    """softmax(logits / temperature), in float64 so that rows sum to 1 as printed."""
    return torch.softmax(logits.double() / temperature, dim=-1)


def temperature(logits: Float[Tensor, "N C"], labels: Int[Tensor, " N"]) -> float:
    """The temperature of least mean cross-entropy, found by ternary search over its logarithm.

    Not the labels themselves are the target: each counts (N + 1) / (N + C), and 1 / (N + C) goes to each other class
    (Platt 1999). For N right answers in a row promise no more of the next one (Laplace's rule of succession), whereas
    the labels alone would make a reader certain that got twelve examples right. With N this fades.

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
    count, classes = logits.shape
    smoothing = classes / (count + classes)  # torch spreads it over all C classes, the label's included
    return functional.cross_entropy(logits / math.exp(log_temperature), labels, label_smoothing=smoothing).item()
