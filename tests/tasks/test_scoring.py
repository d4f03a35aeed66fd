"""Batches of a score: every example once, bounded by examples and by tokens, always the same."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from readhead.tasks.scoring import EXAMPLES, TOKENS, bounded_batches

LENGTHS = st.lists(st.tuples(st.integers(0, 60), st.integers(0, 60)), min_size=1, max_size=60)


@given(LENGTHS, st.integers(1, 9), st.integers(1, 200))
def test_every_example_once_and_none_of_the_bounds_broken(
    lengths: list[tuple[int, int]], examples: int, tokens: int
) -> None:
    given_lengths = np.array(lengths)
    batches = [batch.tolist() for batch in bounded_batches(given_lengths, examples=examples, tokens=tokens)]
    assert sorted(place for batch in batches for place in batch) == list(range(len(lengths)))
    for batch in batches:
        padded = int(given_lengths[batch].max(axis=0).sum()) * len(batch)
        assert len(batch) == 1 or (len(batch) <= examples and padded <= tokens)
    again = [batch.tolist() for batch in bounded_batches(given_lengths, examples=examples, tokens=tokens)]
    assert batches == again


@pytest.mark.parametrize(("length", "size"), [(10, EXAMPLES), (100, TOKENS // 100), (2 * TOKENS, 1)])
def test_short_texts_fill_a_batch_and_long_ones_do_not_fill_the_memory(length: int, size: int) -> None:
    lengths = np.full((600, 1), length)
    batches = bounded_batches(lengths, examples=EXAMPLES, tokens=TOKENS)
    assert max(map(len, batches)) == size
