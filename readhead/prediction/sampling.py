"""Going on with a text: words drawn from a language model, one after the other."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import torch
from jaxtyping import Int
from torch import Tensor

from readhead.errors import InputError
from readhead.layers.next_words import rows_of
from readhead.models.foretelling import Foretells

MOST_WORDS = 10_000


@dataclass(frozen=True, slots=True)
class Continuation:
    """What is asked for: at most so many words, drawn with a seed."""

    words: int
    seed: int

    @classmethod
    def asked(cls, given: Mapping[str, Any]) -> Continuation | None:
        """From a record's `continue` and `seed`; None if it asks for no words. Raises: InputError naming the key."""
        for key, most in (("continue", MOST_WORDS), ("seed", 2**63 - 1)):
            number = given.get(key, 0)
            if not isinstance(number, int) or isinstance(number, bool) or not 0 <= number <= most:
                raise InputError(f'"{key}" must be a whole number from 0 to {most}, not {json.dumps(number)}')
        return cls(given["continue"], given.get("seed", 0)) if given.get("continue") else None


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
            row = rows_of(torch.multinomial(likely, 1, generator=generator).squeeze(1))  # [1]
            yield int(row.item())
            logits, state = model.next_words(row.to(given.device), state)
