"""A split read as running text: its texts joined, cut into a few streams that are read side by side."""

from __future__ import annotations

import numpy as np
import torch
from jaxtyping import Int

from readhead.data.batch import Batch, Text
from readhead.data.encoded import EncodedSplit

SCORED_STREAMS = 10  # few, since each begins without what came before


def as_read(split: EncodedSplit, segment: int | None, *, streams: int = SCORED_STREAMS) -> EncodedSplit | StreamSplit:
    """A split text by text, or with a `segment` as running text in streams."""
    return split if segment is None else StreamSplit(split, streams=streams, segment=segment)


class StreamSplit:
    """The texts of a split one behind the other, in their order, as S streams of equal length.

    Segment k holds the k-th stretch of every stream and is to be read with the state that segment k - 1 left. It
    begins with the last token of the segment before, so that each token but the very first follows another exactly
    once: a perplexity over a stream counts as many tokens as one over the texts.

    split: of texts that begin and end with a marker; between two of them only the one behind is kept.
    streams: S.
    segment: tokens that each stream's segment foretells.
    """

    def __init__(self, split: EncodedSplit, *, streams: int, segment: int) -> None:
        (text,) = split.texts.values()
        (self.field,) = split.texts
        kept = np.ones(len(text.ids), dtype=np.bool_)
        kept[text.bounds[1:-1]] = False  # the marker in front of every text but the first
        self._ids = text.ids[kept]
        self._segment = segment
        self._length = -(-(len(self._ids) - 1) // streams)  # tokens that a stream foretells, the last one fewer
        self._starts = np.arange(streams) * self._length

    def __len__(self) -> int:
        return (self._length + self._segment - 1) // self._segment

    def epoch(self, number: int) -> list[Int[np.ndarray, " B"]]:
        """Each segment alone, in reading order, in every epoch: what a sampler is to texts that stand alone."""
        return list(np.arange(len(self))[:, None])

    def batch(self, indices: Int[np.ndarray, " one"]) -> Batch:
        """One segment, [S, at most segment + 1] tokens, with the empty state of a beginning."""
        first = int(indices.item()) * self._segment
        last = min(first + self._segment, self._length)
        places = self._starts[:, None] + np.arange(first, last + 1)  # [S, T]
        mask = places < len(self._ids)
        mask[mask.sum(axis=1) == 1] = False  # a lone last token foretells nothing
        ids = np.where(mask, self._ids[np.minimum(places, len(self._ids) - 1)], 0)
        text = Text(torch.from_numpy(ids.astype(np.int64)), torch.from_numpy(mask))
        return Batch({self.field: text}, state={})
