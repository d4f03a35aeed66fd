from __future__ import annotations

import re
from collections import Counter

from readhead.data.grammar.generate import pairs
from readhead.data.grammar.phenomena import PHENOMENA
from readhead.data.grammar.showcase import SHOWCASE


def words(text: object) -> list[str]:
    assert isinstance(text, str)
    return re.findall(r"\w+", text.lower())


def test_it_speaks_the_words_of_the_corpus() -> None:
    known = {word for pair in pairs("train", seed=0, size=9_000) for word in words(pair.premise)}
    assert {word for example in SHOWCASE for text in example.texts.values() for word in words(text)} <= known


def test_it_shows_every_phenomenon_and_every_label() -> None:
    assert {example.tags["phenomenon"] for example in SHOWCASE} == set(PHENOMENA)
    assert min(Counter(example.label for example in SHOWCASE).values()) >= 3


def test_a_reader_without_word_order_must_get_two_of_them_wrong() -> None:
    three = [example for example in SHOWCASE if example.tags["phenomenon"] == "word order"]
    assert len({tuple(sorted(words(example.texts["premise"]))) for example in three}) == 1
    assert len({example.texts["hypothesis"] for example in three}) == 1
    assert len({example.label for example in three}) == len(three) == 3
