"""An answer read in the light of its question (Miao, Yu and Blunsom 2016, arXiv:1511.06038v4)."""

from __future__ import annotations

from typing import ClassVar

import torch
from torch import nn

from readhead.data.batch import Batch
from readhead.layers.additive_attention import AdditiveAttention
from readhead.layers.bilinear_score import BilinearScore
from readhead.layers.dropout import Dropout
from readhead.layers.embedding import Embedding
from readhead.layers.pooling import last
from readhead.layers.word_counts import word_counts_if
from readhead.models.output import Output
from readhead.models.read import of_last_token, own_attention, own_memory, pair, read
from readhead.readers.reading import Reader


class BilinearAttention(nn.Module):
    """The question looks at the words of a candidate once; what it saw is matched with it by one matrix.

    α_i = softmax_i(wᵀ tanh(W_s s_i + W_q q + b))
    z = tanh(W_a Σ_i α_i s_i + W_n s_N)
    s = qᵀ M z + b

    q is the reader's last output of the question, s_1 to s_N are its outputs of the candidate. It is the deterministic
    form of their neural answer selection model, in which the question looks as a latent variable drawn from q. They
    read question and answer by an LSTM each; here one reader reads both, as in `Bilinear`.

    embedding: token ids to vectors.
    reader: vectors to a `Reading`.
    num_classes: C; each class has a matrix M of its own.
    dropout: on q and z, a probability.
    word_counts: whether the words that both texts share are counted too (`readhead.layers.word_counts`).
    """

    num_texts: ClassVar[int] = 2

    def __init__(
        self,
        *,
        embedding: Embedding,
        reader: Reader,
        num_classes: int,
        dropout: float = 0.0,
        word_counts: bool = False,
    ) -> None:
        super().__init__()
        dim = reader.output_dim
        self.embedding = embedding
        self.reader = reader
        self.attention = AdditiveAttention(memory_dim=dim, query_dim=dim)
        self.combine = nn.Linear(2 * dim, dim, bias=False)  # [W_a, W_n]
        self.dropout = Dropout(dropout)
        self.score = BilinearScore(dim=dim, num_classes=num_classes)
        self.word_counts = word_counts_if(word_counts, embedding=embedding, num_classes=num_classes)

    def forward(self, batch: Batch) -> Output:
        """batch: B pairs, a candidate and a question by whatever names.

        Returns logits [B, C], the reader's attention and `question->candidate` [B, T, S], in which the last token's
        row alone is not zero.
        """
        readings = {name: read(text, self.embedding, self.reader) for name, text in pair(batch)}
        (first, candidate), (second, question) = readings.items()
        q = last(question.outputs, question.mask)  # [B, D]
        blend, weights = self.attention(candidate.outputs, candidate.mask, q.unsqueeze(1))  # [B, 1, D], [B, 1, S]
        both = torch.cat([blend.squeeze(1), last(candidate.outputs, candidate.mask)], dim=-1)  # [B, 2D]
        z = torch.tanh(self.combine(both))  # [B, D]
        logits = self.score(self.dropout(q), self.dropout(z)) + self.word_counts(*batch.texts.values())  # [B, C]
        attention = {f"{second}->{first}": of_last_token(weights, question.mask)}
        return Output(logits.float(), own_attention(**readings) | attention, memory=own_memory(**readings))
