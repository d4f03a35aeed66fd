"""Which examples share a batch: those of similar lengths, in an order that the seed and the epoch decide."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from jaxtyping import Int

Lengths = Int[np.ndarray, "N K"]
Batches = list[Int[np.ndarray, " B"]]

_SPARE = 0.05  # of a part's tokens: so little padding is worth less than batches mixed more freely


class BucketSampler:
    """Batches of similar lengths for training, drawn anew in each epoch.

    All examples are cut in two at a length of the field that would need most padding, and the parts again,
    until a part is one batch, or would need next to no padding if it were one. Each part is narrow in
    *every* field, which no sort by one length achieves: a batch of premises equally long has hypotheses of
    all lengths. Where near the middle a part is cut, on which side of the cut the examples of its length
    fall, and how a last part is dealt into batches is random: an example meets others in each epoch, all of
    about its own lengths.

    lengths: [N, K], tokens of each of the K fields of N examples.
    batch_size: B, examples.
    seed: with the number of the epoch, all that the batches depend on.
    """

    def __init__(self, *, lengths: Lengths, batch_size: int, seed: int) -> None:
        if batch_size < 1:
            raise ValueError(f"expected a batch size of 1 or more, found {batch_size}")
        self._lengths, self._batch_size, self._seed = lengths, batch_size, seed

    def epoch(self, number: int) -> Batches:
        """The batches of an epoch, each the indices of its examples: every example once.

        All are of size B but one, which is smaller where B does not divide N.
        """
        generator = np.random.default_rng([self._seed, number])
        order = generator.permutation(len(self._lengths))
        batches = _similar(self._lengths, order, self._batch_size, generator)
        return [batches[position] for position in generator.permutation(len(batches))]


def in_order(lengths: Lengths, batch_size: int) -> Batches:
    """Batches of similar lengths for evaluation, always the same; the last one may be smaller."""
    return _similar(lengths, np.arange(len(lengths)), batch_size, None)


def padding_waste(lengths: Lengths, batches: Iterable[Int[np.ndarray, " B"]]) -> float:
    """The share of padding among all tokens of all fields, 0 to 1."""
    real = padded = 0
    for batch in batches:
        part = lengths[batch]  # [B, K]
        real += int(part.sum())
        padded += int(part.max(axis=0).sum()) * len(batch)
    return 1 - real / padded if padded else 0.0


def _similar(
    lengths: Lengths, order: Int[np.ndarray, " N"], batch_size: int, generator: np.random.Generator | None
) -> Batches:
    batches: Batches = []
    # The lengths travel with the examples, a field a row: looking them up anew at each cut takes most of
    # the time.
    parts = [(order, np.ascontiguousarray(lengths[order].T))]
    while parts:
        part, inside = parts.pop()  # [n], [K, n]
        longest = inside.max(axis=1, initial=0).astype(np.int64)
        padding = longest * len(part) - inside.sum(axis=1)  # [K], tokens, if the part were one batch
        if len(part) <= batch_size or padding.sum() <= _SPARE * longest.sum() * len(part):
            dealt = part if generator is None else generator.permutation(part)
            batches += [dealt[start : start + batch_size] for start in range(0, len(part), batch_size)]
            continue
        # Left of the cut stand whole batches: only the rightmost part of all may have a remainder.
        cut = _cut(len(part), batch_size, generator)
        sides = np.argpartition(inside[padding.argmax()], cut)
        part, inside = part[sides], inside[:, sides]
        parts += [(part[cut:], inside[:, cut:]), (part[:cut], inside[:, :cut])]
    return batches


def _cut(size: int, batch_size: int, generator: np.random.Generator | None) -> int:
    whole = -(-size // batch_size)  # batches, the last one perhaps not full
    middle = whole // 2
    if generator is None:
        return middle * batch_size
    spread = whole // 8
    return int(generator.integers(middle - spread, middle + spread + 1)) * batch_size
