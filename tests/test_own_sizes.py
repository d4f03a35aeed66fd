from __future__ import annotations

import re
from pathlib import Path

import pytest

from readhead import own_sizes
from readhead.data.own_file import OwnFile
from readhead.own_data import OwnData, own_recipe
from readhead.own_sizes import DEFAULT_READER, SIZES, size_of


def of_words(folder: Path, count: int) -> Path:
    path = folder / "own.csv"
    rows, rest = divmod(count, 1000)
    path.write_text("text,label\n" + f"{'w ' * 1000},a\n" * rows + f"{'w ' * rest},b\n")
    return path


@pytest.mark.parametrize(("count", "line"), [(300_000, 0), (300_001, 1)])
def test_the_line_follows_from_the_words(tmp_path: Path, count: int, line: int) -> None:
    assert size_of(OwnFile(of_words(tmp_path, count), task="classify")) is SIZES[line]


def test_a_recipe_has_the_reader_and_the_numbers_of_its_line(tmp_path: Path) -> None:
    chosen = own_recipe(OwnData(task="classify", data=of_words(tmp_path, 300_001)), None, ["training.patience=7"])
    assert (chosen.name, chosen.parts["reader"].kind) == ("classify/cnn", "cnn")
    assert (chosen.training.epochs, chosen.training.patience) == (20, 7)
    assert chosen.summary.endswith("; defaults for up to 3,000,000 words")


def test_a_reader_that_is_named_is_taken(tmp_path: Path) -> None:
    chosen = own_recipe(OwnData(task="classify", data=of_words(tmp_path, 10), reader="lstm"), None, [])
    assert (chosen.name, chosen.training.epochs) == ("classify/lstm", 30)


def test_vectors_change_no_more_than_where_rows_start(tmp_path: Path) -> None:
    vectors, texts = tmp_path / "v.txt", tmp_path / "own.txt"
    vectors.touch()
    texts.write_text("one text\nanother text\n")
    chosen = own_recipe(OwnData(task="language-model", data=texts), vectors, [])
    assert (chosen.vectors.file, chosen.vectors.dim, chosen.vectors.oov) == (str(vectors), None, "normal")


def test_the_table_that_people_read_is_the_one_that_is_used() -> None:
    lines = re.findall(r"^\| (?:up to )?([\d,]+|more) +\| (\w+) +\| (.*?) +\|$", str(own_sizes.__doc__), re.MULTILINE)
    told = [(words, reader, [int(n) for n in numbers.split("|")]) for words, reader, numbers in lines]
    assert told == [
        ("more" if size.words is None else f"{size.words:,}", size.reader("classify"), list(size.training.values()))
        for size in SIZES
    ]
    assert all(f"`{reader}`" in str(own_sizes.__doc__) for task, reader in DEFAULT_READER.items() if task != "classify")
