"""A user's own questions: row by row or in lists, told apart by id or by text, held out whole."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from readhead.data.check import check_file
from readhead.data.corpora.file import FileCorpus
from readhead.data.example import Example
from readhead.data.own_file import OwnFile
from readhead.data.split import hold_out_questions
from readhead.errors import InputError

OWN = Path(__file__).parents[1] / "fixtures" / "own"
FILES = pytest.mark.parametrize("name", ["questions.csv", "questions.tsv", "questions.jsonl"])


def read(path: Path) -> list[Example]:
    return list(OwnFile(path, task="rank").examples())


def written(directory: Path, content: str | Iterable[object], name: str = "own.csv") -> Path:
    path = directory / name
    lines = content if isinstance(content, str) else "".join(json.dumps(record) + "\n" for record in content)
    path.write_text(lines, encoding="utf-8")
    return path


def refused(path: Path) -> str:
    with pytest.raises(InputError) as caught:
        read(path)
    assert "\n" not in str(caught.value)
    return str(caught.value).removeprefix(f"{path}:")


@FILES
def test_every_format_holds_the_same_questions(name: str) -> None:
    rows, expected = read(OWN / name), read(OWN / "questions.csv")
    assert [(row.texts, row.label) for row in rows] == [(row.texts, row.label) for row in expected]
    assert len({row.group for row in rows}) == 8
    assert len({(row.group, row.id) for row in rows}) == len(rows) == 21


def test_ids_are_taken_from_columns_and_else_from_texts_and_lines(tmp_path: Path) -> None:
    ids = "QuestionID,Question,SentenceID,Sentence,Label\nQ7,who?,D7-3,Me.,1\nQ8,who?,D8-0,You.,0\n"
    assert [(row.group, row.id) for row in read(written(tmp_path, ids))] == [("Q7", "D7-3"), ("Q8", "D8-0")]
    plain = written(tmp_path, "query,passage,relevance\nwho?,Me.,1\nwho?,You.,0\n")
    assert [(row.group, row.id) for row in read(plain)] == [("who?", "000000002"), ("who?", "000000003")]


def test_ids_and_labels_of_json_are_numbers_or_truths(tmp_path: Path) -> None:
    rows = [
        {"qid": 7, "question": "who?", "candidates": ["Me.", "You."], "labels": [True, False]},
        {"qid": 8, "question": "who?", "candidates": ["We."], "labels": [1]},
    ]
    read_rows = read(written(tmp_path, rows, "own.jsonl"))
    assert [(row.group, row.label) for row in read_rows] == [("7", "1"), ("7", "0"), ("8", "1")]
    assert [row.origin for row in read_rows] == ["own.jsonl:1", "own.jsonl:1", "own.jsonl:2"]


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("question,label\na,1\n", "1: no candidate column (one of candidate, answer, sentence, passage, document)"),
        ("question,candidate,label\na,b,2\n", "2: the label is '2'; expected 1 for right or 0 for wrong"),
        ("question,candidate,label\na,b,1\n ,b,0\n", "3: no question; candidates without one can't be ranked"),
        ("question,query,answer,label\na,a,b,1\n", None),
        ("query,answer,passage,label\na,b,c,1\n", "1: 'answer' and 'passage' could both be the candidate"),
        ("qid,question,candidate,label\n1,a,b,1\n,a,c,0\n", "3: no question id; expected one in every row"),
        ("qid,question,candidate,label\n1,a,b,1\n1,c,d,0\n", "3: the question id '1' had another question before"),
        ("", "nothing to read here"),
    ],
)
def test_what_is_wrong_in_a_row_is_told_by_line(tmp_path: Path, content: str, told: str | None) -> None:
    path = written(tmp_path, content)
    if told is None:
        assert len(read(path)) == 1
    else:
        assert told in refused(path)


@pytest.mark.parametrize(
    ("record", "told"),
    [
        ({"candidates": "b", "labels": [1]}, "2: 'candidates' is a string; expected a list"),
        ({"candidates": ["b"]}, "2: no 'labels'; expected a list, one entry for each candidate"),
        (
            {"candidates": ["b", "c"], "labels": [1]},
            "2: 2 candidates with 1 label; expected a label for each candidate",
        ),
        ({"candidates": [], "labels": []}, "2: an empty list of candidates; expected at least one"),
        ({"candidates": ["b", None], "labels": [1, 0]}, "2: 'candidate' is null; expected a string"),
        ({"candidates": ["b", "c"], "labels": [1, None]}, "2: no label in 'label'"),
    ],
)
def test_what_is_wrong_in_a_list_is_told_by_line(tmp_path: Path, record: dict[str, object], told: str) -> None:
    good = {"question": "a", "candidates": ["b"], "labels": [1]}
    assert told in refused(written(tmp_path, [good, {"question": "d", **record}], "own.jsonl"))


@FILES
def test_a_question_never_stands_on_both_sides(name: str) -> None:
    corpus = FileCorpus(task="rank", train=str(OWN / name), dev_fraction=0.3)
    train, dev = (list(corpus.read(split)) for split in corpus.splits)
    assert (corpus.fields, corpus.labels) == (("question", "candidate"), ("0", "1"))
    assert {row.texts["question"] for row in train}.isdisjoint(row.texts["question"] for row in dev)
    assert len(train) + len(dev) == 21
    assert any(row.label == "1" for row in dev)


SIZES = st.lists(st.lists(st.booleans(), min_size=1, max_size=6), min_size=1, max_size=30)


@given(SIZES, st.floats(0.05, 0.5), st.integers(0, 3))
def test_both_sides_have_a_question_with_an_answer(candidates: list[list[bool]], fraction: float, seed: int) -> None:
    rows = [(str(number), right) for number, labels in enumerate(candidates) for right in labels]
    questions, right = [name for name, _ in rows], [answers for _, answers in rows]
    held = hold_out_questions(right, questions, fraction=fraction, seed=seed)
    sides = [{n for place, (n, _) in enumerate(rows) if (place in held) == side} for side in (True, False)]
    assert sides[0].isdisjoint(sides[1])
    answered = {n for n, answers in rows if answers}
    if len(answered) >= 2:
        assert all(side & answered for side in sides)


def test_a_file_in_which_every_candidate_is_wrong_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path, "question,candidate,label\na,b,0\nc,d,0\n")
    with pytest.raises(InputError, match="every row has the label '0'"):
        list(FileCorpus(task="rank", train=str(path)).read("train"))


def test_a_check_counts_questions_that_teach_or_score_less(tmp_path: Path) -> None:
    report = check_file(OWN / "questions.csv", "rank")
    assert report.usable
    assert report.summary.questions is not None
    counts = report.summary.questions
    assert (counts.total, counts.unanswered, counts.all_right) == (8, 1, 1)
    assert report.summary.labels == {"0": 13, "1": 8}
    assert check_file(OWN / "pairs.csv", "pair").summary.questions is None


def test_a_check_finds_every_problem(tmp_path: Path) -> None:
    rows = [
        {"question": "a", "candidates": ["b", None], "labels": [1, 0]},
        {"question": "c", "candidates": [], "labels": []},
        {"question": "d", "candidate": "e", "label": "maybe"},
        {"question": "f", "candidate": "g", "label": 0},
    ]
    report = check_file(written(tmp_path, rows, "own.jsonl"), "rank")
    assert [problem.line for problem in report.problems] == [1, 2, 3]
    assert report.summary.rows == 2
