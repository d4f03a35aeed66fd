"""Sentence pairs as long as SNLI's, without a corpus: what whole readers are timed on."""

from __future__ import annotations

import numpy as np
import torch

from readhead.data.batch import Batch, Text

LENGTHS = {"premise": (15.0, 6.0), "hypothesis": (8.0, 3.0)}
"""Tokens of each text: mean and standard deviation."""

POOL = 4096
"""Pairs that are sorted by length before they are cut into batches."""


def batches(count: int, *, size: int, vocabulary: int, num_classes: int, device: torch.device) -> list[Batch]:
    """Batches of pairs of like lengths, the same ones each time.

    count: how many.
    size: B, the pairs in each.
    vocabulary: V, from which ids are drawn evenly.
    num_classes: C.
    """
    draw = np.random.default_rng(0)
    lengths = np.stack([_lengths(draw, *LENGTHS[field]) for field in LENGTHS], axis=1)  # [N, 2]
    by_length = lengths[np.lexsort(lengths.T[::-1])]  # [N, 2], by premise and, among equals, by hypothesis
    # Evenly spread over the pool, so that a few batches are as long on average as all of them.
    chosen = ((np.arange(count) + 0.5) * (POOL // size) / count).astype(np.int64)
    return [_batch(draw, by_length[size * i :][:size], vocabulary, num_classes).to(device) for i in chosen]


def padding(made: list[Batch]) -> float:
    """The share of tokens that are padding."""
    masks = [text.mask for batch in made for text in batch.texts.values()]
    return 1 - sum(int(mask.sum()) for mask in masks) / sum(mask.numel() for mask in masks)


def _lengths(draw: np.random.Generator, mean: float, deviation: float) -> np.ndarray:
    return np.clip(np.rint(draw.normal(mean, deviation, POOL)), 3, None).astype(np.int64)


def _batch(draw: np.random.Generator, lengths: np.ndarray, vocabulary: int, num_classes: int) -> Batch:
    texts = {
        field: Text.pad([draw.integers(vocabulary, size=length) for length in column])
        for field, column in zip(LENGTHS, lengths.T, strict=True)
    }
    return Batch(texts, torch.from_numpy(draw.integers(num_classes, size=len(lengths))))
