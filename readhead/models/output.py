"""What a model answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from jaxtyping import Float
from torch import Tensor

from readhead.layers.slot_states import SlotStates


@dataclass(frozen=True, slots=True)
class Output:
    """A batch of answers, before any label has a name.

    logits: [B, C], unnormalised log-probabilities in nats; float32 under mixed precision too. None of a language model.
    attention: by name, [B, T, S]. The name says whose rows and columns they are: `premise->hypothesis` has a row for
        each premise token and a column for each hypothesis token; `premise->premise` is attention within a text.
    nats: [N], of a language model: -log p of each token that follows another, text by text. None of others.
    memory: by the name of the attention that reads it, [B, T, S] again: what stands in the slots, as they are worked
        out when somebody asks for it.
    state: what the reader knows after these texts, by name, if the batch was one of several that belong together.
    """

    logits: Float[Tensor, "B C"] | None
    attention: Mapping[str, Float[Tensor, "B T S"]] = field(default_factory=dict)
    nats: Float[Tensor, " N"] | None = None
    state: Mapping[str, Tensor] | None = None
    memory: Mapping[str, SlotStates] = field(default_factory=dict)
