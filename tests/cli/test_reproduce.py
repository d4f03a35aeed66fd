"""`readhead reproduce`: from a recipe to its file in results/."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from readhead import recipe, reproduction
from readhead.cli.main import status_of
from readhead.data.corpora import grammar
from tests.cli.refusals import files_below, refusal

# What the design fixes; scripts rely on it.
KEYS = {
    *("recipe", "recipe_sha256", "rows", "seeds", "data", "complete", "commit", "versions", "machine"),
    *("seconds", "metrics", "paper"),
}
CHANGES = ("corpus.size=96", "vectors.dim=8", "training.epochs=1")
SETS = [word for change in CHANGES for word in ("--set", change)]


@pytest.fixture(scope="module", autouse=True)
def short_splits() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(grammar, "HELD_OUT", 84)
        yield


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory, short_splits: None) -> Path:
    """A folder in which a small grammar recipe was reproduced with two seeds."""
    folder = tmp_path_factory.mktemp("reproduced")
    assert status_of(_typed(folder)) == 0
    return folder


def _typed(folder: Path) -> list[str]:
    where = ["--runs", str(folder / "runs"), "--results", str(folder / "results")]
    return ["reproduce", "grammar/bow", *SETS, *where, "--seeds", "2", "--device", "cpu"]


def test_the_results_file_has_the_keys_that_scripts_rely_on(made: Path) -> None:
    told = json.loads((made / "results" / "grammar" / "bow.json").read_text())
    assert told.keys() >= KEYS
    assert told["changes"] == list(CHANGES)
    resolved = recipe.read("grammar/bow", CHANGES).to_toml()
    assert told["recipe_sha256"] == hashlib.sha256(resolved.encode()).hexdigest()
    assert (told["seeds"], len(told["seconds"])) == ([0, 1], 2)


def test_metrics_are_named_by_split_and_have_an_interval(made: Path) -> None:
    metrics = json.loads((made / "results" / "grammar" / "bow.json").read_text())["metrics"]
    assert {"accuracy", "dev_accuracy", "long_accuracy", "recall_neutral", "accuracy_negation"} <= metrics.keys()
    assert not any(name.endswith("loss") for name in metrics)
    for figure in metrics.values():
        assert figure.keys() == {"mean", "interval", "per_seed"}
        assert figure["mean"] == pytest.approx(sum(figure["per_seed"]) / 2)
    assert metrics["accuracy"]["mean"] > 1, "percent, not a share of one"


def test_again_it_goes_on_with_the_runs_that_are_there(run_cli: Any, made: Path) -> None:
    weights = sorted((made / "runs").rglob("weights.safetensors"))
    assert len(weights) == 2
    before = [path.stat().st_mtime_ns for path in weights]
    ended = run_cli(*_typed(made), "--json")
    assert ended.status == 0
    (told,) = json.loads(ended.stdout)
    assert told == json.loads((made / "results" / "grammar" / "bow.json").read_text())
    assert before == [path.stat().st_mtime_ns for path in weights]


def test_people_are_told_paper_beside_ours(run_cli: Any, made: Path) -> None:
    ended = run_cli(*_typed(made))
    assert ended.status == 0
    assert ended.stdout.lstrip().startswith("grammar/bow: all 1 epochs done")
    assert "paper" in ended.stdout
    assert max(map(len, ended.stdout.splitlines())) <= 80


def test_targets_are_papers_tables_rows_and_recipes() -> None:
    assert reproduction.matching("da/1/our-approach-vanilla") == ["snli/decomposable"]
    assert set(reproduction.matching("da")) == {"snli/decomposable", "snli/decomposable-intra"}
    assert set(reproduction.matching("lstmn/3")) == {"snli/bow", "snli/lstm"}
    assert reproduction.matching("grammar/lstm") == ["grammar/lstm"]
    assert set(reproduction.matching(None)) >= {"snli/bow", "snli/decomposable"}


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("d",), "no recipe fills 'd'; `readhead recipes` lists the rows that have one"),
        (("da/1", "--corpora", "{d}/no"), "{d}/no: --corpora: no such folder"),
        (("da/1", "--corpora", "{d}"), "{d}/snli/snli_1.0_train.jsonl: not found"),
        (("grammar/bow", "--budget", "long"), "'long' is no length of time; expected such as 90s, 5m or 1h"),
        (("grammar/bow", "--set", "corpus.sise=3"), "did you mean 'size'?"),
        (("grammar/bow", "--seeds", "0"), "--seeds"),
        (("grammar/bow", "--device", "tpu"), "--device tpu: expected auto, cpu, cuda or cuda:N"),
    ],
)
def test_what_it_refuses(
    run_cli: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], told: str
) -> None:
    monkeypatch.chdir(tmp_path)
    given = [argument.format(d=tmp_path) for argument in arguments]
    assert told.format(d=tmp_path) in refusal(run_cli("reproduce", *given))
    assert files_below(tmp_path) == {}
