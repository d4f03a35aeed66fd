from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from readhead.data.vocabulary import Vocabulary
from readhead.errors import InputError

COUNTS = {"cook": 2, "soup": 5, "a": 2, "rare": 1, "the": 5}
# Without "<": no word is written like one of the first rows.
WORDS = st.text(st.characters(exclude_characters="\n<", exclude_categories=()), min_size=1, max_size=6)


@pytest.mark.parametrize("oov", ["hashed", "zero"])
def test_only_words_with_a_vector_get_a_row(oov: str) -> None:
    vocabulary = Vocabulary.build(COUNTS, vector_words=["the", "a", "soup", "pan"], oov=oov)  # type: ignore[arg-type]
    assert vocabulary.words == ["soup", "the", "a"]
    assert len(vocabulary.oov_rows) == (100 if oov == "hashed" else 1)


def test_normal_gives_every_word_a_row() -> None:
    vocabulary = Vocabulary.build(COUNTS, vector_words=["the"], oov="normal")
    assert vocabulary.words == ["soup", "the", "a", "cook", "rare"]  # by count, then alphabetically
    assert vocabulary.oov_rows == range(1, 2)


def test_without_vectors_every_word_gets_a_row() -> None:
    vocabulary = Vocabulary.build(COUNTS, vector_words=None, oov="hashed", min_count=2)
    assert vocabulary.words == ["soup", "the", "a", "cook"]
    assert vocabulary.oov_rows == range(1, 101)


def test_the_vectors_most_frequent_words_follow_in_their_order() -> None:
    known = ["the", "pan", "a", "ladle", "bowl"]
    vocabulary = Vocabulary.build({"a": 1}, vector_words=known, most_frequent=known[:4], oov="zero")
    assert vocabulary.words == ["a", "the", "pan", "ladle"]


def test_rows_stand_in_order() -> None:
    vocabulary = Vocabulary(words=["soup", "the"], oov_rows=1)
    rows = [vocabulary.marker_row(name) for name in ("null", "start", "end")]
    assert (vocabulary.oov_rows, rows, vocabulary.word_rows, len(vocabulary)) == (
        range(1, 2),
        [2, 3, 4],
        range(5, 7),
        7,
    )
    ids = vocabulary.ids(["the", "unheard", "soup"])
    assert ids.dtype == np.int32
    assert ids.tolist() == [6, 1, 5]
    assert vocabulary.ids([]).shape == (0,)


def test_words_fall_on_hashed_rows_by_their_checksum() -> None:
    vocabulary = Vocabulary(words=[], oov_rows=100)
    assert vocabulary.ids(["123456789"]).tolist() == [1 + 0xCBF43926 % 100]  # CRC-32's published check value
    assert set(vocabulary.ids([f"word{i}" for i in range(2000)]).tolist()) == set(range(1, 101))


def test_hashed_rows_are_the_same_in_every_process() -> None:
    program = (
        "from readhead.data.vocabulary import Vocabulary;"
        "print(Vocabulary(words=[], oov_rows=100).ids(['pan', 'ladle', '\\ud800']).tolist())"
    )
    outputs = {
        subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
        for _ in range(2)
    }
    assert outputs == {f"{Vocabulary(words=[], oov_rows=100).ids(['pan', 'ladle', chr(0xD800)]).tolist()}\n"}


def test_a_text_cannot_forge_a_marker() -> None:
    vocabulary = Vocabulary.build({"<null>": 9, "<unk>": 9, "<pad>": 9, "pan": 1}, vector_words=None, oov="zero")
    assert vocabulary.words == ["pan"]
    assert vocabulary.ids(["<null>", "<unk>", "<pad>"]).tolist() == [1, 1, 1]


def test_an_unknown_marker_is_told_by_name() -> None:
    with pytest.raises(ValueError, match="'stop'; there are null, start, end"):
        Vocabulary(words=[], oov_rows=1).marker_row("stop")


@pytest.mark.parametrize("words", [["pan", "pan"], ["a\nb"], [""], ["<null>"]])
def test_words_that_cannot_be_rows_are_refused(words: list[str]) -> None:
    with pytest.raises(ValueError, match=r"row|line break"):
        Vocabulary(words=words, oov_rows=1)


@given(st.lists(WORDS, unique=True, max_size=8), st.sampled_from([1, 100]))
def test_saved_and_opened_it_is_the_same(words: list[str], oov_rows: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "vocabulary.txt"
        vocabulary = Vocabulary(words=words, oov_rows=oov_rows)
        vocabulary.save(path)
        opened = Vocabulary.open(path)
    assert opened.words == words
    assert len(opened) == len(vocabulary)
    assert opened.ids([*words, "unheard"]).tolist() == vocabulary.ids([*words, "unheard"]).tolist()


def test_line_separators_within_words_survive(tmp_path: Path) -> None:
    words = ["a\u2028b", "c\x85", "d\r", "\x1c", "\x0b"]
    Vocabulary(words=words, oov_rows=1).save(tmp_path / "vocabulary.txt")
    assert Vocabulary.open(tmp_path / "vocabulary.txt").words == words


HEAD = "<pad>\n<unk>\n<null>\n<start>\n<end>\n"


@pytest.mark.parametrize(
    ("content", "line", "message"),
    [
        ("", 1, "expected <pad>, found the end of the file"),
        ("soup\n" + HEAD, 1, "expected <pad>, found 'soup'"),
        ("<pad>\n<unk>\n<null>\n<start>\n", 5, "expected <end>, found the end of the file"),
        ("<pad>\n<unk-0>\n<unk-2>\n", 3, "expected <unk-1>, found '<unk-2>'"),
        (HEAD + "soup\npan\nsoup\n", 8, "'soup' stands in row 5 already"),
        (HEAD + "soup\n<null>\n", 7, "'<null>' stands in row 2 already"),
        (HEAD + "soup\n\npan\n", 7, "expected a word"),
        (HEAD + "soup\npa", 7, "cut short"),
        (HEAD + "so\udcffup\n", 6, "expected UTF-8"),
    ],
)
def test_an_edited_file_is_told_by_line(tmp_path: Path, content: str, line: int, message: str) -> None:
    path = tmp_path / "vocabulary.txt"
    path.write_bytes(content.encode("utf-8", "surrogateescape"))
    with pytest.raises(InputError) as caught:
        Vocabulary.open(path)
    assert str(caught.value).startswith(f"{path}:{line}: ")
    assert message in str(caught.value)


def test_a_missing_file_is_told_by_name(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"gone\.txt: cannot be read"):
        Vocabulary.open(tmp_path / "gone.txt")
