"""What stands in a memory's slots after each token: kept as what it follows from, worked out when asked for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from readhead.layers.memory import Memory


class SlotStates(Protocol):
    """The states of a memory, step by step.

    Readers hand it on as they hand on attention. It holds nothing but tensors that are there anyhow, and costs a
    training or a prediction nothing: all work is done in `norms`.
    """

    def norms(self) -> Float[Tensor, "B T S"]:
        """[B, T, S]: the Euclidean norm of what stands in each slot after each token; 0 in a slot that is padding."""
        ...


@dataclass(frozen=True, slots=True)
class Rewritten:
    """A memory that begins full, and of which each token writes over a share: M_t = (1 - z_t) ⊙ M_{t-1} + z_t ⊗ h_t.

    start: M_0, of S slots.
    keys: [B, T, S], z. hidden: [B, T, D], h. Both are zero at padded tokens, which change nothing.
    """

    start: Memory
    keys: Float[Tensor, "B T S"]
    hidden: Float[Tensor, "B T D"]

    def norms(self) -> Float[Tensor, "B T S"]:
        """As `SlotStates` has it, in T steps over one memory: what is kept of each is S numbers."""
        current = self.start.slots * self.start.mask.unsqueeze(2)  # [B, S, D]
        after = [self.keys.new_zeros(len(self.keys), 0, self.keys.shape[2])]
        for z, h in zip(self.keys.unbind(1), self.hidden.unbind(1), strict=True):
            current = (1 - z).unsqueeze(2) * current + z.unsqueeze(2) * h.unsqueeze(1)  # eq. (6)
            after.append(current.norm(dim=2).unsqueeze(1))  # [B, 1, S]
        return torch.cat(after, dim=1)


@dataclass(frozen=True, slots=True)
class Appended:
    """A tape that begins empty: each token writes a slot of its own, which stays as it is.

    memory: [B, T, D], what each token writes. mask: [B, T], True = a real token.
    span: how many slots the tape holds at most, the last ones; None = all.
    """

    memory: Float[Tensor, "B T D"]
    mask: Bool[Tensor, "B T"]
    span: int | None = None

    def norms(self) -> Float[Tensor, "B T T"]:
        """As `SlotStates` has it: 0 before a slot is written, and again once it has left the tape."""
        written: Tensor = self.memory.norm(dim=2) * self.mask  # [B, S]
        steps = torch.arange(self.mask.shape[1], device=self.mask.device)
        age = steps.unsqueeze(1) - steps  # [T, S]
        held = (age >= 0) & (age < (self.span or len(steps)))
        return written.unsqueeze(1) * (held & self.mask.unsqueeze(2)).to(written)  # [B, T, S]


@dataclass(frozen=True, slots=True)
class BeforeTheLast:
    """The states of a text of which the last token is foretold and never read: after it they are as before it."""

    states: SlotStates

    def norms(self) -> Float[Tensor, "B T T"]:
        """As `SlotStates` has it, with a row and a slot for the last token too; that slot stays empty."""
        read: Tensor = torch.nn.functional.pad(self.states.norms(), (0, 1))  # [B, T - 1, T]
        return torch.cat([read, read[:, -1:]], dim=1)
