"""MMA-NSE: multiple memory access (Munkhdalai and Yu 2017, arXiv:1607.04315v3)."""

from __future__ import annotations

from typing import ClassVar

from torch import nn

from readhead.data.batch import Batch
from readhead.layers.embedding import Embedding
from readhead.layers.feed_forward import FeedForward
from readhead.layers.pooling import last
from readhead.layers.word_counts import word_counts_if
from readhead.models.features import FEATURES
from readhead.models.nse_pair import NSEPair
from readhead.models.output import Output
from readhead.models.read import own_attention, own_memory, pair
from readhead.models.uniform_start import start_uniformly


class MMANSE(nn.Module):
    """The hypothesis is read with the premise's memory at hand; the last h of each text is classified.

    [p, h, p - h, p ⊙ h] goes to one ReLU layer and a linear one, with p and h the texts' last outputs.

    embedding: token ids to vectors, as wide as both texts' slots.
    num_classes: C.
    hidden_dim: features of the ReLU layer.
    lstm_layers: LSTMs on top of one another in each module that reads or writes.
    dropout: on what each LSTM reads, and on the ReLU layer, a probability.
    init_range: every weight and bias starts in U(-init_range, init_range), but for word vectors that came from a
        file; None leaves them as they were made.
    word_counts: whether the words that both texts share are counted too (`readhead.layers.word_counts`).

    Raises:
        InputError: there is no layer, dropout is no probability below 1, or the range is not above 0.
    """

    num_texts: ClassVar[int] = 2

    def __init__(
        self,
        *,
        embedding: Embedding,
        num_classes: int,
        hidden_dim: int = 1024,
        lstm_layers: int = 1,
        dropout: float = 0.3,
        init_range: float | None = 0.1,
        word_counts: bool = False,
    ) -> None:
        super().__init__()
        dim, features = embedding.output_dim, FEATURES["matching"]
        self.embedding = embedding
        self.reader = NSEPair(dim=dim, num_layers=lstm_layers, dropout=dropout)
        self.compare = features.compare
        self.hidden = FeedForward(input_dim=features.count * dim, hidden_dim=hidden_dim, num_layers=1, dropout=dropout)
        self.predict = nn.Linear(hidden_dim, num_classes)
        start_uniformly(self, embedding, init_range)
        self.word_counts = word_counts_if(word_counts, embedding=embedding, num_classes=num_classes)

    def forward(self, batch: Batch) -> Output:
        """batch: B pairs, a premise and a hypothesis by whatever names.

        Returns logits [B, C] and the attention z: `premise->premise` and `hypothesis->hypothesis` over each text's own
        memory, `hypothesis->premise` over the premise's, a slot for each of its tokens.
        """
        (first, premise), (second, hypothesis) = pair(batch)
        read = self.reader(premise, hypothesis, self.embedding)
        p, h = (last(reading.outputs, reading.mask) for reading in (read.first, read.second))  # [B, D]
        logits = self.predict(self.hidden(self.compare(p, h))) + self.word_counts(premise, hypothesis)  # [B, C]
        own, across = {first: read.first, second: read.second}, f"{second}->{first}"
        attention = {**own_attention(**own), across: read.across}
        return Output(logits.float(), attention, memory={**own_memory(**own), across: read.shared})
