"""The whole readers that are timed, at their papers' sizes. A new one is an entry of TIMED_READERS."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor, nn

from readhead.layers.embedding import Embedding
from readhead.models.decomposable import Decomposable
from readhead.readers.intra_attention import IntraAttentionReader
from readhead.readers.words import WordsReader

VOCABULARY, VECTOR_DIM, PROJECTION_DIM, NUM_CLASSES = 20_000, 300, 200, 3


def vanilla(table: Tensor) -> Decomposable:
    """Decomposable attention (Parikh et al. 2016)."""
    return Decomposable(
        embedding=_embedding(table), reader=WordsReader(input_dim=PROJECTION_DIM), num_classes=NUM_CLASSES
    )


def intra(table: Tensor) -> Decomposable:
    """The same with intra-sentence attention."""
    reader = IntraAttentionReader(input_dim=PROJECTION_DIM)
    return Decomposable(embedding=_embedding(table), reader=reader, num_classes=NUM_CLASSES)


TIMED_READERS: dict[tuple[str, str], Callable[[Tensor], Decomposable]] = {
    ("decomposable", "words"): vanilla,
    ("decomposable", "intra-attention"): intra,
}
"""By model and reader, as recipes name them: from a table of vectors to the model."""


def timed_model(model: str, reader: str, device: torch.device) -> nn.Module:
    """A model with fresh weights, the same ones each time."""
    with torch.random.fork_rng():
        torch.manual_seed(0)
        table = nn.functional.normalize(torch.randn(VOCABULARY, VECTOR_DIM), dim=-1)  # [V, E]
        return TIMED_READERS[model, reader](table).to(device)


def _embedding(table: Tensor) -> Embedding:
    return Embedding(table=table, trainable=False, projection_dim=PROJECTION_DIM)
