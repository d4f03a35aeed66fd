"""LSTMs with word-by-word attention (Rocktäschel et al. 2016, arXiv:1509.06664v4)."""

from __future__ import annotations

from typing import ClassVar

import torch
from torch import nn

from readhead.data.batch import Batch
from readhead.layers.dropout import Dropout
from readhead.layers.embedding import Embedding
from readhead.layers.pooling import last
from readhead.layers.word_by_word_attention import WordByWordAttention
from readhead.models.output import Output
from readhead.models.read_on import read_on
from readhead.readers.lstm import LSTMReader


class WordByWord(nn.Module):
    """Each word of the hypothesis looks at the premise, and knows what the words before it saw there.

    h* = tanh(W_p r_N + W_x h_N)           (14)

    r_N is the last of `WordByWordAttention`'s, over the premise LSTM's outputs; h_N is the last output of the
    hypothesis LSTM, which begins with the premise's memory cell. h* is classified by a linear layer.

    embedding: token ids to vectors.
    num_classes: C.
    hidden_dim: features of each LSTM, of r and of h*.
    dropout: on h*, a probability.
    """

    num_texts: ClassVar[int] = 2

    def __init__(self, *, embedding: Embedding, num_classes: int, hidden_dim: int = 100, dropout: float = 0.2) -> None:
        super().__init__()
        self.embedding = embedding
        self.read_premise = LSTMReader(input_dim=embedding.output_dim, hidden_dim=hidden_dim)
        self.read_hypothesis = LSTMReader(input_dim=embedding.output_dim, hidden_dim=hidden_dim)
        self.attention = WordByWordAttention(dim=hidden_dim)
        self.combine = nn.Linear(2 * hidden_dim, hidden_dim, bias=False)  # [W_p, W_x]
        self.dropout = Dropout(dropout)
        self.predict = nn.Linear(hidden_dim, num_classes)

    def forward(self, batch: Batch) -> Output:
        """batch: B pairs, a premise and a hypothesis by whatever names.

        Returns logits [B, C] and the attention `hypothesis->premise` [B, T, S].
        """
        first, second = batch.texts
        premise, hypothesis = read_on(batch, self.embedding, self.read_premise, self.read_hypothesis)
        seen, weights = self.attention(premise.outputs, premise.mask, hypothesis.outputs)  # [B, T, D]
        both = last(torch.cat([seen, hypothesis.outputs], dim=-1), hypothesis.mask)  # [r_N, h_N], [B, 2D]
        combined = torch.tanh(self.combine(both))  # [B, D], eq. (14)
        attention = {f"{second}->{first}": weights * hypothesis.mask.unsqueeze(-1)}
        return Output(self.predict(self.dropout(combined)).float(), attention)
