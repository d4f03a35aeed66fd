"""LSTMs with attention (Rocktäschel, Grefenstette, Hermann, Kočiský and Blunsom 2016, arXiv:1509.06664v4)."""

from __future__ import annotations

from typing import ClassVar

import torch
from torch import nn

from readhead.data.batch import Batch
from readhead.layers.additive_attention import AdditiveAttention
from readhead.layers.dropout import Dropout
from readhead.layers.embedding import Embedding
from readhead.layers.pooling import last
from readhead.models.output import Output
from readhead.models.read import of_last_token
from readhead.models.read_on import read_on
from readhead.readers.lstm import LSTMReader


class LSTMAttention(nn.Module):
    """Having read both texts, it looks back at the premise once.

    M = tanh(W_y Y + W_h h_N ⊗ e)        (7)
    α = softmax(wᵀ M)                    (8)
    r = Y αᵀ                             (9)
    h* = tanh(W_p r + W_x h_N)           (10)

    Y are the premise LSTM's outputs, h_N is the last one of the hypothesis LSTM, which begins with the premise's memory
    cell. The paper's sum in (7) has no bias; it has one here, as other additive attention has.

    embedding: token ids to vectors.
    num_classes: C.
    hidden_dim: features of each LSTM and of h*.
    dropout: on h*, a probability.
    """

    num_texts: ClassVar[int] = 2

    def __init__(self, *, embedding: Embedding, num_classes: int, hidden_dim: int = 100, dropout: float = 0.2) -> None:
        super().__init__()
        self.embedding = embedding
        self.read_premise = LSTMReader(input_dim=embedding.output_dim, hidden_dim=hidden_dim)
        self.read_hypothesis = LSTMReader(input_dim=embedding.output_dim, hidden_dim=hidden_dim)
        self.attention = AdditiveAttention(memory_dim=hidden_dim, query_dim=hidden_dim)
        self.combine = nn.Linear(2 * hidden_dim, hidden_dim, bias=False)  # [W_p, W_x]
        self.dropout = Dropout(dropout)
        self.predict = nn.Linear(hidden_dim, num_classes)

    def forward(self, batch: Batch) -> Output:
        """batch: B pairs, a premise and a hypothesis by whatever names.

        Returns logits [B, C] and the attention `hypothesis->premise` [B, T, S], in which the last token's row alone is
        not zero.
        """
        first, second = batch.texts
        premise, hypothesis = read_on(batch, self.embedding, self.read_premise, self.read_hypothesis)
        answer = last(hypothesis.outputs, hypothesis.mask)  # h_N, [B, D]
        blend, weights = self.attention(premise.outputs, premise.mask, answer.unsqueeze(1))  # eq. (7)-(9)
        both = torch.cat([blend.squeeze(1), answer], dim=-1)  # [B, 2D]
        combined = torch.tanh(self.combine(both))  # [B, D], eq. (10)
        attention = {f"{second}->{first}": of_last_token(weights, hypothesis.mask)}
        return Output(self.predict(self.dropout(combined)).float(), attention)
