"""The compose and write modules of a neural semantic encoder (Munkhdalai and Yu 2017, arXiv:1607.04315v3)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

from readhead.layers.dropout import Dropout
from readhead.layers.memory import Memory
from readhead.ops.nse import nse


class Written(NamedTuple):
    """What came of a text, and what it left in every memory, in the order in which the memories were given.

    hidden: [B, T, D], h of each token; zero where padded.
    memories: after each text's last real token.
    attention: z of each token over each memory's slots, [B, T, S]; a padded token's row is zero.
    """

    hidden: Float[Tensor, "B T D"]
    memories: tuple[Memory, ...]
    attention: tuple[Float[Tensor, "B T S"], ...]


class NSELayer(nn.Module):
    """Looks up each token in its memories, composes what it finds, and writes that back.

    `readhead.ops.nse` has the equations, (2)-(6), and with several memories (7)-(15). As in the author's code, f_c is
    one linear layer without an activation. The weights start as torch's linear layer and LSTM do.

    dim: D, features of a slot, of o and of h.
    num_memories: N, its own and those that it shares.
    num_layers: LSTMs on top of one another that write.
    dropout: on what the write LSTM reads, a probability.
    """

    write_upper: Tensor

    def __init__(self, *, dim: int, num_memories: int = 1, num_layers: int = 1, dropout: float = 0.0) -> None:
        super().__init__()
        composed_dim = (num_memories + 1) * dim

        def start(*shape: int) -> nn.Parameter:
            return nn.Parameter(torch.empty(*shape).uniform_(-(dim**-0.5), dim**-0.5))

        self.compose = nn.Linear(composed_dim, composed_dim)
        self.dropout = Dropout(dropout)
        self.write_input = start(4 * dim, composed_dim)
        if num_layers > 1:
            self.write_upper = start(num_layers - 1, 4 * dim, dim)
        else:  # No weight: nothing without numbers can learn.
            self.register_buffer("write_upper", torch.empty(0, 4 * dim, dim), persistent=False)
        self.write_hidden = start(num_layers, 4 * dim, dim)
        self.write_bias = start(num_layers, 4 * dim)

    def forward(self, reads: Float[Tensor, "B T D"], mask: Bool[Tensor, "B T"], memories: Sequence[Memory]) -> Written:
        """reads: o, [B, T, D]; mask: [B, T], True = a real token.

        memories: its own one and then the shared ones, `num_memories` in all.
        """
        sizes = [memory.mask.shape[1] for memory in memories]
        ones = self.compose.weight.new_ones(1, 1, 1).expand(*mask.shape, self.compose.in_features)  # [B, T, C]
        found = nse(
            reads=reads,
            mask=mask,
            memory=torch.cat([memory.slots for memory in memories], dim=1),
            slots=torch.cat([memory.mask for memory in memories], dim=1),
            compose=self.compose.weight,
            compose_bias=self.compose.bias,
            kept=self.dropout(ones),
            write_input=self.write_input,
            write_upper=self.write_upper,
            write_hidden=self.write_hidden,
            write_bias=self.write_bias,
            sizes=sizes,
        )
        after = zip(torch.split(found.memory, sizes, dim=1), memories, strict=True)
        written = tuple(Memory(slots, memory.mask) for slots, memory in after)
        return Written(found.hidden, written, torch.split(found.attention, sizes, dim=2))
