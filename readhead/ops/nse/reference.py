"""The definition of `nse`.

Equation numbers are those of neural semantic encoders (Munkhdalai and Yu 2017, arXiv:1607.04315v3). Those of the form
with several memories, (7)-(15), repeat (1)-(6) for each of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import torch
from jaxtyping import Bool, Float
from torch import Tensor
from torch.nn.functional import linear

from readhead.ops.attend.reference import attend
from readhead.ops.nse.memories import Memories

State = tuple[Float[Tensor, "B D"], Float[Tensor, "B D"]]
"""h and c of one layer of an LSTM."""


def nse(
    *,
    reads: Float[Tensor, "B T D"],
    mask: Bool[Tensor, "B T"],
    memory: Float[Tensor, "B S D"],
    slots: Bool[Tensor, "B S"],
    compose: Float[Tensor, "C C"],
    compose_bias: Float[Tensor, " C"],
    kept: Float[Tensor, "B T C"],
    write_input: Float[Tensor, "4*D C"],
    write_hidden: Float[Tensor, "L 4*D D"],
    write_upper: Float[Tensor, "L-1 4*D D"],
    write_bias: Float[Tensor, "L 4*D"],
    sizes: Sequence[int],
) -> Memories:
    """What `readhead.ops.nse` says."""
    padding, unreal = ~mask.unsqueeze(2), ~slots.unsqueeze(2)
    reads, kept = reads.masked_fill(padding, 0), kept.masked_fill(padding, 0)
    current = memory.masked_fill(unreal, 0)
    lstm = Lstm([write_input, *write_upper], write_hidden, write_bias)
    states = lstm.zero_states(len(reads))
    hidden, attention = reads.new_zeros(len(reads), 0, reads.shape[2]), reads.new_zeros(len(reads), 0, slots.shape[1])
    for t in range(mask.shape[1]):
        o, real = reads[:, t], mask[:, t, None]  # [B, D], [B, 1]
        blends, z = read_memories(o, current, slots & real, sizes)  # eq. (2), (3)
        c = linear(torch.cat([o, *blends], dim=1), compose, compose_bias)  # eq. (4)
        h, states = lstm.step(c * kept[:, t], real, states)  # eq. (5)
        current = (1 - z).unsqueeze(2) * current + z.unsqueeze(2) * h.unsqueeze(1)  # eq. (6)
        hidden = torch.cat([hidden, h.masked_fill(~real, 0).unsqueeze(1)], dim=1)  # [B, t + 1, D]
        attention = torch.cat([attention, z.unsqueeze(1)], dim=1)  # [B, t + 1, S]
    return Memories(hidden, torch.where(unreal, memory, current), attention)


def read_memories(
    o: Float[Tensor, "B D"], memory: Float[Tensor, "B S D"], readable: Bool[Tensor, "B S"], sizes: Sequence[int]
) -> tuple[list[Float[Tensor, "B D"]], Float[Tensor, "B S"]]:
    """Each memory's m, and all memories' z side by side."""
    blends, keys, start = [], [], 0
    for size in sizes:
        own = slice(start, start + size)
        scores = o.unsqueeze(1) @ memory[:, own].transpose(1, 2)  # [B, 1, S of the memory]
        blend, key = attend(scores, memory[:, own], readable[:, own])
        blends.append(blend.squeeze(1))
        keys.append(key.squeeze(1))
        start += size
    return blends, torch.cat(keys, dim=1)


def read(
    *,
    inputs: Float[Tensor, "B T E"],
    mask: Bool[Tensor, "B T"],
    read_input: Float[Tensor, "4*D E"],
    read_hidden: Float[Tensor, "L 4*D D"],
    read_upper: Float[Tensor, "L-1 4*D D"],
    read_bias: Float[Tensor, "L 4*D"],
) -> Float[Tensor, "B T D"]:
    """The read LSTM, which runs over a text before `nse` does: the o_t of eq. (1), zero at padded tokens.

    inputs: [B, T, E], x. mask: [B, T], True = a real token.
    read_input, read_hidden, read_upper, read_bias: as the write LSTM's of `readhead.ops.nse`, but for E.
    """
    inputs = inputs.masked_fill(~mask.unsqueeze(2), 0)
    lstm = Lstm([read_input, *read_upper], read_hidden, read_bias)
    states = lstm.zero_states(len(inputs))
    reads = inputs.new_zeros(len(inputs), 0, read_hidden.shape[2])
    for t in range(mask.shape[1]):
        real = mask[:, t, None]
        o, states = lstm.step(inputs[:, t], real, states)  # eq. (1)
        reads = torch.cat([reads, o.masked_fill(~real, 0).unsqueeze(1)], dim=1)  # [B, t + 1, D]
    return reads


class Lstm(NamedTuple):
    """An LSTM of L layers, in which an upper one reads h of the one below.

    input_weights: for each layer [4D, what it reads]. hidden_weights: [L, 4D, D], biases: [L, 4D].
    """

    input_weights: Sequence[Tensor]
    hidden_weights: Float[Tensor, "L 4*D D"]
    biases: Float[Tensor, "L 4*D"]

    def zero_states(self, num_texts: int) -> list[State]:
        """h and c of each layer before the first token."""
        zeros = self.hidden_weights.new_zeros(num_texts, self.hidden_weights.shape[2])
        return [(zeros, zeros)] * len(self.biases)

    def step(
        self, x: Float[Tensor, "B E"], real: Bool[Tensor, "B 1"], states: Sequence[State]
    ) -> tuple[Float[Tensor, "B D"], list[State]]:
        """One token: h of the last layer, and the states after it. A padded token leaves them as they are."""
        after = []
        for (hidden, cell), by_input, by_hidden, bias in zip(states, *self, strict=True):
            i, f, o, candidate = (linear(x, by_input, bias) + linear(hidden, by_hidden)).chunk(4, dim=1)
            new_cell = torch.sigmoid(f) * cell + torch.sigmoid(i) * torch.tanh(candidate)
            new_hidden = torch.sigmoid(o) * torch.tanh(new_cell)
            after.append((torch.where(real, new_hidden, hidden), torch.where(real, new_cell, cell)))
            x = after[-1][0]
        return x, after
