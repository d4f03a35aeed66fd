"""How many words two texts share, beside what a reader makes of them (Yang, Yih and Meek 2015)."""

from __future__ import annotations

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

from readhead.data.batch import Text
from readhead.layers.embedding import Embedding


class WordCounts(nn.Module):
    """What the counts of shared words add to the logits.

    W [n, Σ log(1 + r)]

    n is the number of the second text's words that the first one has too, r the place of such a word among all words by
    how frequent they are: words are as rare as their places are far down (Zipf), so its logarithm weighs them about as
    an inverse document frequency does. Without it `the` would count as much as a name.

    Words count whose vectors came from a file; if none did, all do, and those without a row of their own count as one
    word. W starts at 0. Yang et al. put such counts beside a trained model's score in a logistic regression; here they
    learn with the model.

    embedding: whose rows stand in the order of the vocabulary, frequent words first.
    num_classes: C.
    """

    counts: Tensor
    rarity: Tensor

    def __init__(self, *, embedding: Embedding, num_classes: int) -> None:
        super().__init__()
        known = embedding.pretrained
        counts = known if known.any() else torch.ones_like(known)
        self.register_buffer("counts", counts, persistent=False)
        self.register_buffer("rarity", torch.log(counts.cumsum(0).clamp(min=1).float()), persistent=False)
        self.weight = nn.Parameter(torch.zeros(num_classes, 2))

    def forward(self, first: Text, second: Text) -> Float[Tensor, "B C"]:
        """first, second: B texts each. Returns what is added to the logits, [B, C]."""
        shared = _has_too(second, first) & self.counts[second.token_ids]  # [B, T]
        rare = (self.rarity[second.token_ids] * shared).sum(dim=1)  # [B]
        return torch.stack([shared.sum(dim=1).to(rare), rare], dim=1) @ self.weight.t()  # [B, C]


class NoWordCounts(nn.Module):
    """In place of `WordCounts`, where nobody wants them: adds nothing."""

    def forward(self, first: Text, second: Text) -> float:
        """Returns 0."""
        return 0.0


def word_counts_if(wanted: bool, *, embedding: Embedding, num_classes: int) -> nn.Module:
    """The one or the other, as a recipe's `word_counts` says."""
    return WordCounts(embedding=embedding, num_classes=num_classes) if wanted else NoWordCounts()


def _has_too(words: Text, other: Text) -> Bool[Tensor, "B T"]:
    """For each real token, whether the other text has it too."""
    same = words.token_ids.unsqueeze(2) == other.token_ids.unsqueeze(1)  # [B, T, S]
    return (same & other.mask.unsqueeze(1)).any(dim=2) & words.mask
