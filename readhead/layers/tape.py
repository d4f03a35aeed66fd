"""What an LSTMN has written so far (Cheng, Dong and Lapata 2016, arXiv:1601.06733v7)."""

from __future__ import annotations

from typing import NamedTuple

import torch
from jaxtyping import Bool, Float
from torch import Tensor


class Tape(NamedTuple):
    """The hidden and the memory tape of one layer, slot by slot, for B texts.

    hidden: [B, M, D], h of the slots.
    memory: [B, M, D], c of the slots.
    written: [B, M], True = a slot that can be read; the others stand for padding.
    """

    hidden: Float[Tensor, "B M D"]
    memory: Float[Tensor, "B M D"]
    written: Bool[Tensor, "B M"]

    @classmethod
    def empty(cls, batch_size: int, dim: int, like: Tensor) -> Tape:
        """What an LSTMN begins with, as in the authors' code: one slot of zeros, which can be read.

        batch_size: B. dim: D. like: of the tape's type and on its device; nothing else of it matters.
        """
        zeros = like.new_zeros(batch_size, 1, dim)
        return cls(zeros, zeros, torch.ones(batch_size, 1, dtype=torch.bool, device=like.device))

    def then(self, later: Tape) -> Tape:
        """Both, one after the other."""
        return Tape(*(torch.cat([mine, theirs], dim=1) for mine, theirs in zip(self, later, strict=True)))


def last_written(tape: Tape, span: int | None) -> Tape:
    """Each text's last `span` written slots, in their order, on a tape of at most `span` slots.

    span: in slots; None keeps the tape as it is.

    A text that has written fewer has slots that are not written in front of them.
    """
    if span is None or tape.written.shape[1] <= span:
        return tape
    # A stable sort puts the written slots behind the others, without changing their order.
    slots = tape.written.long().argsort(dim=1, stable=True)[:, -span:]  # [B, span]
    text = torch.arange(len(slots), device=slots.device).unsqueeze(1)  # [B, 1]
    return Tape(tape.hidden[text, slots], tape.memory[text, slots], tape.written[text, slots])
