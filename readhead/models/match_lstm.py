"""The match-LSTM for two texts (Wang and Jiang 2016, arXiv:1512.08849v2)."""

from __future__ import annotations

from typing import ClassVar

from torch import nn

from readhead.data.batch import Batch
from readhead.layers.embedding import Embedding
from readhead.layers.empty_slot import with_empty_slot
from readhead.layers.match_lstm import MatchLSTMLayer
from readhead.layers.pooling import last
from readhead.models.output import Output
from readhead.models.read import pair, read
from readhead.readers.lstm import LSTMReader


class MatchLSTM(nn.Module):
    """One LSTM reads both texts; a match-LSTM goes through the hypothesis with the premise at hand.

    In front of the premise stands NULL, a slot of zeros, for words without a counterpart. What the match-LSTM says at
    the hypothesis's last token is classified by a linear layer.

    embedding: token ids to vectors.
    num_classes: C.
    hidden_dim: features of each LSTM.
    """

    num_texts: ClassVar[int] = 2

    def __init__(self, *, embedding: Embedding, num_classes: int, hidden_dim: int = 300) -> None:
        super().__init__()
        self.embedding = embedding
        self.reader = LSTMReader(input_dim=embedding.output_dim, hidden_dim=hidden_dim)
        self.match = MatchLSTMLayer(dim=hidden_dim)
        self.predict = nn.Linear(hidden_dim, num_classes)

    def forward(self, batch: Batch) -> Output:
        """batch: B pairs, a premise and a hypothesis by whatever names.

        Returns logits [B, C] and the attention `hypothesis->premise` [B, T, S]; what a row lacks to 1 went to NULL.
        """
        first, second = batch.texts
        premise, hypothesis = (read(text, self.embedding, self.reader) for _, text in pair(batch))
        memory, mask = with_empty_slot(premise.outputs, premise.mask)  # [B, S + 1, D]
        matched, weights = self.match(memory, mask, hypothesis.outputs)  # [B, T, D], [B, T, S + 1]
        logits = self.predict(last(matched, hypothesis.mask))  # [B, C]
        attention = {f"{second}->{first}": weights[:, :, 1:] * hypothesis.mask.unsqueeze(-1)}
        return Output(logits.float(), attention)
