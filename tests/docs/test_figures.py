"""Every figure in README and docs comes from a file in results/, and every result names what it was made with."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import figures  # what fills the tables of the docs, in docs/_ext
import pytest

from readhead.results import printed

ROOT = Path(__file__).parents[2]
RESULTS = sorted((ROOT / "results").rglob("*.json"))
README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGE = (ROOT / "docs" / "results.md").read_text(encoding="utf-8")
EPOCHS = [json.loads(path.read_text(encoding="utf-8")) for path in RESULTS if "epoch-seconds" in path.parts]
KEYS = {
    "recipe",
    "recipe_sha256",
    "rows",
    "seeds",
    "data",
    "complete",
    "commit",
    "versions",
    "machine",
    "seconds",
}
# A row of the page's tables: | `recipe` | epochs | figure | figure | ...
ROW = re.compile(r"^\| `([\w/-]+)` \|(.+)\|$", flags=re.M)
TABLES = {
    "mixture": ("accuracy", "dev_accuracy", "multinli_matched_accuracy"),
    "grammar": ("accuracy", "long_accuracy", "accuracy[phenomenon=hypernyms]", "accuracy[phenomenon=word order]"),
    "ptb": ("perplexity", "dev_perplexity", "dev_perplexity after 1", "dev_perplexity after 2"),
    "sst": ("accuracy", "dev_accuracy"),
    "wikiqa": ("map", "mrr", "dev_map"),
}


def _result(name: str) -> dict[str, Any]:
    path = figures.path_of(name)
    assert path is not None, f"nothing was measured with {name}"
    value: dict[str, Any] = figures.read(path)
    return value


def _cells(row: str) -> list[str]:
    return [cell.strip() for cell in row.split("|")]


def test_the_page_has_a_row_for_every_trained_recipe() -> None:
    trained = {path.relative_to(ROOT / "results").with_suffix("").as_posix() for path in RESULTS}
    shown = {name for name, _ in ROW.findall(PAGE)}
    recipes = {name.partition("@")[0] for name in trained}
    assert {name for name in recipes if name.split("/")[0] in TABLES} == shown


@pytest.mark.parametrize(("name", "row"), ROW.findall(PAGE))
def test_a_row_says_what_its_file_says(name: str, row: str) -> None:
    result = _result(name)
    epochs, *shown = _cells(row)
    assert float(epochs) == round(result["epochs"][0], 1)
    assert shown == [figures.figure(result, metric) for metric in TABLES[name.split("/", maxsplit=1)[0]]]


@pytest.mark.parametrize("path", RESULTS, ids=lambda path: path.stem)
def test_a_result_names_what_it_was_made_with(path: Path) -> None:
    result = json.loads(path.read_text(encoding="utf-8"))
    if "recipe" in result:
        assert result.keys() >= KEYS
        assert result["metrics"], "a result without a figure"


def test_partial_figures_are_called_partial_where_they_stand() -> None:
    for name, _ in ROW.findall(PAGE):
        if not _result(name)["complete"]:
            section = PAGE[: PAGE.index(f"| `{name}`")].rsplit("\n\n", 2)[-2]
            assert "partial" in section.lower(), f"{name} stands without a word that its data is partial"


def _bench(name: str) -> list[dict[str, Any]]:
    value: list[dict[str, Any]] = json.loads((ROOT / "results" / "bench" / f"{name}.json").read_text(encoding="utf-8"))
    return value


def _own_data() -> list[dict[str, Any]]:
    measured = json.loads((ROOT / "results" / "bench" / "own-data.json").read_text(encoding="utf-8"))
    summary: list[dict[str, Any]] = measured["summary"]
    return summary


def test_ratios_are_those_of_the_bench() -> None:
    for row in _bench("training"):
        to_products, faster = row["ratio_to_products"], row["evaluation_to_training"]
        rate = row["pairs_per_second_training"]
        assert f"| {row['model']}, {row['reader']} | {to_products:.2f} | {faster:.1f} | {rate:,.0f} |" in PAGE


def test_speeds_are_those_of_the_bench() -> None:
    """A row for each op, size and backend of ours: how it trains and reads beside torch.nn.LSTM, and what it keeps."""
    measured: dict[tuple[str, str, str], dict[str, dict[str, Any]]] = {}
    for row in _bench("ops"):
        if row["op"] != "attend" and row["backend"] not in ("reference", "nn.LSTM"):
            measured.setdefault((row["op"], str(row["shape"]), row["backend"]), {})[row["mode"]] = row
    for of, modes in measured.items():
        ratios = (f"{modes[mode]['ratio_to_nn_lstm']:.2f}" if mode in modes else "–" for mode in ("train", "inference"))
        kept = f"{modes['train']['saved_mb']:.1f}" if "train" in modes else "–"
        assert f"| {' | '.join([*of, *ratios, kept])} |" in PAGE


def test_the_readme_says_what_the_results_page_says() -> None:
    shipped = {name: _result(f"shipped/{name}")["shipped"]["metrics"] for name in ("sentiment", "nli", "lm")}
    for name, metric, unit in (
        ("sentiment", "group_accuracy", " %"),
        ("sentiment", "accuracy", " %"),
        ("nli", "accuracy", " %"),
        ("lm", "perplexity", " on held-out"),
    ):
        told = printed(metric, shipped[name][metric]) + unit
        assert told in README, f"{name}, {metric}"
        assert told in PAGE, f"{name}, {metric}"
    for system, words in (
        ("readhead", "are read {} to {} points"),
        ("readhead-vectors", "`--vectors` {} to {} points"),
    ):
        gains = [row["over_tfidf"]["mean"] for row in _own_data() if row["system"] == system]
        assert words.format(f"{min(gains):.1f}", f"{max(gains):.1f}") in README, system
    trained = [
        row["ratio_to_nn_lstm"]
        for row in _bench("ops")
        if (row["op"], row["backend"], row["mode"]) == ("lstmn", "cpu", "train")
        if row["shape"][0] > 1 and row["shape"][2] == 300
    ]
    assert f"in {min(trained):.2f} to {max(trained):.2f} times the time of `torch.nn.LSTM`" in README
    assert f"takes {_bench('training')[0]['ratio_to_products']:.2f} times its own matrix products" in README


def test_own_data_have_a_table() -> None:
    def told(mean: float, interval: float | None) -> dict[str, Any]:
        return {"mean": mean, "interval": interval, "per_seed": [mean]}

    rows = [
        {"data": "a", "system": "tfidf", "accuracy": told(80.04, None), "over_tfidf": told(0, None)},
        {"data": "a", "system": "readhead", "accuracy": told(81.26, 0.52), "over_tfidf": told(1.22, 0.5)},
    ]
    _, _, *lines = figures.own_table({"summary": [row | {"most_cpu_seconds": 7.4} for row in rows]})
    assert lines == [
        "| a | TF-IDF, logistic regression | 80.0 | – | 7 |",
        "| a | readhead | 81.3 ± 0.5 | +1.2 ± 0.5 | 7 |",
    ]


def test_seconds_an_epoch_are_those_of_the_runs() -> None:
    (by_torch, by_kernels) = (
        next(result["seconds"][0] for result in EPOCHS if f"reader.backend={backend}" in result["changes"])
        for backend in ("torch", "cpu")
    )
    assert f"took {by_torch:.0f} s on the torch path and {by_kernels:.0f} s with the native kernels" in PAGE


def test_the_loading_times_are_those_of_the_bench() -> None:
    rows = _bench("loading")
    assert f"{rows[0]['pairs']:,} pairs" in PAGE
    for row in rows:
        assert f"| {row['stage']} | {row['cpu_seconds']:.1f} |" in PAGE
