from __future__ import annotations

import re
from pathlib import Path

import pytest

from readhead import own_sizes
from readhead.data.own_file import OwnFile
from readhead.errors import InputError
from readhead.own_data import OwnData, own_recipe
from readhead.own_sizes import SIZES, size_of


def of_words(folder: Path, count: int) -> Path:
    path = folder / "own.csv"
    rows, rest = divmod(count, 1000)
    path.write_text("text,label\n" + f"{'w ' * 1000},a\n" * rows + f"{'w ' * rest},b\n")
    return path


@pytest.mark.parametrize(("count", "line"), [(20_000, 0), (20_001, 1), (300_000, 1), (300_001, 2)])
def test_the_line_follows_from_the_words(tmp_path: Path, count: int, line: int) -> None:
    assert size_of(OwnFile(of_words(tmp_path, count), task="classify")) is SIZES[line]


def test_a_recipe_has_the_reader_and_the_numbers_of_its_line(tmp_path: Path) -> None:
    chosen = own_recipe(OwnData(task="classify", data=of_words(tmp_path, 300_001)), None, ["training.patience=7"])
    assert (chosen.name, chosen.parts["reader"].kind) == ("classify/words", "words")
    assert (chosen.training.epochs, chosen.training.patience) == (20, 7)
    assert chosen.summary.endswith("; defaults for up to 3,000,000 words")


def test_a_reader_that_is_named_is_taken(tmp_path: Path) -> None:
    chosen = own_recipe(OwnData(task="classify", data=of_words(tmp_path, 10), reader="lstm"), None, [])
    assert (chosen.name, chosen.training.epochs) == ("classify/lstm", 100)


def test_vectors_change_no_more_than_where_rows_start(tmp_path: Path) -> None:
    vectors, texts = tmp_path / "v.txt", tmp_path / "own.txt"
    vectors.touch()
    texts.write_text("one text\nanother text\n")
    chosen = own_recipe(OwnData(task="language-model", data=texts), vectors, [])
    assert (chosen.vectors.file, chosen.vectors.dim, chosen.vectors.oov) == (str(vectors), None, "normal")


def test_word_vectors_have_a_reader_of_their_own(tmp_path: Path) -> None:
    own, vectors = of_words(tmp_path, 10), tmp_path / "v.txt"
    vectors.touch()
    chosen = own_recipe(OwnData(task="classify", data=own), vectors, [])
    assert (chosen.name, chosen.vectors.file, chosen.table_trains) == ("classify/cnn-static", str(vectors), False)
    with pytest.raises(InputError, match=r"^--reader cnn-static: .*; expected --vectors FILE$"):
        own_recipe(OwnData(task="classify", data=own, reader="cnn-static"), None, [])


def test_the_table_that_people_read_is_the_one_that_is_used() -> None:
    lines = re.findall(r"^\| (?:up to )?([\d,]+|more) +\| (\d.*?) +\|$", str(own_sizes.__doc__), re.MULTILINE)
    told = [(words, [int(number) for number in numbers.split("|")]) for words, numbers in lines]
    assert told == [
        (
            "more" if size.words is None else f"{size.words:,}",
            [size.training[key] for key in ("epochs", "patience", "batch_size")],
        )
        for size in SIZES
    ]


def test_a_recipes_larger_batch_stays(tmp_path: Path) -> None:
    own = of_words(tmp_path, 10)
    sizes = [own_recipe(OwnData(task="classify", data=own, reader=name), None, []) for name in ("words", "lstm")]
    assert [chosen.training.batch_size for chosen in sizes] == [64, 32]
