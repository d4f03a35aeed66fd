"""What changes while a training goes on: the learning rate, and how much word vectors from a file learn.

Both are functions of how many epochs are done, counted in fractions, so that a checkpoint need not hold them; the rate
of `decay`, which depends on the scores so far, is held by the optimiser's groups.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, cast

from torch import nn

from readhead.plans import TrainingPlan

if TYPE_CHECKING:
    from readhead.layers.embedding import Embedding

Groups = Iterable[dict[str, float]]
"""An optimiser's parameter groups."""


def set_before_step(plan: TrainingPlan, model: nn.Module, groups: Groups, *, epochs: float) -> None:
    """Sets what the next step learns with. epochs: done so far, this one's steps as its part."""
    if plan.pretrained_gradient != 1.0:
        early = epochs < plan.pretrained_gradient_epochs
        embedding = cast("Embedding", model.get_submodule("embedding"))
        embedding.pretrained_gradient_scale = plan.pretrained_gradient if early else 1.0
    if plan.schedule == "linear":
        for group in groups:
            group["lr"] = group.setdefault("initial_lr", group["lr"]) * (1 - epochs / plan.epochs)


def decay(plan: TrainingPlan, groups: Groups) -> None:
    """After an epoch whose dev score did not improve."""
    if plan.decay != 1.0:
        for group in groups:
            group["lr"] *= plan.decay
