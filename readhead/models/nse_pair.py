"""Two texts, the second read with the memory of the first at hand (Munkhdalai and Yu 2017, arXiv:1607.04315v3)."""

from __future__ import annotations

from dataclasses import dataclass

from jaxtyping import Float
from torch import Tensor, nn

from readhead.data.batch import Text
from readhead.layers.embedding import Embedding
from readhead.layers.slot_states import SlotStates
from readhead.readers.many_memories import ManyMemoryReader
from readhead.readers.reading import Reading


@dataclass(frozen=True, slots=True)
class PairReading:
    """Both texts as they were read.

    first, second: of T and S tokens.
    across: [B, S, T], how much each token of the second attended to each slot of the first's memory; a padded token's
        row is zero.
    shared: what stands in that memory after each token of the second.
    """

    first: Reading
    second: Reading
    across: Float[Tensor, "B S T"]
    shared: SlotStates


class NSEPair(nn.Module):
    """A neural semantic encoder for each of two texts: MMA-NSE, eq. (7)-(15).

    What the first one's memory is after its last token, the second one shares: it reads and writes it. Nothing else is
    handed over; the two have no weight in common but the word vectors.

    dim: D, features of an embedded token, a slot and h.
    num_layers: LSTMs on top of one another in each module that reads or writes.
    dropout: on what each of those LSTMs reads, a probability.
    """

    def __init__(self, *, dim: int, num_layers: int, dropout: float) -> None:
        super().__init__()
        self.first = ManyMemoryReader(input_dim=dim, num_shared=0, num_layers=num_layers, dropout=dropout)
        self.second = ManyMemoryReader(input_dim=dim, num_shared=1, num_layers=num_layers, dropout=dropout)

    def forward(self, first: Text, second: Text, embedding: Embedding) -> PairReading:
        """first, second: B texts each, in the order of reading."""
        before = self.first(embedding(first.token_ids, first.mask), first.mask, [])
        after = self.second(embedding(second.token_ids, second.mask), second.mask, [before.own])
        return PairReading(before.reading, after.reading, after.attention[0], after.states[0])
