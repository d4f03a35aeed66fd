from __future__ import annotations

from pathlib import Path

import pytest

from readhead.data.check import SHOWN, check_file
from readhead.data.corpora.file import FileCorpus
from readhead.data.summary import Lengths
from readhead.errors import InputError

OWN = Path(__file__).parents[1] / "fixtures" / "own"


def written(directory: Path, content: str, name: str = "own.csv") -> Path:
    path = directory / name
    path.write_text(content)
    return path


def test_a_good_file_is_summed_up() -> None:
    report = check_file(OWN / "reviews.jsonl", "classify")
    assert report.usable
    assert (report.problems, report.summary.rows, report.summary.unlabelled) == ((), 30, 0)
    assert report.summary.labels == {"1": 7, "2": 5, "3": 7, "4": 5, "5": 6}


def test_pairs_without_a_label_are_counted_apart() -> None:
    summary = check_file(OWN / "pairs.tsv", "pair").summary
    assert (summary.rows, summary.unlabelled, sum(summary.labels.values())) == (29, 3, 26)
    assert set(summary.lengths) == {"premise", "hypothesis"}


def test_lengths_duplicates_and_contradictions(tmp_path: Path) -> None:
    path = written(tmp_path, "text,label\none two,a\none two,a\none two,b\n,b\na b c d e,b\n")
    summary = check_file(path, "classify").summary
    assert summary.lengths == {"text": Lengths(shortest=0, median=2, longest=5, empty=1)}
    assert (summary.duplicates, summary.contradictions) == (2, 1)


def test_every_problem_is_found_in_one_go(tmp_path: Path) -> None:
    path = written(tmp_path, 'text,label\ngood,a\nshort\n\n"open"x,b\nnone,\ngood,b\n')
    report = check_file(path, "classify")
    assert [(problem.line, problem.kind) for problem in report.problems] == [
        (3, "field count"),
        (4, "blank line"),
        (5, "broken CSV"),
        (6, "empty label"),
    ]
    assert (report.summary.rows, report.usable) == (2, False)


def test_ten_of_a_kind_are_shown_and_all_are_counted(tmp_path: Path) -> None:
    path = written(tmp_path, "text,label\n" + "x,\n" * 25 + "y\n" + "z,a\nz,b\n")
    report = check_file(path, "classify")
    assert report.counts == {"empty label": 25, "field count": 1}
    assert [problem.line for problem in report.problems] == [*range(2, 2 + SHOWN), 27]


def test_all_missing_columns_are_told(tmp_path: Path) -> None:
    report = check_file(written(tmp_path, "a,b\n1,2\n"), "pair")
    assert [problem.column for problem in report.problems] == ["premise", "hypothesis", "label"]
    assert report.summary.rows == 0


def test_one_label_is_too_few(tmp_path: Path) -> None:
    report = check_file(written(tmp_path, "text,label\nx,a\ny,a\n"), "classify")
    assert report.counts == {"too few labels": 1}


def test_a_file_of_which_nothing_can_be_set_aside_is_told(tmp_path: Path) -> None:
    report = check_file(written(tmp_path, "text,label\nx,a\nx,a\ny,b\ny,b\n"), "classify")
    assert report.counts == {"too few rows": 1}
    assert report.problems[0].message.startswith("4 rows, none of which can be set aside")


def test_plain_texts_need_no_label(tmp_path: Path) -> None:
    report = check_file(OWN / "stories.txt", "language-model")
    assert (report.usable, report.summary.rows, report.summary.labels) == (True, 14, {})
    report = check_file(written(tmp_path, "text\none two\n \nthree\nfour\n"), "language-model")
    assert [(problem.line, problem.column) for problem in report.problems] == [(3, "text")]


@pytest.mark.parametrize(
    "content",
    [
        "text,label\nx,a\ny,b\n",
        "text,label\nx,a\ny,\n",
        "text,label\nx\n",
        "text,label\nx,a\ny,a\n",
        "",
        "text,label\n",
        "a\nb\n",
    ],
)
def test_training_raises_the_first_problem_that_a_check_finds(content: str, tmp_path: Path) -> None:
    path = written(tmp_path, content)
    first = check_file(path, "classify").problems[0]
    with pytest.raises(InputError) as caught:
        FileCorpus(task="classify", train=str(path)).read("train")
    assert (caught.value.message, caught.value.line) == (first.message, first.line)
