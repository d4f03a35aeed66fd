"""Two sentences, each read on its own; the label follows from their two vectors."""

from __future__ import annotations

from typing import ClassVar

from torch import nn

from readhead.data.batch import Batch
from readhead.layers.embedding import Embedding
from readhead.layers.feed_forward import FeedForward
from readhead.layers.pooling import pooling as pooling_named
from readhead.models.features import features as features_named
from readhead.models.output import Output
from readhead.models.read import own_attention, own_memory, pair, read
from readhead.models.uniform_start import start_uniformly
from readhead.readers.reading import Reader


class SentencePair(nn.Module):
    """One reader for both sentences, pooled; ReLU layers and a linear one classify the two vectors.

    With the `words` reader and no ReLU layer it is the bag-of-words baseline; with `lstm`, the LSTM encoders
    of Bowman et al. (2015).

    embedding: token ids to vectors.
    reader: vectors to a `Reading`.
    num_classes: C.
    pooling: a name of `readhead.layers.pooling.POOLINGS`.
    features: a name of `readhead.models.features.FEATURES`.
    hidden_dim: features of each ReLU layer.
    num_layers: ReLU layers; 0 makes it a logistic regression.
    dropout: on each ReLU layer, a probability.
    init_range: every weight and bias starts in U(-init_range, init_range), but for word vectors that came from a
        file; None leaves them as they were made.

    Raises:
        InputError: no pooling or no features have that name, or the range is not above 0.
    """

    num_texts: ClassVar[int] = 2

    def __init__(
        self,
        *,
        embedding: Embedding,
        reader: Reader,
        num_classes: int,
        pooling: str = "mean",
        features: str = "concatenation",
        hidden_dim: int = 200,
        num_layers: int = 0,
        dropout: float = 0.2,
        init_range: float | None = None,
    ) -> None:
        super().__init__()
        self.embedding = embedding
        self.reader = reader
        self.pool = pooling_named(pooling)
        self.features = features_named(features)
        self.hidden = FeedForward(
            input_dim=self.features.count * reader.output_dim,
            hidden_dim=hidden_dim,
            num_layers=num_layers,
            dropout=dropout,
        )
        self.predict = nn.Linear(self.hidden.output_dim, num_classes)
        start_uniformly(self, embedding, init_range)

    def forward(self, batch: Batch) -> Output:
        """batch: B pairs, a premise and a hypothesis by whatever names.

        Returns logits [B, C] and the reader's attention.
        """
        readings = {name: read(text, self.embedding, self.reader) for name, text in pair(batch)}
        premise, hypothesis = (self.pool(reading.outputs, reading.mask) for reading in readings.values())  # [B, D]
        compared = self.features.compare(premise, hypothesis)  # [B, count · D]
        logits = self.predict(self.hidden(compared))  # [B, C]
        return Output(logits.float(), own_attention(**readings), memory=own_memory(**readings))
