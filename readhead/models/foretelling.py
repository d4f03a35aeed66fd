"""What counts as a language model."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from jaxtyping import Float, Int
from torch import Tensor

from readhead.readers.causal import State


@runtime_checkable
class Foretells(Protocol):
    """A model that can be asked word by word what follows. A class is a row that can (`readhead.layers.next_words`)."""

    def begin(self, batch_size: int) -> State:
        """The state before the first token of `batch_size` texts."""
        ...

    def next_words(self, token_ids: Int[Tensor, " B"], state: State) -> tuple[Float[Tensor, "B C"], State]:
        """Reads one more token of B texts. Returns the logits [B, C] of what may follow, and the state after it."""
        ...
