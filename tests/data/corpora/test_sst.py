"""The sentiment treebank, on trees of our own in its format."""

from __future__ import annotations

import itertools
from collections import Counter
from pathlib import Path
from typing import Literal

import pytest

from readhead.data.corpora.sst import SST
from readhead.data.sources import SOURCES
from readhead.errors import InputError

CORPORA = Path(__file__).parents[2] / "fixtures" / "corpora"
FINE = ("very negative", "negative", "neutral", "positive", "very positive")


def one_file(directory: Path, content: str | bytes, split: str = "dev") -> Path:
    path = directory / "sst" / "trees" / f"{split}.txt"
    path.parent.mkdir(parents=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def refused(directory: Path, content: str | bytes) -> tuple[str, int | None]:
    path = one_file(directory, content)
    with pytest.raises(InputError) as caught:
        list(SST().read("dev", directory))
    assert caught.value.file == path
    assert "\n" not in caught.value.message
    return caught.value.message, caught.value.line


def test_it_says_what_it_is() -> None:
    corpus = SST()
    assert (corpus.fields, corpus.splits, corpus.complete) == (("text",), ("train", "dev", "test"), True)
    assert (corpus.labels, SST(labels="binary").labels) == (FINE, ("negative", "positive"))
    assert {path.relative_to(CORPORA).as_posix() for path in corpus.files(CORPORA).values()} == {*SOURCES["sst"].files}
    assert corpus.files(None) == {}


@pytest.mark.parametrize(
    ("split", "train", "each"),
    [
        ("train", "sentences", 4),
        ("dev", "sentences", 2),
        ("test", "sentences", 2),
        ("dev", "phrases", 2),
        ("test", "phrases", 2),
    ],
)
def test_sentences_by_label(split: str, train: Literal["sentences", "phrases"], each: int) -> None:
    fine, binary = SST(train=train), SST(labels="binary", train=train)
    for _ in range(2):  # the count starts again with the reading
        assert Counter(e.label for e in fine.read(split, CORPORA)) == dict.fromkeys(FINE, each)
        assert Counter(e.label for e in binary.read(split, CORPORA)) == {"negative": 2 * each, "positive": 2 * each}
        assert (fine.dropped[split], binary.dropped[split]) == (0, each)


def test_two_classes_are_the_five_without_the_middle() -> None:
    of_five = {e.origin: e.label for e in SST().read("train", CORPORA)}
    of_two = {e.origin: e.label for e in SST(labels="binary").read("train", CORPORA)}
    known = {origin: label for origin, label in of_five.items() if label != "neutral"}
    assert of_two == {origin: str(label).removeprefix("very ") for origin, label in known.items()}


def test_a_sentence_is_read_whole() -> None:
    rows = {e.origin: e for e in SST().read("train", CORPORA)}
    assert rows["train.txt:9"].texts == {"text": ("Pleasant", "company", "for", "a", "rainy", "afternoon", ".")}
    assert rows["train.txt:12"].texts == {"text": ("Dreadful", ".")}
    assert (rows["train.txt:12"].label, rows["train.txt:6"].label) == ("very negative", "very positive")
    signs = set(itertools.chain(*(e.texts["text"] for e in rows.values())))
    assert {"(", ")", '"', "director/composer", "2\u00a01/2", "n't"} <= signs
    assert not {"-LRB-", "-RRB-", "``", "''"} & signs


def test_every_phrase_of_a_training_tree_is_an_example(tmp_path: Path) -> None:
    one_file(tmp_path, "(3 (2 Rain) (4 (2 Rain) (1 stops)))\n(0 Rain)\n", "train")
    examples = list(SST(train="phrases").read("train", tmp_path))
    assert [(e.label, e.texts["text"], e.origin) for e in examples] == [
        ("positive", ("Rain", "Rain", "stops"), "train.txt:1"),
        ("neutral", ("Rain",), "train.txt:1"),
        ("very positive", ("Rain", "stops"), "train.txt:1"),
        ("neutral", ("Rain",), "train.txt:1"),
        ("negative", ("stops",), "train.txt:1"),
        ("very negative", ("Rain",), "train.txt:2"),
    ]
    binary = SST(labels="binary", train="phrases")
    assert [e.label for e in binary.read("train", tmp_path)] == ["positive", "positive", "negative", "negative"]
    assert binary.dropped == {"train": 2}


@pytest.mark.parametrize(
    ("bad", "told"),
    [
        ("(2 (2 It) (2 rains)", "brackets still open at the end of the line: 1"),
        ("(2 (2 It) (2 rains)))", "')' stands outside the tree"),
        ("(2 (2 It) ( rains))", "a bracket without a label"),
        ("(2 (2 It) (5 rains))", "label '5'; expected one of 0, 1, 2, 3, 4"),
        ("(2 (2 It) (2 ))", "'(2)' is empty; expected a word"),
        ("(2 It) # checked", "'#' stands outside the tree"),
        ("3\tIt rains .", "stands outside the tree; expected one whole tree a line"),
    ],
)
def test_a_wrong_tree_is_told_by_file_and_line(bad: str, told: str, tmp_path: Path) -> None:
    message, line = refused(tmp_path, f"(2 (2 It) (2 pours))\n{bad}\n(2 rain)\n")
    assert told in message
    assert line == 2


def test_a_blank_line_between_trees_is_told_and_one_at_the_end_is_not(tmp_path: Path) -> None:
    assert refused(tmp_path, "(2 rain)\n\n(2 sun)\n") == ("blank line; expected an example, or the end of the file", 2)
    (tmp_path / "sst" / "trees" / "dev.txt").write_text("\ufeff(2 rain)\r\n(3 sun)\r\n\r\n", encoding="utf-8")
    assert [e.texts["text"] for e in SST().read("dev", tmp_path)] == [("rain",), ("sun",)]


def test_another_encoding_is_told(tmp_path: Path) -> None:
    assert refused(tmp_path, "(2 rain)\n(2 caf\u00e9)\n".encode("latin-1")) == (
        "byte 0xe9 is not UTF-8; expected a UTF-8 file",
        2,
    )


def test_an_empty_file_is_told(tmp_path: Path) -> None:
    message, _ = refused(tmp_path, "")
    assert "nothing to read here" in message


@pytest.mark.parametrize("directory", [None, Path("/nowhere")])
def test_a_missing_file_is_named_with_the_way_to_get_it(directory: Path | None) -> None:
    with pytest.raises(InputError, match=r"readhead data fetch sst.*--corpora DIR names the folder that holds sst/"):
        SST().read("dev", directory)


def test_an_unknown_split_is_told_the_known_ones() -> None:
    with pytest.raises(InputError, match="no split 'valid'; expected one of train, dev, test"):
        SST().read("valid", CORPORA)
