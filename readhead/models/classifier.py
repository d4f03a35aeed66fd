"""One text, one label."""

from __future__ import annotations

from typing import ClassVar

from jaxtyping import Bool, Float
from torch import Tensor, nn

from readhead.data.batch import Batch
from readhead.layers.embedding import Embedding
from readhead.layers.feed_forward import FeedForward
from readhead.layers.pooling import pooling as pooling_named
from readhead.models.output import Output
from readhead.models.read import own_attention, own_memory, read
from readhead.models.uniform_start import start_uniformly
from readhead.readers.reading import Reader


class Classifier(nn.Module):
    """Reads a text, pools it to one vector, and classifies that by ReLU layers and a linear one.

    embedding: token ids to vectors.
    reader: vectors to a `Reading`.
    num_classes: C.
    pooling: a name of `readhead.layers.pooling.POOLINGS`.
    hidden_dim: features of each ReLU layer.
    num_layers: ReLU layers; 0 makes it a logistic regression.
    dropout: on each ReLU layer, a probability.
    init_range: every weight and bias starts in U(-init_range, init_range), but for word vectors that came from a
        file; None leaves them as they were made.

    Raises:
        InputError: no pooling has that name, or the range is not above 0.
    """

    num_texts: ClassVar[int] = 1

    def __init__(
        self,
        *,
        embedding: Embedding,
        reader: Reader,
        num_classes: int,
        pooling: str = "mean",
        hidden_dim: int = 200,
        num_layers: int = 2,
        dropout: float = 0.2,
        init_range: float | None = None,
    ) -> None:
        super().__init__()
        self.embedding = embedding
        self.reader = reader
        self.pool = pooling_named(pooling)
        self.hidden = FeedForward(
            input_dim=reader.output_dim, hidden_dim=hidden_dim, num_layers=num_layers, dropout=dropout
        )
        self.predict = nn.Linear(self.hidden.output_dim, num_classes)
        start_uniformly(self, embedding, init_range)

    def forward(self, batch: Batch) -> Output:
        """batch: B examples with a field `text`. Returns logits [B, C] and the reader's attention."""
        reading = read(batch.texts["text"], self.embedding, self.reader)
        logits = self.judge(reading.outputs, reading.mask)
        return Output(logits, own_attention(text=reading), memory=own_memory(text=reading))

    def judge(self, outputs: Float[Tensor, "B T D"], mask: Bool[Tensor, "B T"]) -> Float[Tensor, "B C"]:
        """Logits, from what the reader made of T tokens: of whole texts, or of as much as has been read."""
        pooled = self.pool(outputs, mask)  # [B, D]
        logits: Tensor = self.predict(self.hidden(pooled)).float()
        return logits
