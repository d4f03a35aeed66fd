from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from readhead.data.sampler import BucketSampler, Lengths, in_order, padding_waste


def pair_lengths(number: int) -> Lengths:
    """Lengths distributed about as SNLI's: 14 and 8 words, some sentences much longer."""
    generator = np.random.default_rng(7)
    premises = 3 + generator.gamma(3.6, 3.4, number)
    hypotheses = 3 + generator.gamma(4.0, 1.4, number)
    return np.stack([premises, hypotheses], axis=1).astype(np.int64)


def batch_of(batches: list[np.ndarray], number: int) -> np.ndarray:
    place = np.empty(number, dtype=np.int64)
    for position, batch in enumerate(batches):
        place[batch] = position
    return place


@given(
    st.lists(st.tuples(st.integers(0, 30), st.integers(0, 9)), max_size=60),
    st.integers(1, 9),
    st.integers(0, 2**32),
    st.integers(0, 1000),
)
@settings(max_examples=150, deadline=None)
def test_every_example_comes_once_in_full_batches(
    pairs: list[tuple[int, int]], batch_size: int, seed: int, epoch: int
) -> None:
    lengths = np.array(pairs, dtype=np.int64).reshape(-1, 2)
    sampler = BucketSampler(lengths=lengths, batch_size=batch_size, seed=seed)
    for batches in (sampler.epoch(epoch), in_order(lengths, batch_size)):
        assert sorted(index for batch in batches for index in batch) == list(range(len(pairs)))
        sizes = sorted(len(batch) for batch in batches)
        whole, rest = divmod(len(pairs), batch_size)
        assert sizes == ([rest] if rest else []) + [batch_size] * whole


def test_batches_are_a_function_of_seed_and_epoch() -> None:
    lengths = pair_lengths(500)
    one, other = (BucketSampler(lengths=lengths, batch_size=8, seed=3) for _ in range(2))
    one.epoch(0)  # what was asked before changes nothing
    for first, second in zip(one.epoch(4), other.epoch(4), strict=True):
        np.testing.assert_array_equal(first, second)
    for seed, epoch in ((3, 5), (4, 4)):
        changed = BucketSampler(lengths=lengths, batch_size=8, seed=seed).epoch(epoch)
        assert any(not np.array_equal(a, b) for a, b in zip(changed, one.epoch(4), strict=True))


@pytest.mark.parametrize("batch_size", [4, 16, 32, 128])
def test_less_than_a_tenth_is_padding(batch_size: int) -> None:
    lengths = pair_lengths(40_000)
    sampler = BucketSampler(lengths=lengths, batch_size=batch_size, seed=1)
    assert padding_waste(lengths, sampler.epoch(0)) < 0.1
    assert padding_waste(lengths, in_order(lengths, batch_size)) < 0.1


def test_examples_meet_others_in_each_epoch() -> None:
    lengths = pair_lengths(40_000)
    sampler = BucketSampler(lengths=lengths, batch_size=32, seed=1)
    first, second = sampler.epoch(0), batch_of(sampler.epoch(1), len(lengths))
    again = sum((second[batch][:, None] == second[batch]).sum() - len(batch) for batch in first)
    assert again / sum(len(batch) * (len(batch) - 1) for batch in first) < 0.1


def test_the_order_of_batches_does_not_follow_length() -> None:
    lengths = pair_lengths(4_000)
    batches = BucketSampler(lengths=lengths, batch_size=8, seed=1).epoch(0)
    means = [lengths[batch].mean() for batch in batches]
    assert abs(np.corrcoef(means, np.arange(len(means)))[0, 1]) < 0.2


def test_waste_by_hand() -> None:
    lengths = np.array([[3, 1], [1, 1], [2, 4]])
    # [[0, 1], [2]]: field one 2*3 + 2, field two 2*1 + 4 = 14 places, of them 12 tokens.
    assert padding_waste(lengths, [np.array([0, 1]), np.array([2])]) == pytest.approx(2 / 14)
    assert padding_waste(lengths, []) == 0


def test_equal_lengths_waste_nothing() -> None:
    lengths = np.repeat([[5, 2], [9, 1], [1, 9], [5, 9]], 16, axis=0)
    assert padding_waste(lengths, in_order(lengths, 8)) == 0


def test_a_batch_size_of_none_is_refused() -> None:
    with pytest.raises(ValueError, match="batch size of 1 or more, found 0"):
        BucketSampler(lengths=pair_lengths(3), batch_size=0, seed=0)
