"""Attend: from scores to weights to a blend. The step that all soft attention shares."""

from __future__ import annotations

from jaxtyping import Bool, Float
from torch import Tensor

from readhead.ops.attend import reference, torch
from readhead.ops.backends import Implementation, choose

IMPLEMENTATIONS = {
    "torch": Implementation(torch.attend),
    "reference": Implementation(reference.attend),
}


def attend(
    scores: Float[Tensor, "B T S"],
    values: Float[Tensor, "B S D"],
    mask: Bool[Tensor, "B S"],
    backend: str = "auto",
) -> tuple[Float[Tensor, "B T D"], Float[Tensor, "B T S"]]:
    """A softmax over the real slots, and the values blended by it.

    weights_ts = exp(scores_ts) / Σ_{s' real} exp(scores_ts')  if slot s is real, else 0
    blend_t = Σ_s weights_ts · values_s

    It is eq. (2) and (7) of decomposable attention (Parikh et al. 2016), and eq. (2)-(3) of the Neural
    Semantic Encoder (Munkhdalai and Yu 2017).

    scores: [B, T, S], how well slot s suits query t, in nats. Those of masked slots do not matter.
    values: [B, S, D], finite everywhere.
    mask: [B, S], True = a real slot.
    backend: `auto`, `torch` or `reference`; `readhead.ops.chosen_backend` tells what `auto` takes, and why.

    Returns the blend [B, T, D] and the weights [B, T, S], each row of which sums to 1. Where no slot is real,
    both are zero.

    Raises:
        InputError: the backend cannot run here.
    """
    choice = choose("attend", IMPLEMENTATIONS, scores.device, backend, scores.dtype)
    blend, weights = IMPLEMENTATIONS[choice.backend].run(scores, values, mask)
    return blend, weights


__all__ = ["IMPLEMENTATIONS", "attend"]
