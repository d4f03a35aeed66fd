"""Stars from trees and from reviews, on trees and reviews of our own in their formats."""

from __future__ import annotations

import lzma
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from readhead.data.corpora.sentiment import STARS, Sentiment, passages
from readhead.data.example import Example
from readhead.errors import InputError

CORPORA = Path(__file__).parents[2] / "fixtures" / "corpora"
ROWS = ("neg\t0\t1\tDull.<br /><br />Very dull. It never ends.", "pos\t0\t10\tA joy.", "pos\t1\t7\tGood fun, mostly.")


def table(directory: Path, content: bytes, split: str = "train") -> Path:
    path = directory / "imdb" / f"{split}.tsv.xz"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return path


def reviews(directory: Path, rows: Sequence[str] = ROWS, split: str = "train") -> Path:
    return table(directory, lzma.compress("".join(f"{row}\n" for row in rows).encode()), split)


def told(examples: list[Example]) -> list[tuple[Any, str | None]]:
    return [(example.texts["text"], example.label) for example in examples]


@pytest.mark.parametrize("split", ["dev", "test"])
def test_sentences_have_the_stars_of_their_class(split: str) -> None:
    corpus = Sentiment()
    assert Counter(example.label for example in corpus.read(split, CORPORA)) == dict.fromkeys(STARS, 2)
    assert corpus.dropped[split] == 0


def test_a_phrase_stands_once_with_each_of_its_labels(tmp_path: Path) -> None:
    trees = tmp_path / "sst" / "trees" / "train.txt"
    trees.parent.mkdir(parents=True)
    trees.write_text("(3 (2 So) (4 good))\n(1 (2 So) (3 good))\n(3 (2 So) (4 good))\n")
    so, good = ("So",), ("good",)
    assert told(list(Sentiment().read("train", tmp_path))) == [
        (so + good, "4 stars"),
        (so, "3 stars"),
        (good, "5 stars"),
        (so + good, "2 stars"),
        (good, "4 stars"),
    ]


@pytest.mark.parametrize(
    ("last", "expected"),
    [
        (None, [("Dull. Very dull.", "1 star"), ("It never ends.", "1 star")]),
        (1, [("It never ends.", "1 star")]),
    ],
)
def test_a_review_gives_its_stars_to_its_passages(
    tmp_path: Path, last: int | None, expected: list[tuple[str, str]]
) -> None:
    reviews(tmp_path)
    found = list(Sentiment(train="passages", passage=3, last=last).read("train", tmp_path))
    assert told(found) == [*expected, ("A joy.", "5 stars"), ("Good fun, mostly.", "4 stars")]
    assert [example.origin for example in found][-1] == "train.tsv.xz:3"


def test_both_are_phrases_and_then_passages(tmp_path: Path) -> None:
    reviews(tmp_path)
    trees = tmp_path / "sst" / "trees" / "train.txt"
    trees.parent.mkdir(parents=True)
    trees.write_text("(4 Superb)\n")
    corpus = Sentiment(train="both", last=1)
    assert told(list(corpus.read("train", tmp_path))) == [
        (("Superb",), "5 stars"),
        ("Dull. Very dull. It never ends.", "1 star"),
        ("A joy.", "5 stars"),
        ("Good fun, mostly.", "4 stars"),
    ]
    assert corpus.files(tmp_path) == {"train": trees, "passages": tmp_path / "imdb" / "train.tsv.xz"}


def test_reviews_are_read_whole_or_their_openings_alone(tmp_path: Path) -> None:
    reviews(tmp_path, split="test")
    corpus = Sentiment(passage=2)
    assert told(list(corpus.read("openings", tmp_path)))[0] == ("Dull. Very", "1 star")
    assert told(list(corpus.read("reviews", tmp_path)))[0] == ("Dull. Very dull. It never ends.", "1 star")


def test_it_names_the_files_that_it_reads(tmp_path: Path) -> None:
    trained, tested = reviews(tmp_path), reviews(tmp_path, split="test")
    assert Sentiment(train="passages").files(tmp_path) == {"train": trained, "openings": tested, "reviews": tested}
    assert Sentiment().files(tmp_path) == {"openings": tested, "reviews": tested}
    assert Sentiment().files(None) == {}


@given(st.lists(st.sampled_from(["So.", "It ran on.", "We saw Mr. Bell twice.", "Is one two three four?"]), min_size=1))
def test_passages_are_whole_sentences_up_to_so_many_words(sentences: list[str]) -> None:
    found = list(passages(" ".join(sentences), 6))
    assert " ".join(found) == " ".join(sentences)
    assert all(len(passage.split()) <= 6 for passage in found)
    assert all(passage.endswith((".", "?")) and not passage.endswith("Mr.") for passage in found)


def test_a_long_sentence_loses_its_end() -> None:
    assert list(passages("It goes on and on. Done.", 3)) == ["It goes on", "Done."]


@pytest.mark.parametrize(
    "row", ["neg\t0\tDull.", "neg\t0\t5\tDull.", "neg\t0\tone\tDull.", "neg\t0\t1\t<br />", "neg\t0\t1\ta\tb", ""]
)
def test_another_line_is_refused_by_its_number(tmp_path: Path, row: str) -> None:
    path = reviews(tmp_path, [ROWS[0], row])
    with pytest.raises(InputError, match="expected polarity, number, rating") as caught:
        list(Sentiment(train="passages").read("train", tmp_path))
    assert (caught.value.file, caught.value.line) == (path, 2)


@pytest.mark.parametrize("content", [b"neg\t0\t1\tDull.\n", lzma.compress(b"neg\t0\t1\tDull.\n")[:-9], b""])
def test_a_broken_table_is_refused(tmp_path: Path, content: bytes) -> None:
    path = table(tmp_path, content)
    with pytest.raises(InputError, match="cannot be unpacked") as caught:
        list(Sentiment(train="passages").read("train", tmp_path))
    assert caught.value.file == path


def test_a_missing_table_is_told_with_how_to_get_it(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="`readhead data fetch imdb` gets it"):
        list(Sentiment(train="passages").read("train", tmp_path))


def test_no_words_and_no_passages_are_refused() -> None:
    with pytest.raises(InputError, match=r"\[corpus\] passage = 0: expected at least 1"):
        Sentiment(passage=0)
    with pytest.raises(InputError, match=r"\[corpus\] last = 0: expected at least 1"):
        Sentiment(last=0)
