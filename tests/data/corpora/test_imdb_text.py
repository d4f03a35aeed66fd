"""Passages of reviews for a language model, from reviews of our own in IMDB's form."""

from __future__ import annotations

import lzma
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from readhead.data.corpora import imdb_text
from readhead.data.corpora.imdb_text import IMDBText, passages, sentences


@pytest.fixture
def corpora(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Seven reviews of four sentences to train on and to test on; every third is held out."""
    monkeypatch.setattr(imdb_text, "HELD_OUT", 3)
    (tmp_path / "imdb").mkdir()
    for split in ("train", "test"):
        rows = (f"pos\t{n}\t9\t{split} {n}. Good.<br /><br />Very good. Go!\n" for n in range(1, 8))
        (tmp_path / "imdb" / f"{split}.tsv.xz").write_bytes(lzma.compress("".join(rows).encode()))
    return tmp_path


def test_every_so_many_reviews_one_is_held_out(corpora: Path) -> None:
    corpus = IMDBText()
    read = {split: list(corpus.read(split, corpora)) for split in corpus.splits}
    assert {split: [e.texts["text"] for e in examples[:2]] for split, examples in read.items()} == {
        "train": ["train 1.", "Good. Very good."],
        "dev": ["train 3.", "Good. Very good."],
        "test": ["test 3.", "Good. Very good."],
    }
    assert {split: len(examples) for split, examples in read.items()} == {"train": 15, "dev": 6, "test": 6}
    assert not {e.origin for e in read["train"]} & {e.origin for e in read["dev"]}
    assert {e.label for examples in read.values() for e in examples} == {None}
    assert [path.name for path in corpus.files(corpora).values()] == ["train.tsv.xz", "train.tsv.xz", "test.tsv.xz"]


def test_passages_have_one_two_three_sentences_and_what_is_left() -> None:
    review = " ".join(f"{n} is a number." for n in range(8))
    assert [passage.count(".") for passage in passages(review)] == [1, 2, 3, 1, 1]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('It was "great." He said: "No!" (Yes.) 3 stars!', ['It was "great."', 'He said: "No!"', "(Yes.)", "3 stars!"]),
        ("I saw Mr. Brown. J. K. Reed too.", ["I saw Mr. Brown.", "J. K. Reed too."]),
        ("Well... it ended. so did we", ["Well... it ended. so did we"]),
        ("At 3.30 p.m. we left", ["At 3.30 p.m. we left"]),
    ],
)
def test_sentences_end_where_another_begins(text: str, expected: list[str]) -> None:
    assert sentences(text) == expected


@given(st.text(alphabet='aB1.!? "Mr', max_size=40))
def test_nothing_of_a_text_is_lost(text: str) -> None:
    assert " ".join(passages(text)).split() == text.split()
