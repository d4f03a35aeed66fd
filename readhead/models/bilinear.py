"""Two texts, each read on its own, and one matrix that matches them (Yu et al. 2014, arXiv:1412.1632)."""

from __future__ import annotations

from typing import ClassVar

from torch import nn

from readhead.data.batch import Batch
from readhead.layers.bilinear_score import BilinearScore
from readhead.layers.dropout import Dropout
from readhead.layers.embedding import Embedding
from readhead.layers.pooling import pooling as pooling_named
from readhead.layers.word_counts import word_counts_if
from readhead.models.output import Output
from readhead.models.read import own_attention, own_memory, pair, read
from readhead.readers.reading import Reader


class Bilinear(nn.Module):
    """One reader for both texts, pooled to a and q; s = qᵀ M a + b, the logit of a match.

    Whether a candidate answers a question: M takes the answer to the question that it would be an answer to. With the
    `cnn` reader of width 2 and `mean` it is the bigram model of Yu et al., which Yang et al. (2015) ran on WikiQA;
    with a stack of LSTMs and `last`, the baseline of Miao, Yu and Blunsom (2016, arXiv:1511.06038v4).

    embedding: token ids to vectors.
    reader: vectors to a `Reading`.
    num_classes: C; each class has a matrix of its own.
    pooling: a name of `readhead.layers.pooling.POOLINGS`.
    dropout: on a and q, a probability.
    word_counts: whether the words that both texts share are counted too (`readhead.layers.word_counts`).

    Raises:
        InputError: no pooling has that name.
    """

    num_texts: ClassVar[int] = 2

    def __init__(
        self,
        *,
        embedding: Embedding,
        reader: Reader,
        num_classes: int,
        pooling: str = "mean",
        dropout: float = 0.0,
        word_counts: bool = False,
    ) -> None:
        super().__init__()
        self.embedding = embedding
        self.reader = reader
        self.pool = pooling_named(pooling)
        self.dropout = Dropout(dropout)
        self.score = BilinearScore(dim=reader.output_dim, num_classes=num_classes)
        self.word_counts = word_counts_if(word_counts, embedding=embedding, num_classes=num_classes)

    def forward(self, batch: Batch) -> Output:
        """batch: B pairs, a candidate and a question by whatever names.

        Returns logits [B, C] and the reader's attention.
        """
        readings = {name: read(text, self.embedding, self.reader) for name, text in pair(batch)}
        a, q = (self.dropout(self.pool(reading.outputs, reading.mask)) for reading in readings.values())  # [B, D]
        logits = self.score(q, a) + self.word_counts(*batch.texts.values())  # [B, C]
        return Output(logits.float(), own_attention(**readings), memory=own_memory(**readings))
