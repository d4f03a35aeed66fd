"""Every figure on a shipped model's card comes from its file in results/."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from readhead import shipped
from readhead.results import printed

RESULTS = Path(__file__).parents[2] / "results" / "shipped"
MINE = [name for name in ("sentiment", "nli", "lm") if name in shipped.shipped()]


@pytest.mark.parametrize("name", MINE)
def test_the_card_tells_the_figures_of_the_shipped_model(name: str) -> None:
    card = (shipped.SHIPPED / name / "README.md").read_text(encoding="utf-8")
    result = json.loads((RESULTS / f"{name}.json").read_text(encoding="utf-8"))
    watched = {metric for metric in result["metrics"] if metric.endswith(("accuracy", "perplexity"))}
    assert watched
    for metric in watched:
        before, after = result["metrics"][metric]["mean"], result["shipped"]["metrics"][metric]
        assert f"| {printed(metric, before)} | {printed(metric, after)} |" in card, metric
    assert f"{result['shipped']['bytes'] / 1e6:.1f} MB" in card
    assert shipped.weights_size(name) == result["shipped"]["bytes"]
    assert f"{result['shipped']['smaller']['kept']:,} words" in card


@pytest.mark.parametrize("name", MINE)
def test_the_card_names_all_data_by_their_checksums(name: str) -> None:
    card = (shipped.SHIPPED / name / "README.md").read_text(encoding="utf-8")
    result = json.loads((RESULTS / f"{name}.json").read_text(encoding="utf-8"))
    assert all(f"{file}`" in card and digest in card for file, digest in result["data"].items())


def test_the_card_of_lm_tells_that_n_grams_are_better() -> None:
    metrics = json.loads((RESULTS.parent / "imdb" / "kn5.json").read_text(encoding="utf-8"))["metrics"]
    dev, test = (printed("perplexity", metrics[name]["mean"]) for name in ("dev_perplexity", "perplexity"))
    assert f"{dev} on dev, {test} on test" in (shipped.SHIPPED / "lm" / "README.md").read_text(encoding="utf-8")
