"""Many readings counted: by distance, by word, by kind; by hand."""

from __future__ import annotations

import numpy as np
import pytest

from readhead.explain.distances import Group
from readhead.explain.even import even
from readhead.explain.function_words import FUNCTION_WORDS, kind
from readhead.explain.over_corpus import Counted
from readhead.explain.record import Explanation, Relevance
from tests.explain.readings import soft, words

BACK = np.array([[0.0, 0, 0], [0.5, 0, 0], [0.25, 0.75, 0]])  # half of the second row went to before the text


def reading(text: str, weights: np.ndarray, name: str = "text->text") -> Explanation:
    read = words(text)
    return Explanation({"text": read, "other": read}, {name: weights}, Relevance(0.5))


def test_even_attention_is_over_what_a_word_can_see() -> None:
    np.testing.assert_allclose(even(BACK, within=True), [[0, 0, 0], [0.5, 0, 0], [0.5, 0.5, 0]])
    np.testing.assert_allclose(even(BACK, within=False), BACK.sum(axis=1, keepdims=True).repeat(3, axis=1) / 3)
    ahead = BACK + np.eye(3) * 0.25
    np.testing.assert_allclose(even(ahead, within=True).sum(axis=1), ahead.sum(axis=1))
    assert (even(ahead, within=True) > 0).all()


def test_attention_by_distance() -> None:
    (spread,) = Counted.of([reading("the dog barks", BACK)] * 2).distances.spreads()
    assert (spread.attention, spread.readings) == ("text->text", 2)
    assert spread.groups == [
        Group(1, 1, False, pytest.approx(1.25 / 1.5), pytest.approx(1 / 1.5)),
        Group(2, 2, False, pytest.approx(0.25 / 1.5), pytest.approx(0.5 / 1.5)),
    ]
    assert spread.mean == pytest.approx((1.25 + 2 * 0.25) / 1.5)
    assert spread.even_mean == pytest.approx((1 + 2 * 0.5) / 1.5)
    assert spread.elsewhere == pytest.approx(0.5)


def test_distances_are_told_in_groups_back_and_ahead() -> None:
    many = words(" ".join("w" * 60))
    (spread,) = Counted.of([reading(many.text, soft(many, many))]).distances.spreads()
    spans = [(group.low, group.high, group.ahead) for group in spread.groups]
    starts = [(1, 1), (2, 2), (3, 3), (4, 4), (5, 5), (6, 10), (11, 20), (21, 50), (51, None)]
    assert spans == [(0, 0, False), *((*one, False) for one in starts), *((*one, True) for one in starts)]
    assert sum(group.share for group in spread.groups) == pytest.approx(1)
    assert sum(group.even for group in spread.groups) == pytest.approx(1)


def test_words_and_kinds_by_what_is_looked_at() -> None:
    counted = Counted.of([reading("The dog .", BACK), reading("the cat .", BACK)])
    accesses = counted.accesses
    assert (counted.readings, accesses.attentions) == (2, ["text->text"])
    by_word = {access.what: access for access in accesses.words("text->text")}
    assert list(by_word) == ["dog", "cat", "the"], "the full stop stands where nobody could look at it"
    the, dog = by_word["the"], by_word["dog"]
    assert (the.tokens, the.share, the.even) == (2, pytest.approx(1.5 / 3), pytest.approx(2 / 3))
    assert (dog.share, dog.preference) == (pytest.approx(0.75 / 3), pytest.approx(1.5))
    assert (the.most_read, dog.most_read) == (2, 1)
    kinds = {access.what: (access.tokens, access.share) for access in accesses.kinds("text->text")}
    assert kinds == {"content": (2, 0.5), "function": (2, 0.5), "sign": (2, 0.0)}


def test_attention_between_texts_has_no_distance_and_none_at_all_is_not_counted() -> None:
    counted = Counted.of([reading("the dog .", soft(words("a b c"), words("a b c")), "text->other")])
    assert counted.distances.spreads() == []
    assert counted.accesses.attentions == ["text->other"]
    assert Counted.of([reading("the dog .", np.zeros((3, 3)))]).accesses.attentions == []
    assert Counted.of([]).readings == 0


def test_kinds_of_words() -> None:
    assert [kind(token) for token in ("The", "nobody", "n't", "dog", "7", "∅", ".", "--", "שלום")] == [
        *["function"] * 3, "content", "content", *["sign"] * 3, "content",
    ]  # fmt: skip
    assert all(word == word.lower() for word in FUNCTION_WORDS)
