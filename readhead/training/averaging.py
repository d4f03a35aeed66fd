"""A running mean of the weights that training passes through (Polyak and Juditsky 1992).

w̄ ← w̄ + (1 - d) (w - w̄)          (1)

The weights of one step are those of its batch too; their mean is quieter, and on few data better.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import torch
from torch import Tensor, nn

EVERY = 4
"""Steps from one update of the mean to the next: a pass over all weights takes as long as a step of some models."""


def update(average: dict[str, Tensor], model: nn.Module, *, taken: int, kept: float) -> None:
    """Takes the model's weights into their running mean, where a step's turn has come.

    At first d is (1 + n) / (10 + n), so that the first weights of all, which know nothing, are soon forgotten.

    average: w̄ by name, changed in place; empty before the first update.
    taken: n, steps so far.
    kept: what d is for one step once n is large.
    """
    if taken % EVERY:
        return
    weights = _learning(model)
    if not average:
        average |= {name: weight.detach().clone() for name, weight in weights.items()}
        return
    share = 1 - min(kept**EVERY, (1 + taken) / (10 + taken))
    torch._foreach_lerp_([average[name] for name in weights], [w.detach() for w in weights.values()], share)  # eq. (1)


@contextmanager
def in_place(average: dict[str, Tensor], model: nn.Module) -> Iterator[None]:
    """While entered, the model has the mean's weights; nothing changes where there is no mean."""
    _swap(average, model)
    try:
        yield
    finally:
        _swap(average, model)


def _swap(average: dict[str, Tensor], model: nn.Module) -> None:
    weights = _learning(model)
    for name, mean in list(average.items()):
        average[name], weights[name].data = weights[name].data, mean


def _learning(model: nn.Module) -> Mapping[str, nn.Parameter]:
    return {name: weight for name, weight in model.named_parameters() if weight.requires_grad}
