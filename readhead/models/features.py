"""How a classifier sees the vectors of two texts. FEATURES lists the ways by their recipe name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import torch
from jaxtyping import Float
from torch import Tensor

from readhead.errors import InputError


@dataclass(frozen=True, slots=True)
class Features:
    """One way to compare two vectors.

    compare: premise [B, D] and hypothesis [B, D] to [B, count · D].
    count: how many times as wide as one of them the result is.
    """

    compare: Callable[[Float[Tensor, "B D"], Float[Tensor, "B D"]], Float[Tensor, "B F"]]
    count: int


def concatenation(premise: Float[Tensor, "B D"], hypothesis: Float[Tensor, "B D"]) -> Float[Tensor, "B 2*D"]:
    """[p, h]: what LSTM encoders and bags of words are classified by."""
    return torch.cat([premise, hypothesis], dim=-1)


def matching(premise: Float[Tensor, "B D"], hypothesis: Float[Tensor, "B D"]) -> Float[Tensor, "B 4*D"]:
    """[p, h, p - h, p ⊙ h], of the Neural Semantic Encoder (Munkhdalai and Yu 2017)."""
    return torch.cat([premise, hypothesis, premise - hypothesis, premise * hypothesis], dim=-1)


def hypothesis_only(premise: Float[Tensor, "B D"], hypothesis: Float[Tensor, "B D"]) -> Float[Tensor, "B D"]:
    """[h]: the control that tells how much of a corpus can be guessed without the premise."""
    return hypothesis


FEATURES = {
    "concatenation": Features(concatenation, count=2),
    "matching": Features(matching, count=4),
    "hypothesis": Features(hypothesis_only, count=1),
}


def features(name: str) -> Features:
    """The features of that name.

    Raises:
        InputError: there are none.
    """
    if name not in FEATURES:
        raise InputError(f"there are no features {name!r}; expected one of {', '.join(FEATURES)}")
    return FEATURES[name]
