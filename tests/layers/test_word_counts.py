"""Shared words: which count, how much, and that padding is none."""

from __future__ import annotations

import math

import pytest
import torch

from readhead.data.batch import Text
from readhead.layers.embedding import Embedding
from readhead.layers.word_counts import NoWordCounts, WordCounts, word_counts_if

KNOWN = [False, False, True, True, False, True]  # rows 0 and 1 are padding and the unknown word, 4 has no vector


def counts_of(*, pretrained: list[bool]) -> WordCounts:
    embedding = Embedding(table=torch.zeros(6, 3), trainable=False, pretrained=torch.tensor(pretrained))
    layer = WordCounts(embedding=embedding, num_classes=1)
    torch.nn.init.constant_(layer.weight, 1.0)
    return layer


def text(*ids: int, pad_to: int = 0) -> Text:
    padded = [*ids, *[0] * (pad_to - len(ids))]
    return Text(torch.tensor([padded]), torch.arange(len(padded))[None] < len(ids))


@pytest.mark.parametrize(
    ("first", "second", "shared", "rare"),
    [
        (text(2, 3, 5), text(5, 3), 2, math.log(3) + math.log(2)),  # the third and the second word by frequency
        (text(5, 5), text(5), 1, math.log(3)),
        (text(5), text(5, 5), 2, 2 * math.log(3)),
        (text(2), text(3), 0, 0),
        (text(1, 4), text(1, 4), 0, 0),  # neither an unknown word nor one without a vector
        (text(2, pad_to=4), text(3, pad_to=6), 0, 0),
        (text(2, pad_to=4), text(2, pad_to=6), 1, 0),  # the most frequent word: log 1
    ],
)
def test_words_of_the_second_text_that_the_first_has_too(first: Text, second: Text, shared: int, rare: float) -> None:
    assert counts_of(pretrained=KNOWN)(first, second).item() == pytest.approx(shared + rare)


def test_without_vectors_from_a_file_every_word_counts() -> None:
    layer = counts_of(pretrained=[False] * 6)
    assert layer(text(4), text(4)).item() == pytest.approx(1 + math.log(5))


def test_it_starts_without_a_say_and_learns() -> None:
    embedding = Embedding(table=torch.zeros(6, 3), trainable=False, pretrained=torch.tensor(KNOWN))
    layer = word_counts_if(True, embedding=embedding, num_classes=2)
    added = layer(text(2, 5), text(5))
    assert added.tolist() == [[0, 0]]
    added.sum().backward()
    assert layer.weight.grad is not None and layer.weight.grad.abs().min() > 0


def test_nobody_has_to_want_it() -> None:
    embedding = Embedding(table=torch.zeros(6, 3), trainable=False)
    assert isinstance(word_counts_if(False, embedding=embedding, num_classes=2), NoWordCounts)
