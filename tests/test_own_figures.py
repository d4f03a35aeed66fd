"""`readhead bench own`: what is measured of which files, and how it is told."""

from __future__ import annotations

import csv
import json
import lzma
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from readhead import own_figures
from readhead.own_figures import Data, imdb_openings, measure, sst, summaries, write_csv
from tests.cli.refusals import refusal

WORDS = ("fine", "dull")


def reviews(count: int) -> list[tuple[str, str]]:
    """Texts whose label is the word that they begin with."""
    return [(f"{WORDS[n % 2]} film, number {n}", WORDS[n % 2]) for n in range(count)]


@pytest.fixture
def corpora(tmp_path: Path) -> Path:
    for split in ("train", "test"):
        (tmp_path / "imdb").mkdir(exist_ok=True)
        with lzma.open(tmp_path / "imdb" / f"{split}.tsv.xz", "wt", encoding="utf-8") as file:
            for n in range(12):
                polarity, rating = ("neg", 2) if n % 2 else ("pos", 9)
                file.write(f"{polarity}\t{n}\t{rating}\t{split} {n} {'word ' * 70}\n")
        (tmp_path / "sst" / "trees").mkdir(parents=True, exist_ok=True)
        trees = "(4 (3 Nice) (2 film))\n(0 (1 No) (2 film))\n(2 (2 A) (2 film))\n"
        (tmp_path / "sst" / "trees" / f"{split}.txt").write_text(trees)
    return tmp_path


def test_sst_is_a_users_file(corpora: Path) -> None:
    fine, binary = sst(corpora, "fine"), sst(corpora, "binary")
    assert fine.train == [("Nice film", "very positive"), ("No film", "very negative"), ("A film", "neutral")]
    assert binary.test == [("Nice film", "positive"), ("No film", "negative")]


def test_openings_are_drawn_anew_for_each_seed(corpora: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(own_figures, "DRAWN", 5)
    one, again, other = (imdb_openings(corpora, seed) for seed in (0, 0, 1))
    assert (one.train, one.test) == (again.train, again.test)
    assert one.train != other.train
    assert one.test == other.test
    assert (len(set(one.train)), len(one.test)) == (5, 12)
    for text, label in (*one.train, *one.test):
        assert len(text.split()) == 60
        assert label == ("negative" if int(text.split()[1]) % 2 else "positive")
    assert {text.split()[0] for text, _ in one.train} == {"train"}


def test_a_written_file_is_read_as_it_was(tmp_path: Path) -> None:
    rows = [('a "quoted", text', "x"), ("two\nlines", "y")]
    write_csv(tmp_path / "own.csv", rows)
    with (tmp_path / "own.csv").open(newline="", encoding="utf-8") as file:
        assert [(row["text"], row["label"]) for row in csv.DictReader(file)] == rows


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> Data:
    pytest.importorskip("sklearn")
    data = Data(reviews(60), reviews(20))
    monkeypatch.setattr(own_figures, "DATA", {"small": lambda corpora, seed: data})
    return data


FAST = ("vectors.dim=8", "model.hidden_dim=8", "training.epochs=4", "optimizer.learning_rate=0.1")


def test_baselines_and_readers_are_scored_on_the_same_texts(small: Data, tmp_path: Path) -> None:
    vectors = tmp_path / "v.txt"
    vectors.write_text("fine 1 0 0 0 0 0 0 0\ndull 0 1 0 0 0 0 0 0\nfilm 0 0 1 0 0 0 0 0\n")
    changes = ["training.epochs=4", "model.hidden_dim=8", "optimizer.learning_rate=0.1"]
    rows = list(measure("small", 0, corpora=tmp_path, vectors=vectors, changes=changes))
    assert [row["system"] for row in rows] == ["tfidf", "tfidf-bigrams", "readhead", "readhead-vectors"]
    assert [row["accuracy"] for row in rows] == [100.0] * 4
    assert {(row["train"], row["test"]) for row in rows} == {(60, 20)}
    assert all(row["seconds"] >= 0 and row["cpu_seconds"] >= 0 for row in rows)


def test_the_summary_compares_seed_by_seed() -> None:
    def row(system: str, accuracy: float) -> dict[str, Any]:
        return {"data": "d", "system": system, "accuracy": accuracy, "cpu_seconds": accuracy}

    found = summaries([row("tfidf", 70), row("readhead", 72), row("tfidf", 80), row("readhead", 81)])
    assert [(one["system"], one["accuracy"]["mean"]) for one in found] == [("tfidf", 75), ("readhead", 76.5)]
    assert found[1]["over_tfidf"]["per_seed"] == [2, 1]
    assert found[1]["most_cpu_seconds"] == 81


def bench(run_cli: Any, *more: object) -> Any:
    return run_cli("bench", "own", "--seeds", 2, *more, *(word for change in FAST for word in ("--set", change)))


def test_the_command_tells_figures_and_circumstances(run_cli: Any, small: Data, tmp_path: Path) -> None:
    ended = bench(run_cli, "--corpora", tmp_path, "--json")
    assert ended.status == 0, ended.stderr
    told = json.loads(ended.stdout)
    assert [(row["seed"], row["system"]) for row in told["rows"]] == [
        (seed, system) for seed in (0, 1) for system in ("tfidf", "tfidf-bigrams", "readhead")
    ]
    assert told["machine"]["cores"] >= 1
    assert told["changes"] == list(FAST)
    table = bench(run_cli, "--corpora", tmp_path).stdout.splitlines()
    assert max(map(len, table)) <= 80
    assert any(line.split()[:2] == ["small", "readhead"] for line in table)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--data", "smal"), "--data smal: did you mean 'small'"),
        (("--corpora", "nowhere"), "nowhere: --corpora: no such folder"),
    ],
)
def test_what_it_refuses(run_cli: Any, small: Data, words: Sequence[str], told: str) -> None:
    assert refusal(bench(run_cli, *words)).startswith(told)


def test_without_sklearn_it_names_the_extra(run_cli: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(own_figures, "find_spec", lambda name: None)
    assert "pip install 'readhead[baselines]'" in refusal(bench(run_cli))
