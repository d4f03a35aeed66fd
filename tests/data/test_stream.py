"""A split as running text."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from readhead.data.encoded import EncodedSplit, Ragged
from readhead.data.stream import StreamSplit, as_read

START, END = 3, 4


def split(*texts: list[int]) -> EncodedSplit:
    marked = [[START, *text, END] for text in texts]
    ids = np.array([i for text in marked for i in text], dtype=np.int32)
    bounds = np.concatenate([[0], np.cumsum([len(text) for text in marked])])
    return EncodedSplit({"text": Ragged(ids, bounds)}, None, {}, np.zeros((len(texts), 1), np.int32))


def read(stream: StreamSplit) -> list[list[tuple[int, int]]]:
    """By stream, each token with the one that follows it, in reading order."""
    pairs: dict[int, list[tuple[int, int]]] = {}
    for (segment,) in stream.epoch(0):
        batch = stream.batch(np.array([segment]))
        assert batch.state == {}
        text = batch.texts["text"]
        for row, (ids, mask) in enumerate(zip(text.token_ids.tolist(), text.mask.tolist(), strict=True)):
            real = ids[: sum(mask)]
            assert mask == sorted(mask, reverse=True)
            pairs.setdefault(row, []).extend(itertools.pairwise(real))
    return [pairs[row] for row in sorted(pairs)]


def test_by_hand() -> None:
    # 3 5 6 4 7 4 8 9 4: eight tokens follow another one, four a stream.
    streams = read(StreamSplit(split([5, 6], [7], [8, 9]), streams=2, segment=3))
    assert streams == [[(3, 5), (5, 6), (6, 4), (4, 7)], [(7, 4), (4, 8), (8, 9), (9, 4)]]


@given(
    texts=st.lists(st.lists(st.integers(5, 99), max_size=6), min_size=1, max_size=8),
    streams=st.integers(1, 5),
    segment=st.integers(1, 7),
)
def test_every_token_but_the_first_follows_once_in_order(texts: list[list[int]], streams: int, segment: int) -> None:
    joined = [START, *(i for text in texts for i in [*text, END])]
    pairs = [pair for stream in read(StreamSplit(split(*texts), streams=streams, segment=segment)) for pair in stream]
    assert pairs == list(itertools.pairwise(joined))


@pytest.mark.parametrize("segment", [None, 5])
def test_a_split_is_read_as_its_recipe_says(segment: int | None) -> None:
    assert isinstance(as_read(split([5]), segment), EncodedSplit if segment is None else StreamSplit)
