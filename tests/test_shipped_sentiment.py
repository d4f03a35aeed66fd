"""The shipped model `sentiment`, on sentences of our own."""

from __future__ import annotations

import pytest

from readhead import load, shipped
from readhead.pretrained.reader import Reader

POSITIVE = (
    "A warm, funny and beautifully acted film.",
    "I laughed, I cried, and I would see it again tomorrow.",
    "This is one of the best comedies of the year.",
)
NEGATIVE = (
    "A dull, tiresome film that never comes to life.",
    "I wanted my money back after ten minutes.",
    "This is one of the worst comedies of the year.",
)


@pytest.fixture(scope="module")
def reader() -> Reader:
    if "sentiment" not in shipped.shipped():
        pytest.skip("this checkout ships no model `sentiment`")
    return load("sentiment")


@pytest.mark.parametrize(("texts", "group"), [(POSITIVE, "positive"), (NEGATIVE, "negative")])
def test_it_knows_praise_from_blame(reader: Reader, texts: tuple[str, ...], group: str) -> None:
    assert [max(told["groups"], key=told["groups"].get) for told in reader(texts)] == [group] * 3


def test_an_answer_has_five_stars_and_two_groups(reader: Reader) -> None:
    told = reader(POSITIVE[0])
    assert list(told["scores"]) == ["1 star", "2 stars", "3 stars", "4 stars", "5 stars"]
    assert list(told["groups"]) == ["negative", "positive"]
    assert sum(told["scores"].values()) == pytest.approx(1)
    assert sum(told["groups"].values()) == pytest.approx(1)


def test_a_long_text_is_cut_and_it_says_so(reader: Reader) -> None:
    assert reader("good " * 401)["truncated"] == ["text"]


def test_a_reading_can_be_explained(reader: Reader) -> None:
    told = reader.explain(NEGATIVE[0])
    assert told.answer.label in reader.run.task.labels  # type: ignore[union-attr]
    assert told.texts["text"].tokens[0] == "a"
