"""LSTMNs with shallow attention fusion (Cheng, Dong and Lapata 2016, arXiv:1601.06733v7, section 4)."""

from __future__ import annotations

from typing import ClassVar

import torch
from torch import nn

from readhead.data.batch import Batch
from readhead.layers.additive_attention import AdditiveAttention
from readhead.layers.embedding import Embedding
from readhead.layers.feed_forward import FeedForward
from readhead.layers.lstmn_layer import LSTMNLayer
from readhead.layers.pooling import mean
from readhead.models.lstmn_source import read_source
from readhead.models.output import Output
from readhead.models.read import pair


class ShallowFusion(nn.Module):
    """The hypothesis is read by an LSTMN, and beside it each of its words attends to the premise's tape.

    p_tj = softmax_j(uᵀ tanh(W_γ γ_j + W_x x_t + b))        γ̃_t = Σ_j p_tj γ_j

    The paper has no formula for it, only that it is Bahdanau's attention beside an unchanged decoder; this one, with
    one LSTMN for both texts, has as many parameters as its table says. The means of γ̃ and of the hypothesis's hidden
    tape go to two ReLU layers and a linear one. The hypothesis's tape begins with the premise's last slot.

    embedding: token ids to vectors.
    num_classes: C.
    hidden_dim: features of the LSTMN and of each ReLU layer.
    dropout: on each ReLU layer, a probability.
    """

    num_texts: ClassVar[int] = 2

    def __init__(self, *, embedding: Embedding, num_classes: int, hidden_dim: int = 300, dropout: float = 0.2) -> None:
        super().__init__()
        self.embedding = embedding
        self.lstmn = LSTMNLayer(input_dim=embedding.output_dim, hidden_dim=hidden_dim)
        self.attention = AdditiveAttention(memory_dim=hidden_dim, query_dim=embedding.output_dim)
        self.hidden = FeedForward(input_dim=2 * hidden_dim, hidden_dim=hidden_dim, dropout=dropout)
        self.predict = nn.Linear(hidden_dim, num_classes)

    def forward(self, batch: Batch) -> Output:
        """batch: B pairs, a premise and a hypothesis by whatever names.

        Returns logits [B, C] and the attention `hypothesis->premise` [B, T, S], `premise->premise` [B, S, S] and
        `hypothesis->hypothesis` [B, T, T]; what a row lacks to 1 went to the first slot of a tape.
        """
        (first, premise), (second, hypothesis) = pair(batch)
        source = read_source(self.lstmn, self.embedding(premise.token_ids, premise.mask), premise.mask)
        inputs = self.embedding(hypothesis.token_ids, hypothesis.mask)  # [B, T, E]
        begin = source.last()
        target = self.lstmn(inputs, hypothesis.mask, begin, torch.zeros_like(begin.hidden[:, 0]))
        blend, weights = self.attention(source.tape.hidden, source.tape.written, inputs)  # γ̃, [B, T, D]
        pooled = mean(torch.cat([blend, target.hidden], dim=-1), hypothesis.mask)  # [B, 2D]
        attention = source.attention_beside(first, second, target.attention, weights, hypothesis.mask)
        memory = source.memory_beside(first, second, target.memory, hypothesis.mask)
        return Output(self.predict(self.hidden(pooled)).float(), attention, memory=memory)
