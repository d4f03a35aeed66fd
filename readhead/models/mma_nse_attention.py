"""MMA-NSE attention (Munkhdalai and Yu 2017, arXiv:1607.04315v3)."""

from __future__ import annotations

from typing import ClassVar

from torch import nn

from readhead.data.batch import Batch
from readhead.layers.embedding import Embedding
from readhead.layers.feed_forward import FeedForward
from readhead.layers.pooling import last
from readhead.layers.relu_attention import ReLUAttention
from readhead.layers.word_counts import word_counts_if
from readhead.models.features import FEATURES
from readhead.models.nse_pair import NSEPair
from readhead.models.output import Output
from readhead.models.read import of_last_token, own_attention, own_memory, pair
from readhead.models.uniform_start import start_uniformly


class MMANSEAttention(nn.Module):
    """MMA-NSE that, having read the hypothesis, looks back at all of the premise's outputs.

    e_l = w · ReLU(W_a h^p_l + W_q h^h_T)
    p = Σ_l softmax_l(e) h^p_l

    [p, h, p - h, p ⊙ h] goes to one ReLU layer and a linear one, with h = h^h_T, the hypothesis's last output.

    embedding: token ids to vectors, as wide as both texts' slots.
    num_classes: C.
    hidden_dim: features of the classifier's ReLU layer.
    lstm_layers: LSTMs on top of one another in each module that reads or writes.
    dropout: on what each LSTM reads, and on the classifier's ReLU layer, a probability.
    init_range: every weight and bias starts in U(-init_range, init_range), but for word vectors that came from a
        file; None leaves them as they were made.
    word_counts: whether the words that both texts share are counted too (`readhead.layers.word_counts`).

    Raises:
        InputError: there is no layer, dropout is no probability below 1, or the range is not above 0.
    """

    num_texts: ClassVar[int] = 2

    def __init__(
        self,
        *,
        embedding: Embedding,
        num_classes: int,
        hidden_dim: int = 1024,
        lstm_layers: int = 1,
        dropout: float = 0.3,
        init_range: float | None = 0.1,
        word_counts: bool = False,
    ) -> None:
        super().__init__()
        dim, features = embedding.output_dim, FEATURES["matching"]
        self.embedding = embedding
        self.reader = NSEPair(dim=dim, num_layers=lstm_layers, dropout=dropout)
        self.attention = ReLUAttention(dim=dim)
        self.compare = features.compare
        self.hidden = FeedForward(input_dim=features.count * dim, hidden_dim=hidden_dim, num_layers=1, dropout=dropout)
        self.predict = nn.Linear(hidden_dim, num_classes)
        start_uniformly(self, embedding, init_range)
        self.word_counts = word_counts_if(word_counts, embedding=embedding, num_classes=num_classes)

    def forward(self, batch: Batch) -> Output:
        """batch: B pairs, a premise and a hypothesis by whatever names.

        Returns logits [B, C] and the attention: z as MMA-NSE has it, of which the one between the texts is called
        `hypothesis->premise (memory)` here, and the look back, `hypothesis->premise (outputs)` [B, T, S], in which the
        last token's row alone is not zero.
        """
        (first, premise), (second, hypothesis) = pair(batch)
        read = self.reader(premise, hypothesis, self.embedding)
        h = last(read.second.outputs, read.second.mask)  # [B, D]
        blend, weights = self.attention(read.first.outputs, premise.mask, h.unsqueeze(1))  # [B, 1, D], [B, 1, S]
        compared = self.compare(blend.squeeze(1), h)  # [B, 4D]
        logits = self.predict(self.hidden(compared)) + self.word_counts(premise, hypothesis)  # [B, C]
        own, across = {first: read.first, second: read.second}, f"{second}->{first} (memory)"
        attention = {
            **own_attention(**own),
            across: read.across,
            f"{second}->{first} (outputs)": of_last_token(weights, hypothesis.mask),
        }
        return Output(logits.float(), attention, memory={**own_memory(**own), across: read.shared})
