"""Going on with a text: words drawn from a language model, one after the other."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol, runtime_checkable

import torch
from jaxtyping import Float, Int
from torch import Tensor

from readhead.readers.causal import State


@runtime_checkable
class Foretells(Protocol):
    """A model that can be asked word by word what follows."""

    def begin(self, batch_size: int) -> State:
        """The state before the first token of `batch_size` texts."""
        ...

    def next_words(self, token_ids: Int[Tensor, " B"], state: State) -> tuple[Float[Tensor, "B C"], State]:
        """Reads one more token of B texts. Returns the logits [B, C] of what may follow, and the state after it."""
        ...

    def rows(self, classes: Int[Tensor, " B"]) -> Int[Tensor, " B"]:
        """The rows of the vocabulary that B classes stand for."""
        ...


def drawn(model: Foretells, given: Int[Tensor, " T"], *, seed: int) -> Iterator[int]:
    """Rows of the vocabulary without end, each drawn from p(w | all before it).

    given: [T], at least one, the tokens to go on from.
    seed: another one draws other words.
    """
    generator = torch.Generator().manual_seed(seed)
    with torch.inference_mode():
        state = model.begin(1)
        for token in given:
            logits, state = model.next_words(token.view(1), state)
        while True:
            likely = torch.softmax(logits.double().cpu(), dim=-1)  # [1, C]
            row = model.rows(torch.multinomial(likely, 1, generator=generator).squeeze(1))  # [1]
            yield int(row.item())
            logits, state = model.next_words(row.to(given.device), state)
