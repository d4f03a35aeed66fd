"""What a model answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from jaxtyping import Float
from torch import Tensor


@dataclass(frozen=True, slots=True)
class Output:
    """A batch of answers, before any label has a name.

    logits: [B, C], unnormalised log-probabilities in nats; float32 under mixed precision too.
    attention: by name, [B, T, S]. The name says whose rows and columns they are: `premise->hypothesis` has a row for
        each premise token and a column for each hypothesis token; `premise->premise` is attention within a text.
    """

    logits: Float[Tensor, "B C"]
    attention: Mapping[str, Float[Tensor, "B T S"]] = field(default_factory=dict)
