"""Reading a hypothesis in the light of its premise, by LSTMs."""

from __future__ import annotations

from readhead.data.batch import Batch
from readhead.layers.embedding import Embedding
from readhead.models.read import pair
from readhead.readers.lstm import LSTMReader
from readhead.readers.reading import Reading


def read_on(
    batch: Batch, embedding: Embedding, premise_reader: LSTMReader, hypothesis_reader: LSTMReader
) -> tuple[Reading, Reading]:
    """Premise and hypothesis; the second LSTM begins with the memory cell that the first ends with, and with h = 0.

    It is the conditional encoding of Rocktäschel et al. (2016), whose second LSTM reads a delimiter first; here it does
    not. With one reader for both texts it is the variant that they call shared.

    batch: B pairs, the premise first.
    premise_reader, hypothesis_reader: of one layer each, of the same width; they may be the same.
    """
    (_, premise), (_, hypothesis) = pair(batch)
    nothing = premise_reader.initial_state(len(batch))
    read, state = premise_reader.read(embedding(premise.token_ids, premise.mask), premise.mask, nothing)
    begin = {**nothing, "1.memory": state["1.memory"]}
    answer, _ = hypothesis_reader.read(embedding(hypothesis.token_ids, hypothesis.mask), hypothesis.mask, begin)
    return read, answer
