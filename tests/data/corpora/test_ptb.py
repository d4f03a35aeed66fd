"""The Penn Treebank for language models, on sentences of our own in its format."""

from __future__ import annotations

from pathlib import Path

import pytest

from readhead.data.corpora.ptb import PTB
from readhead.data.sources import SOURCES
from readhead.errors import InputError

CORPORA = Path(__file__).parents[2] / "fixtures" / "corpora"


def refused(directory: Path, content: str) -> tuple[str, int | None]:
    (directory / "ptb").mkdir()
    path = directory / "ptb" / "ptb.valid.txt"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(InputError) as caught:
        list(PTB().read("dev", directory))
    assert caught.value.file == path
    return caught.value.message, caught.value.line


def test_it_says_what_it_is() -> None:
    corpus = PTB()
    assert (corpus.fields, corpus.labels, corpus.complete) == (("text",), (), True)
    assert corpus.splits == ("train", "dev", "test")
    assert {path.relative_to(CORPORA).as_posix() for path in corpus.files(CORPORA).values()} == {*SOURCES["ptb"].files}
    assert corpus.files(CORPORA)["dev"].name == "ptb.valid.txt"


@pytest.mark.parametrize(("split", "sentences"), [("train", 23), ("dev", 20), ("test", 20)])
def test_sentences_have_no_label_and_are_not_dropped(split: str, sentences: int) -> None:
    corpus = PTB()
    examples = list(corpus.read(split, CORPORA))
    assert len(examples) == sentences
    assert corpus.dropped == {split: 0}
    assert {e.label for e in examples} == {None}


def test_a_sentence_is_its_words_as_they_are_written() -> None:
    rows = {e.origin: e.texts["text"] for e in PTB().read("train", CORPORA)}
    assert rows["ptb.train.txt:9"] == (
        *("the", "harbor", "bank", "'s", "profit", "fell", "N", "N"),
        *("from", "a", "year", "earlier"),
    )
    assert rows["ptb.train.txt:20"][1] == "bread\\/flour"


@pytest.mark.parametrize(
    ("content", "told", "line"),
    [
        (" \n <unk> rains \n", "blank line; expected an example, or the end of the file", 1),
        (" it <unk> \n\n it rains \n", "blank line; expected an example, or the end of the file", 2),
        (" it <unk> \n it rains <eos> \n", "the word <eos>; expected bare sentences", 2),
        ("<s> it <unk> \n", "the word <s>; expected bare sentences", 1),
        (" it rains \n it pours \n", "no word of the file is <unk>; expected the form with 10,000 words", None),
        (" i t _ < u n k > \n", "no word of the file is <unk>", None),
    ],
)
def test_another_form_of_the_treebank_is_told(content: str, told: str, line: int | None, tmp_path: Path) -> None:
    message, found = refused(tmp_path, content)
    assert (message[: len(told)], found) == (told, line)


def test_a_missing_file_is_named_with_the_way_to_get_it(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="readhead data fetch ptb") as caught:
        PTB().read("dev", tmp_path)
    assert caught.value.file == tmp_path / "ptb" / "ptb.valid.txt"


def test_an_unknown_split_is_told_the_known_ones() -> None:
    with pytest.raises(InputError, match="no split 'valid'; expected one of train, dev, test"):
        PTB().read("valid", CORPORA)
