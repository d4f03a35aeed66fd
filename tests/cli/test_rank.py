"""Ranking from the command line: own questions checked, trained on, scored, answered and explained."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from readhead import recipe
from tests.cli.conftest import OWN, trained_run
from tests.cli.refusals import refusal

QUESTIONS = OWN / "questions.csv"
SMALL = ("--set", "vectors.dim=8", "--set", "model.hidden_dim=8", "--set", "training.epochs=1", "--device", "cpu")


@pytest.fixture(scope="module")
def rank_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    small = ["vectors.dim=8", "model.hidden_dim=8", "training.epochs=2", "corpus.dev_fraction=0.3"]
    chosen = recipe.read("rank/decomposable", [f"corpus.train={QUESTIONS}", *small])
    return trained_run(chosen, tmp_path_factory.mktemp("rank"))


@pytest.mark.parametrize("reader", ["decomposable", "lstm"])
def test_own_questions_are_trained_on(run_cli: Any, tmp_path: Path, reader: str) -> None:
    data = ("--task", "rank", "--data", OWN / "questions.jsonl", "--reader", reader)
    ended = run_cli("train", *data, *SMALL, "--out", tmp_path / "run")
    assert (ended.status, ended.stdout) == (0, ""), ended.stderr
    assert "best dev map" in (tmp_path / "run" / "train.log").read_text()
    assert "explain" in (tmp_path / "run" / "README.md").read_text()
    assert '"question" "candidate"' in (tmp_path / "run" / "README.md").read_text()


def test_a_check_tells_of_questions(run_cli: Any) -> None:
    ended = run_cli("data", "check", QUESTIONS, "--task", "rank")
    assert (ended.status, ended.stderr) == (0, "")
    assert "questions: 8; 1 with only wrong candidates, 1 with only right ones" in ended.stdout
    told = json.loads(run_cli("data", "check", QUESTIONS, "--task", "rank", "--json").stdout)
    assert told["questions"] == {"total": 8, "unanswered": 1, "all_right": 1}
    assert (
        json.loads(run_cli("data", "check", OWN / "pairs.csv", "--task", "pair", "--json").stdout)["questions"] is None
    )


def test_an_evaluation_tells_how_many_questions_it_is_about(run_cli: Any, rank_run: Path, tmp_path: Path) -> None:
    errors = tmp_path / "errors.jsonl"
    ended = run_cli("evaluate", rank_run, "--data", QUESTIONS, "--errors", errors)
    assert (ended.status, ended.stderr) == (0, "")
    assert "21 pairs" in ended.stdout and "map 0." in ended.stdout and "mrr 0." in ended.stdout
    assert "questions 7   left out, since none of their candidates is right: 1" in ended.stdout
    told = json.loads(run_cli("evaluate", rank_run, "--data", QUESTIONS, "--json").stdout)
    assert told["counts"] == {"questions": 7, "left_out": 1}
    assert told["metrics"].keys() == {"map", "mrr"}
    wrong = [json.loads(line) for line in errors.read_text().splitlines()]
    assert wrong, "an untrained reader puts no wrong candidate first"
    assert all((error["gold"], error["label"]) == ("0", "1") for error in wrong)
    assert ("came first, but is wrong" in ended.stdout) and wrong[0]["candidate"] in ended.stdout


def test_rankings_stand_on_a_page_with_what_was_right(run_cli: Any, rank_run: Path, tmp_path: Path) -> None:
    page, lines = tmp_path / "errors.html", tmp_path / "errors.jsonl"
    for file in (page, lines):
        ended = run_cli("evaluate", rank_run, "--data", QUESTIONS, "--against", rank_run, "--errors", file)
        assert (ended.status, ended.stderr) == (0, "")
    assert "bootstrap resamples of the questions" in ended.stdout
    html = page.read_text(encoding="utf-8")
    assert html.count("average precision 0.") + html.count("average precision 1.") == 7
    assert html.count("✓ right") >= 7
    assert '<li value="1">' in html
    told = [json.loads(line) for line in lines.read_text().splitlines()]
    assert told and all(row["right"] == {"run": False, "against": False} for row in told)


def test_questions_are_answered_in_order(run_cli: Any, rank_run: Path) -> None:
    asked = [
        {"question": "Who keeps the bees?", "candidates": ["Two sisters keep the bees.", "It rains."]},
        {"question": "who?", "candidates": []},
        {"question": "who?", "candidates": 7},
    ]
    lines = "".join(json.dumps(record) + "\n" for record in asked)
    told = [json.loads(line) for line in run_cli("predict", rank_run, stdin=lines).stdout.splitlines()]
    assert {entry["place"] for entry in told[0]["ranking"]} == {0, 1}
    assert told[1] == {"ranking": []}
    assert told[2] == {"error": 'the field "candidates" must be a list of strings, not a number', "line": 3}


def test_a_candidate_is_explained(run_cli: Any, rank_run: Path) -> None:
    ended = run_cli("explain", rank_run, "Who keeps the bees?", "Two sisters.")
    assert (ended.status, ended.stderr) == (0, "")
    for shown in ("question ", "candidate → question", "right with probability 0."):
        assert shown in ended.stdout
    record = json.loads(run_cli("explain", rank_run, "Who keeps the bees?", "Two sisters.", "--json").stdout)
    assert record["answer"].keys() == {"score"}


def test_several_candidates_are_explained_in_their_order(run_cli: Any, rank_run: Path, tmp_path: Path) -> None:
    asked = ("Who keeps the bees?", "It rains.", "Two sisters keep the bees.", "Nobody.")
    ended = run_cli("explain", rank_run, *asked)
    assert (ended.status, ended.stderr) == (0, "")
    assert ended.stdout.startswith("Who keeps the bees?\n\n  1  0.")
    assert max(map(len, ended.stdout.splitlines())) <= 80
    record = json.loads(run_cli("explain", rank_run, *asked, "--json").stdout)
    scores = [one["answer"]["score"] for one in record["ranking"]]
    assert scores == sorted(scores, reverse=True) and sorted(record["places"]) == [0, 1, 2]
    assert run_cli("explain", rank_run, *asked, "--html", tmp_path / "why.html").status == 0
    assert (tmp_path / "why.html").read_text().count("<li value=") == 3


def test_what_cannot_be_ranked_is_refused(run_cli: Any, rank_run: Path, tmp_path: Path) -> None:
    file = tmp_path / "wrong.csv"
    file.write_text("question,candidate,label\na,b,0\n")
    assert "no question has a right candidate" in refusal(run_cli("evaluate", rank_run, "--data", file))
    assert "1 text given; this run reads 2: question, candidate" in refusal(run_cli("explain", rank_run, "who?"))
    data = ("train", "--task", "rank", "--data", file, "--out", tmp_path / "run")
    assert "every row has the label '0'" in refusal(run_cli(*data))
    assert not (tmp_path / "run").exists()
