"""Decomposable attention (Parikh, Täckström, Das and Uszkoreit 2016, arXiv:1606.01933v2)."""

from __future__ import annotations

import math
from typing import ClassVar

import torch
from torch import Tensor, nn

from readhead.data.batch import Batch
from readhead.errors import InputError
from readhead.layers.embedding import Embedding
from readhead.layers.feed_forward import FeedForward
from readhead.layers.pooling import pooling as pooling_named
from readhead.models.features import features as features_named
from readhead.models.output import Output
from readhead.models.read import own_attention, own_memory, pair, read
from readhead.ops import attend
from readhead.readers.reading import Reader, Reading


class Decomposable(nn.Module):
    """Attend, compare, aggregate: each word is compared with what it is aligned to, and that is summed.

    The paper's vanilla model has the `words` reader; its intra-sentence attention is the `intra-attention`
    reader; any other will do. The paper calls the networks `attend`, `compare`, `aggregate` F, G and H.

    embedding: token ids to vectors.
    reader: vectors to a `Reading`, ā and b̄ of the paper.
    num_classes: C.
    features: how a word and what it is aligned to are put side by side, a name of
        `readhead.models.features.FEATURES`; the paper's is `concatenation`.
    pooling: how comparisons become one vector, a name of `readhead.layers.pooling.POOLINGS`; the paper's is `sum`.
    hidden_dim: features of each ReLU layer of F, G and H.
    num_layers: ReLU layers of each of them; the paper's are two. Behind a reader that learns, one is quicker to train.
    dropout: on each ReLU layer, a probability.
    init_std: weights of linear layers, the embedding's and the reader's too, start as N(0, init_std²), their
        biases at 0; None leaves them as torch makes them.

    Raises:
        InputError: no features or no pooling have that name, hidden_dim or num_layers is below 1, or init_std is not
            above 0.
    """

    num_texts: ClassVar[int] = 2

    def __init__(
        self,
        *,
        embedding: Embedding,
        reader: Reader,
        num_classes: int,
        features: str = "concatenation",
        pooling: str = "sum",
        hidden_dim: int = 200,
        num_layers: int = 2,
        dropout: float = 0.2,
        init_std: float | None = 0.01,
    ) -> None:
        super().__init__()
        if num_layers < 1:
            raise InputError(
                f"num_layers = {num_layers}: attend, compare and aggregate need at least 1 ReLU layer each"
            )
        if init_std is not None and not 0 < init_std < math.inf:
            raise InputError(f"[model] init_std = {init_std}: expected a number above 0")
        self.embedding = embedding
        self.reader = reader
        self.features = features_named(features)
        self.pool = pooling_named(pooling)

        def network(input_dim: int) -> FeedForward:
            return FeedForward(input_dim=input_dim, hidden_dim=hidden_dim, num_layers=num_layers, dropout=dropout)

        self.attend = network(reader.output_dim)
        self.compare = network(self.features.count * reader.output_dim)
        self.aggregate = network(2 * hidden_dim)
        self.predict = nn.Linear(hidden_dim, num_classes)
        if init_std is not None:
            _initialise(self, init_std)

    def forward(self, batch: Batch) -> Output:
        """batch: B pairs, a premise and a hypothesis by whatever names.

        Returns logits [B, C] and the attention `premise->hypothesis` [B, T, S], `hypothesis->premise`
        [B, S, T], and the reader's own.
        """
        (first, premise), (second, hypothesis) = pair(batch)
        a = read(premise, self.embedding, self.reader)  # ā, [B, T, D]
        b = read(hypothesis, self.embedding, self.reader)  # b̄, [B, S, D]
        scores = self.attend(a.outputs) @ self.attend(b.outputs).transpose(1, 2)  # [B, T, S], eq. (1)
        beta, to_hypothesis = attend(scores, b.outputs, b.mask)  # [B, T, D], eq. (2)
        alpha, to_premise = attend(scores.transpose(1, 2), a.outputs, a.mask)  # [B, S, D], eq. (2)
        v1 = self._compared(a, beta)  # [B, H]
        v2 = self._compared(b, alpha)  # [B, H]
        logits = self.predict(self.aggregate(torch.cat([v1, v2], dim=-1)))  # [B, C], eq. (5)
        attention = {
            f"{first}->{second}": to_hypothesis * a.mask.unsqueeze(-1),
            f"{second}->{first}": to_premise * b.mask.unsqueeze(-1),
        }
        own = {first: a, second: b}
        return Output(logits.float(), attention | own_attention(**own), memory=own_memory(**own))

    def _compared(self, reading: Reading, aligned: Tensor) -> Tensor:
        compared = self.compare(self.features.compare(reading.outputs, aligned))  # [B, T, H], eq. (3)
        return self.pool(compared, reading.mask)  # [B, H], eq. (4)


def _initialise(model: nn.Module, std: float) -> None:
    for module in model.modules():
        if isinstance(module, nn.Linear):
            nn.init.normal_(module.weight, std=std)
            if module.bias is not None:
                nn.init.zeros_(module.bias)
