"""Labels put together under wider names, from recipe to answer."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from readhead import load, recipe
from readhead.run import Run
from tests.cli.conftest import trained_run

OWN = Path(__file__).parents[1] / "fixtures" / "own"


def trained(folder: Path, *changes: str) -> Path:
    small = [f"corpus.train={OWN / 'reviews.tsv'}", "vectors.dim=8", "model.hidden_dim=8", "training.epochs=1"]
    return trained_run(recipe.read("classify/words", [*small, *changes]), folder)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return trained(tmp_path_factory.mktemp("grouped"), 'task.groups={bad=["1", "2"], good=["4", "5"]}')


@pytest.fixture(scope="module")
def ungrouped(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return trained(tmp_path_factory.mktemp("ungrouped"))


def test_every_answer_tells_the_groups(run_cli: Any, run: Path) -> None:
    (told,) = map(json.loads, run_cli("predict", run, stdin='{"text": "It works."}\n').stdout.splitlines())
    scores, groups = told["scores"], told["groups"]
    assert list(groups) == ["bad", "good"]
    assert groups["good"] == pytest.approx((scores["4"] + scores["5"]) / (1 - scores["3"]))
    assert load(run)("It works.")["groups"] == pytest.approx(groups)


def test_the_run_keeps_its_groups(run: Path) -> None:
    assert Run.open(run).recipe.parts["task"].options["groups"] == {"bad": ["1", "2"], "good": ["4", "5"]}


def test_the_groups_are_scored_and_what_is_in_none_is_counted(run_cli: Any, run: Path) -> None:
    file = str(OWN / "reviews.tsv")
    told = json.loads(run_cli("evaluate", run, "--data", file, "--json").stdout)
    assert told["counts"] == {"in_no_group": 7}
    assert told["n"] == 30
    low, high = told["intervals"]["group_accuracy"]
    assert 0 <= low <= told["metrics"]["group_accuracy"] <= high <= 1
    table = run_cli("evaluate", run, "--data", file).stdout
    assert "accuracy by group 0." in table
    assert "left out of the accuracy by group, since their label is in none: 7" in table
    assert max(map(len, table.splitlines()[1:])) <= 80  # the first holds whole paths


def test_the_page_and_the_comparison_tell_them_too(run_cli: Any, run: Path, ungrouped: Path, tmp_path: Path) -> None:
    page = tmp_path / "errors.html"
    asked = ("evaluate", run, "--data", OWN / "reviews.tsv", "--against")
    run_cli(*asked, ungrouped, "--errors", page)
    assert "Left out of the accuracy by group, since their label is in none: 7." in page.read_text(encoding="utf-8")
    told = json.loads(run_cli(*asked, ungrouped, "--json").stdout)["against"]
    assert "group_accuracy" not in told["differences"]
    assert "accuracy" in told["differences"]
    told = json.loads(run_cli(*asked, run, "--json").stdout)["against"]
    assert told["differences"]["group_accuracy"]["value"] == 0


def test_an_explanation_tells_groups(run_cli: Any, run: Path) -> None:
    told = json.loads(run_cli("explain", run, "It works.", "--json").stdout)
    assert list(told["answer"]) == ["label", "scores", "groups"]
    assert sum(told["answer"]["groups"].values()) == pytest.approx(1, abs=1e-5)


def test_a_group_of_another_label_is_refused_by_name(run_cli: Any, tmp_path: Path) -> None:
    out = tmp_path / "run"
    told = run_cli(
        *("train", "--task", "classify", "--data", OWN / "reviews.tsv", "--out", out),
        *("--set", 'task.groups={bad=["1"], good=["6"]}'),
    )
    assert (told.status, out.exists()) == (2, False)
    assert "[task] groups: 'good': no label '6'; expected some of 1, 2, 3, 4, 5" in told.stderr
