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
from readhead.models.read import own_attention, read
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

    Raises:
        InputError: no pooling or no features have that name.
    """

    fields: ClassVar[tuple[str, ...]] = ("premise", "hypothesis")

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

    def forward(self, batch: Batch) -> Output:
        """batch: B examples with fields `premise`, `hypothesis`.

        Returns logits [B, C] and the reader's attention.
        """
        premise = read(batch.texts["premise"], self.embedding, self.reader)
        hypothesis = read(batch.texts["hypothesis"], self.embedding, self.reader)
        pooled = (self.pool(reading.outputs, reading.mask) for reading in (premise, hypothesis))
        compared = self.features.compare(*pooled)  # [B, count · D]
        logits = self.predict(self.hidden(compared))  # [B, C]
        return Output(logits.float(), own_attention(premise=premise, hypothesis=hypothesis))
