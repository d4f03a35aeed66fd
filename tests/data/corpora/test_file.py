"""A user's own files as a corpus."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from readhead.data.corpora.file import FileCorpus
from readhead.errors import InputError

OWN = Path(__file__).parents[2] / "fixtures" / "own"


def written(directory: Path, content: str | bytes, name: str = "own.csv") -> str:
    path = directory / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return str(path)


def message(**options: object) -> str:
    with pytest.raises(InputError) as caught:
        list(FileCorpus(**options).read("train"))  # type: ignore[arg-type]
    text = str(caught.value)
    assert "\n" not in text
    return text


@pytest.mark.parametrize("name", ["reviews.csv", "reviews.tsv", "reviews.jsonl"])
def test_texts_are_found_by_column_name_and_split(name: str) -> None:
    corpus = FileCorpus(task="classify", train=str(OWN / name), dev_fraction=0.2)
    train, dev = list(corpus.read("train")), list(corpus.read("dev"))
    assert (corpus.fields, len(train) + len(dev)) == (("text",), 30)
    assert corpus.labels == (("bad", "good", "mixed") if name == "reviews.csv" else ("1", "2", "3", "4", "5"))
    assert {e.label for e in dev} == set(corpus.labels)
    assert {e.texts["text"] for e in train}.isdisjoint(e.texts["text"] for e in dev)
    assert train[0].origin.startswith(f"{name}:")


@pytest.mark.parametrize("name", ["pairs.csv", "pairs.tsv", "pairs.jsonl"])
def test_a_premise_never_stands_on_both_sides(name: str) -> None:
    corpus = FileCorpus(task="pair", train=str(OWN / name), dev_fraction=0.2)
    train, dev = list(corpus.read("train")), list(corpus.read("dev"))
    assert (len(train) + len(dev), corpus.dropped) == (26, {"train": 3})
    assert dev
    assert {e.texts["premise"] for e in train}.isdisjoint(e.texts["premise"] for e in dev)
    assert corpus.labels == ("contradiction", "entailment", "neutral")
    assert corpus.files() == {"train": OWN / name}


def test_the_line_of_a_row_that_spans_two_is_its_first() -> None:
    corpus = FileCorpus(task="classify", train=str(OWN / "reviews.csv"))
    rows = [*corpus.read("train"), *corpus.read("dev")]
    places = {str(e.texts["text"]).split()[0]: e.origin for e in rows}
    assert (places["It"], places["Average"]) == ("reviews.csv:29", "reviews.csv:31")


def test_the_split_is_a_function_of_the_seed() -> None:
    def dev(seed: int) -> list[str]:
        corpus = FileCorpus(task="classify", train=str(OWN / "reviews.tsv"), seed=seed, dev_fraction=0.3)
        return [e.origin for e in corpus.read("dev")]

    assert dev(0) == dev(0) != dev(1)


def test_columns_can_be_named(tmp_path: Path) -> None:
    train = written(tmp_path, "a,b,c,text\nx,y,p,z\nx,z,q,z\n")
    corpus = FileCorpus(task="pair", train=train, dev=train, text_columns=("b", "a"), label_column="c")
    assert [(e.texts, e.label) for e in corpus.read("train")] == [
        ({"premise": "y", "hypothesis": "x"}, "p"),
        ({"premise": "z", "hypothesis": "x"}, "q"),
    ]


def test_the_first_name_wins_and_case_does_not_matter(tmp_path: Path) -> None:
    train = written(tmp_path, "Review,TEXT,Label\nx,y,1\nx,z,2\n")
    corpus = FileCorpus(task="classify", train=train, dev=train)
    assert [e.texts["text"] for e in corpus.read("train")] == ["y", "z"]


def test_labels_of_json_may_be_numbers_and_truth_values(tmp_path: Path) -> None:
    train = written(tmp_path, '{"text": "", "label": true}\n{"text": "x", "label": 2}\n', "own.jsonl")
    corpus = FileCorpus(task="classify", train=train, dev=train)
    assert corpus.labels == ("2", "true")
    assert Counter(e.label for e in corpus.read("dev")) == {"true": 1, "2": 1}


def test_a_minus_is_a_class_like_any_other_for_single_texts(tmp_path: Path) -> None:
    train = written(tmp_path, "text,label\nx,-\ny,+\n")
    corpus = FileCorpus(task="classify", train=train, dev=train)
    assert (corpus.labels, len(list(corpus.read("train")))) == (("+", "-"), 2)


@pytest.mark.parametrize(
    ("content", "line", "words"),
    [
        ("txt,label\nx,a\n", 1, "no text column (one of text, sentence, "),
        ("txt,label\nx,a\n", 1, "did you mean 'txt'? found 'txt', 'label'; --text-column NAME names it"),
        ("texts are here in the first line already,a\nx,b\n", 1, "the first line seems to be data, expected the col"),
        ("x" * 50 + ",label\nx,a\n", 1, "found '" + "x" * 39 + "…', 'label'; "),
        (
            ",".join(f"c{i}" for i in range(14)) + "\n" + "," * 13,
            1,
            "'c11' and 2 more columns; --text-column NAME names it",
        ),
        ("text\tlabel\nx\ta\n", 1, "the file must end in .tsv"),
        ("text,mark\nx,a\n", 1, "no label column (one of label, gold_label, "),
        ("review,body,label\nx,y,a\n", 1, "'review' and 'body' could both be the text"),
        ("text,label\nx,a\ny,\n", 3, "no label in 'label'"),
        ("text,label\nx,a\ny\n", 3, "1 field where the header has 2"),
        ("text,label\nx,a\ny,b,c\n", 3, "3 fields where the header has 2"),
        ("text,label\n", 1, "only a header"),
        ("", None, "expected at least one row"),
        ("text,label\nx,a\ny,a\n", None, "every row has the label 'a'; expected at least two"),
        ("text,label\nx,a\nx,a\ny,b\ny,b\n", None, "4 rows, none of which can be set aside"),
        ("text,label\nx,0.11\ny,0.12\n", None, "no label stands in two rows ('0.11', '0.12'); expected labels that"),
        ("text,label\nx,a\nn\u00e4h,b\n".encode("latin-1"), 3, "save the file as UTF-8"),
    ],
)
def test_what_is_wrong_in_a_csv_is_told_by_file_and_line(
    content: str | bytes, line: int | None, words: str, tmp_path: Path
) -> None:
    train = written(tmp_path, content)
    told = message(task="classify", train=train)
    assert told.startswith(f"{train}:{line}: " if line else f"{train}: ")
    assert words in told


@pytest.mark.parametrize(
    ("last", "words"),
    [
        ('{"text": "y", "label"', "broken JSON"),
        ('"y"', "a string, not an object"),
        ('{"text": 3, "label": "b"}', "'text' is a number; expected a string"),
        ('{"text": null, "label": "b"}', "'text' is null; expected a string"),
        ('{"label": "b"}', "no 'text'; expected a string"),
        ('{"text": "y"}', "no label in 'label'"),
        (
            '{"text": "y", "label": [1]}',
            "the label in 'label' is a list; expected a string or a whole number",
        ),
        (
            '{"text": "y", "label": 0.5}',
            "the label in 'label' is a number; expected a string or a whole number",
        ),
    ],
)
def test_what_is_wrong_in_jsonl_is_told_by_file_and_line(last: str, words: str, tmp_path: Path) -> None:
    train = written(tmp_path, '{"text": "x", "label": "a"}\n' + last + "\n", "own.jsonl")
    told = message(task="classify", train=train)
    assert told.startswith(f"{train}:2: ")
    assert words in told


def test_a_named_column_that_is_missing_gets_the_nearest(tmp_path: Path) -> None:
    train = written(tmp_path, "headline,topic\nx,a\n")
    told = message(task="classify", train=train, text_columns=("headlin",), label_column="topic")
    assert "no column 'headlin'; did you mean 'headline'?" in told


def test_a_dev_label_that_was_never_trained_is_told(tmp_path: Path) -> None:
    train = written(tmp_path, "text,label\nx,a\ny,b\n")
    dev = written(tmp_path, "text,label\nx,a\ny,c\n", "dev.csv")
    corpus = FileCorpus(task="classify", train=train, dev=dev)
    assert len(list(corpus.read("train"))) == 2
    with pytest.raises(InputError, match=r"label 'c' never occurs in own.csv; expected one of a, b") as caught:
        list(corpus.read("dev"))
    assert (str(caught.value.file), caught.value.line) == (dev, 3)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"text_columns": ("a", "b")}, "2 text columns named; expected 1, for text"),
        ({"dev_fraction": 1.5}, "expected a number between 0 and 1"),
        ({"task": "rang"}, "no task 'rang' for own files; expected one of classify, pair, rank"),
    ],
)
def test_options_that_do_not_fit_are_refused_before_anything_is_read(options: dict[str, object], words: str) -> None:
    assert words in message(**({"task": "classify", "train": "nowhere.csv"} | options))


@pytest.mark.parametrize(("name", "words"), [("none.csv", "no such file"), ("own.xls", "unknown ending '.xls'")])
def test_a_file_that_cannot_be_read_is_named(name: str, words: str, tmp_path: Path) -> None:
    assert words in message(task="classify", train=str(tmp_path / name))
