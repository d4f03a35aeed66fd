"""The shared LSTM (Rocktäschel, Grefenstette, Hermann, Kočiský and Blunsom 2016, arXiv:1509.06664v4)."""

from __future__ import annotations

from typing import ClassVar

from torch import nn

from readhead.data.batch import Batch
from readhead.layers.dropout import Dropout
from readhead.layers.embedding import Embedding
from readhead.layers.pooling import last
from readhead.models.output import Output
from readhead.models.read_on import read_on
from readhead.readers.lstm import LSTMReader


class Conditional(nn.Module):
    """One LSTM reads the premise and then the hypothesis, which it begins with the premise's memory cell.

    What it says at the hypothesis's last token is classified by a linear layer. It is the shared variant of conditional
    encoding, whose LSTM for the hypothesis has parameters of its own otherwise; the LSTMN's authors compare with it.
    The delimiter that the paper's second LSTM reads first is left out.

    embedding: token ids to vectors.
    num_classes: C.
    hidden_dim: features of the LSTM.
    dropout: on what is classified, a probability.
    """

    num_texts: ClassVar[int] = 2

    def __init__(self, *, embedding: Embedding, num_classes: int, hidden_dim: int = 100, dropout: float = 0.2) -> None:
        super().__init__()
        self.embedding = embedding
        self.reader = LSTMReader(input_dim=embedding.output_dim, hidden_dim=hidden_dim)
        self.dropout = Dropout(dropout)
        self.predict = nn.Linear(hidden_dim, num_classes)

    def forward(self, batch: Batch) -> Output:
        """batch: B pairs, a premise and a hypothesis by whatever names. Returns logits [B, C]."""
        _, hypothesis = read_on(batch, self.embedding, self.reader, self.reader)
        answer = last(hypothesis.outputs, hypothesis.mask)  # [B, D]
        return Output(self.predict(self.dropout(answer)).float())
