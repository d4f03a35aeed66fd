"""`readhead report`: what it counts, in 80 columns and as JSON, and what it refuses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from rich.cells import cell_len

from tests.conftest import RunCommand


@pytest.fixture(autouse=True)
def eighty_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")


def test_attention_over_many_texts(pair_run: Path, run_cli: RunCommand) -> None:
    ended = run_cli("report", pair_run, "--data", pair_run.parent / "pairs.jsonl")
    assert (ended.status, ended.stderr) == (0, "")
    assert ended.stdout.startswith("Attention over 72 texts;")
    assert "premise->hypothesis: content words, function words and signs" in ended.stdout
    assert "hypothesis->premise: the words that are read most" in ended.stdout
    assert all(cell_len(line) <= 80 for line in ended.stdout.splitlines())


def test_the_same_as_json(pair_run: Path, run_cli: RunCommand) -> None:
    data = pair_run.parent / "pairs.jsonl"
    ended = run_cli("report", pair_run, "--data", data, "--only", "words", "--only", "distance", "--json")
    told = json.loads(ended.stdout)
    assert {name: told[name] for name in ("run", "data", "n")} == {"run": str(pair_run), "data": str(data), "n": 72}
    assert told["distance"] == [], "decomposable attention looks from one text at the other"
    assert list(told["words"]) == ["premise->hypothesis", "hypothesis->premise"]
    kinds = {access["what"]: access for access in told["words"]["premise->hypothesis"]}
    assert kinds.keys() == {"content", "function", "sign"}
    assert sum(access["share"] for access in kinds.values()) == pytest.approx(1)
    assert (kinds["content"]["tokens"], kinds["sign"]["tokens"]) == (144, 144)  # and the marker in front
    assert "slots" not in told


def test_its_own_split_is_read(pair_run: Path, run_cli: RunCommand) -> None:
    told = json.loads(run_cli("report", pair_run, "--json").stdout)
    assert (told["data"], told["n"]) == ("dev", 16)


def test_answers_side_by_side(pair_run: Path, run_cli: RunCommand) -> None:
    arguments = (
        "report",
        pair_run,
        "--data",
        pair_run.parent / "pairs.jsonl",
        "--against",
        pair_run,
        "--against",
        pair_run,
    )
    told = json.loads(run_cli(*arguments, "--json").stdout)
    assert (told["n"], told["runs"]) == (72, [str(pair_run)] * 3)
    for row in told["rows"]:
        assert [answer["label"] == row["label"] for answer in row["answers"]] == row["right"]
        assert row["answers"][0] == row["answers"][2]
    ended = run_cli(*arguments)
    assert all(cell_len(line) <= 80 for line in ended.stdout.splitlines())
    assert "C = contradiction" in ended.stdout
    right = sum(row["right"][0] for row in told["rows"])
    assert f": {right} of 72 right" in " ".join(ended.stdout.split())


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--only", "word"], "--only word: did you mean 'words'?"),
        (["--data", "some.csv", "--split", "dev"], "expected either --data FILE or --split NAME"),
        (["--only", "words", "--against", "RUN"], "--only chooses what is told of attention"),
        (["--text-column", "a"], "--text-column and --label-column name columns of --data FILE"),
        (["--against", "no-run"], "no-run"),
        (["--data", "none.jsonl"], "none.jsonl"),
    ],
)
def test_what_is_refused(arguments: list[object], told: str, pair_run: Path, run_cli: RunCommand) -> None:
    ended = run_cli("report", pair_run, *[pair_run if given == "RUN" else given for given in arguments])
    assert (ended.status, ended.stdout) == (2, "")
    assert told in ended.stderr and ended.stderr.count("\n") == 1


def test_a_run_without_attention_has_no_report(text_run: Path, run_cli: RunCommand) -> None:
    ended = run_cli("report", text_run)
    assert (ended.status, ended.stdout) == (2, "")
    assert f"{text_run}: its reader attends to nothing" in ended.stderr


def test_runs_of_other_tasks_do_not_stand_side_by_side(text_run: Path, pair_run: Path, run_cli: RunCommand) -> None:
    ended = run_cli("report", pair_run, "--against", text_run)
    assert ended.status == 2
    assert "its task is classify" in ended.stderr
