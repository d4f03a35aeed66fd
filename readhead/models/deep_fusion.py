"""LSTMNs with deep attention fusion (Cheng, Dong and Lapata 2016, arXiv:1601.06733v7, section 4)."""

from __future__ import annotations

from typing import ClassVar

import torch
from torch import nn

from readhead.data.batch import Batch
from readhead.layers.embedding import Embedding
from readhead.layers.feed_forward import FeedForward
from readhead.layers.fusion_layer import FusionLayer
from readhead.layers.pooling import mean
from readhead.models.lstmn_source import read_source
from readhead.models.output import Output
from readhead.models.read import pair


class DeepFusion(nn.Module):
    """The hypothesis is read by an LSTMN that takes the premise's memory into its own, word by word.

    `readhead.ops.fusion` has the equations, (11)-(16). The means of the two hidden tapes go to two ReLU layers and a
    linear one. The hypothesis's tape begins with the premise's last slot; both texts are read with the same LSTMN's
    weights, with which the model has as many parameters as the paper's table says.

    embedding: token ids to vectors.
    num_classes: C.
    hidden_dim: features of the LSTMN and of each ReLU layer.
    dropout: on each ReLU layer, a probability.
    """

    num_texts: ClassVar[int] = 2

    def __init__(self, *, embedding: Embedding, num_classes: int, hidden_dim: int = 300, dropout: float = 0.2) -> None:
        super().__init__()
        self.embedding = embedding
        self.fusion = FusionLayer(input_dim=embedding.output_dim, hidden_dim=hidden_dim)
        self.hidden = FeedForward(input_dim=2 * hidden_dim, hidden_dim=hidden_dim, dropout=dropout)
        self.predict = nn.Linear(hidden_dim, num_classes)

    def forward(self, batch: Batch) -> Output:
        """batch: B pairs, a premise and a hypothesis by whatever names.

        Returns logits [B, C] and the attention `hypothesis->premise` [B, T, S], `premise->premise` [B, S, S] and
        `hypothesis->hypothesis` [B, T, T]; what a row lacks to 1 went to the first slot of a tape.
        """
        (first, premise), (second, hypothesis) = pair(batch)
        source = read_source(self.fusion.lstmn, self.embedding(premise.token_ids, premise.mask), premise.mask)
        inputs = self.embedding(hypothesis.token_ids, hypothesis.mask)  # [B, T, E]
        target = self.fusion(inputs, hypothesis.mask, source.last(), source.tape)
        pooled = [mean(source.outputs, premise.mask), mean(target.hidden, hypothesis.mask)]
        logits = self.predict(self.hidden(torch.cat(pooled, dim=-1)))  # [B, C]
        attention = source.attention_beside(first, second, target.attention, target.source_attention, hypothesis.mask)
        memory = source.memory_beside(first, second, target.memory, hypothesis.mask)
        return Output(logits.float(), attention, memory=memory)
