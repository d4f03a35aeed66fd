"""`readhead recipes`: what can be trained, and what the papers and we have measured with it."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from readhead import recipe
from readhead.errors import InputError
from readhead.results import merged, summary, write_result
from tests.cli.refusals import files_below, refusal

DOWNLOADED = "snli/decomposable"


@pytest.fixture(autouse=True)
def in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def listed(run_cli: Any, *arguments: str) -> dict[str, dict[str, Any]]:
    ended = run_cli("recipes", *arguments)
    assert (ended.status, ended.stderr) == (0, "")
    return {entry["name"]: entry for entry in json.loads(ended.stdout)}


@pytest.mark.parametrize("arguments", [("list", "--json"), ("--json",)])
def test_json_has_the_shape_that_scripts_rely_on(run_cli: Any, arguments: tuple[str, ...]) -> None:
    entries = listed(run_cli, *arguments)
    assert list(entries) == list(recipe.shipped())
    for entry in entries.values():
        assert list(entry) == ["name", "task", "corpus", "rows", "paper", "ours", "complete", "partial"]
        assert (entry["ours"], entry["complete"], entry["partial"]) == (None, False, None)
    known = entries[DOWNLOADED]
    assert (known["task"], known["corpus"]) == ("pair", "snli")
    assert "da/1/our-approach-vanilla" in known["rows"]
    assert known["paper"]["accuracy"] == 86.3


@pytest.mark.parametrize("partial", [None, "half of the pairs"])
def test_ours_comes_from_the_results_folder_and_says_if_it_is_partial(
    run_cli: Any, tmp_path: Path, partial: str | None
) -> None:
    measured = {"metrics": {"accuracy": summary([80.0, 82.0])}, "complete": partial is None, "partial": partial}
    write_result(DOWNLOADED, measured, tmp_path / "results")
    entry = listed(run_cli, "list", "--json")[DOWNLOADED]
    assert (entry["ours"], entry["complete"], entry["partial"]) == ({"accuracy": 81.0}, partial is None, partial)
    table = " ".join(run_cli("recipes", "list").stdout.split())
    assert "accuracy 81.0" in table
    assert table.count("partial") == (partial is not None)


def test_two_rows_with_unequal_figures_for_one_metric_are_refused() -> None:
    same = {"a/1/x": {"accuracy": 1.5}, "a/2/x": {"accuracy": 1.5, "map": 2.0}}
    assert merged(same) == {"accuracy": 1.5, "map": 2.0}
    with pytest.raises(InputError, match=re.escape("a/3/x: accuracy = 1.6, but 1.5 in a row before it")):
        merged({**same, "a/3/x": {"accuracy": 1.6}})


def test_a_damaged_results_file_is_named(run_cli: Any, tmp_path: Path) -> None:
    file = write_result(DOWNLOADED, {}, tmp_path / "results")
    file.write_text("{")
    assert refusal(run_cli("recipes", "list")).startswith("results/snli/decomposable.json: not a results file")


@pytest.mark.parametrize("arguments", [("list",), ()])
def test_the_table_fits_80_columns(run_cli: Any, arguments: tuple[str, ...]) -> None:
    ended = run_cli("recipes", *arguments)
    assert ended.status == 0
    assert all(name in ended.stdout for name in recipe.shipped())
    assert "accuracy 86.3" in ended.stdout
    assert max(map(len, ended.stdout.splitlines())) <= 80


def test_shown_is_what_lies_in_the_package(run_cli: Any) -> None:
    assert run_cli("recipes", "show", DOWNLOADED).stdout == recipe.find(DOWNLOADED).read_text()


def test_a_copy_is_checked_and_trained_like_the_original(run_cli: Any, tmp_path: Path) -> None:
    ended = run_cli("recipes", "copy", DOWNLOADED, "mine.toml")
    assert (ended.status, ended.stderr) == (0, "")
    assert "readhead train mine.toml" in ended.stdout
    assert (tmp_path / "mine.toml").read_bytes() == recipe.find(DOWNLOADED).read_bytes()
    assert "good" in run_cli("recipes", "check", "mine.toml").stdout


def test_check_finds_what_is_wrong(run_cli: Any, tmp_path: Path) -> None:
    text = recipe.find(DOWNLOADED).read_text()
    (tmp_path / "mine.toml").write_text(text.replace("learning_rate", "learning_rat"))
    message = refusal(run_cli("recipes", "check", "mine.toml"))
    assert message.startswith("mine.toml: [optimizer] has an unknown key 'learning_rat'; did you mean 'learning_rate'")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("copy", DOWNLOADED, "there.toml"), "there.toml: this file exists already; nothing was copied"),
        (("copy", DOWNLOADED, "mine.json"), "expected a file that ends in .toml, not 'mine.json'"),
        (("copy", DOWNLOADED, "no/mine.toml"), "no: there is no such folder"),
        (("copy", "snli/decomposible", "mine.toml"), "no recipe is called 'snli/decomposible'; did you mean"),
        (("show", "sln/lstm"), "no recipe is called 'sln/lstm'; did you mean 'snli/lstm'?"),
        (("check", "no.toml"), "no.toml: no such recipe file"),
        (("check", "there.toml"), "there.toml: not valid TOML: Invalid value (at line 1, column 5)"),
    ],
)
def test_what_it_refuses(run_cli: Any, tmp_path: Path, arguments: tuple[str, ...], told: str) -> None:
    (tmp_path / "there.toml").write_text("a = \n")
    before = files_below(tmp_path)
    assert refusal(run_cli("recipes", *arguments)).startswith(told)
    assert files_below(tmp_path) == before
