"""What a reader makes of a text, and what counts as a reader."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from jaxtyping import Bool, Float
from torch import Tensor

from readhead.layers.slot_states import SlotStates


@dataclass(frozen=True, slots=True)
class Reading:
    """A text as a reader understood it (in other toolkits: the encoder's output).

    outputs: [B, T, D], one vector a token; zero where padded.
    mask: [B, T], True = a real token.
    attention: by name, [B, T, T]: row t says how much token t attended to each token of the text. A real token's row
        sums to 1, or to less where the reader attended to slots before the text too (the LSTMN's empty one); a padded
        token's row and column are 0.
    memory: of what is read, by the name of the attention that reads it, what stands in it after each token, if the
        reader has such a memory. Nothing is worked out before somebody asks for it.
    """

    outputs: Float[Tensor, "B T D"]
    mask: Bool[Tensor, "B T"]
    attention: Mapping[str, Float[Tensor, "B T T"]] = field(default_factory=dict)
    memory: Mapping[str, SlotStates] = field(default_factory=dict)


class Reader(Protocol):
    """Embedded tokens to a `Reading`. `output_dim` is D of `Reading.outputs`, in features.

    Constructors are keyword-only and take `input_dim` (features of an embedded token) beside their own options.
    """

    output_dim: int

    def __call__(self, embedded: Float[Tensor, "B T E"], mask: Bool[Tensor, "B T"]) -> Reading:
        """Reads a padded batch; padding and batch mates change nothing."""
        ...
