"""Own texts of every task: one seed gives one set of weights, also where a time budget cut the training in between."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from readhead import recipe
from readhead.training.request import Request
from readhead.training.start import train

OWN = Path(__file__).parents[1] / "fixtures" / "own"
LAYERED = ("vectors.dim=4", "reader.hidden_dim=4", "model.hidden_dim=4")
SMALL = {
    "classify/words": ("reviews.jsonl", "vectors.dim=4"),
    "classify/cnn": ("reviews.jsonl", "vectors.dim=4", "reader.hidden_dim=4"),
    "classify/lstm": ("reviews.jsonl", *LAYERED),
    "pair/decomposable": ("pairs.tsv", "vectors.dim=4", "model.hidden_dim=4"),
    "pair/lstm": ("pairs.tsv", *LAYERED),
    "rank/decomposable": ("questions.csv", "vectors.dim=4", "model.hidden_dim=4"),
    "rank/lstm": ("questions.csv", *LAYERED),
    "language-model/lstm": ("stories.txt", "vectors.dim=4", "reader.hidden_dim=4"),
    "language-model/kn5": ("stories.txt",),
}
TRAINING = ("training.batch_size=4", "training.epochs=1", "corpus.dev_fraction=0.3")


def request(name: str, out: Path) -> Request:
    file, *small = SMALL[name]
    training = TRAINING if "kn5" not in name else TRAINING[-1:]
    chosen = recipe.read(name, [f"corpus.train={OWN / file}", *small, *training])
    return Request(recipe=chosen, out=out, corpora=OWN, seed=3, device="cpu", quiet=True)


def learnt(run: Path) -> tuple[bytes, list[dict[str, float]], float]:
    """Weights, what was measured on the way, and the temperature."""
    lines = [json.loads(line) for line in (run / "metrics.jsonl").read_text().splitlines()]
    measured = [{name: value for name, value in line.items() if name != "seconds"} for line in lines]
    return (
        (run / "weights.safetensors").read_bytes(),
        measured,
        json.loads((run / "run.json").read_text())["temperature"],
    )


@pytest.mark.parametrize("name", SMALL)
def test_one_seed_gives_one_set_of_weights(name: str, tmp_path: Path) -> None:
    train(request(name, tmp_path / "one"))
    train(request(name, tmp_path / "again"))
    assert learnt(tmp_path / "one") == learnt(tmp_path / "again")
    cut = replace(request(name, tmp_path / "cut"), budget=1e-9)
    assert (train(cut).budget is None) == ("kn5" in name), "what counts is done at once; no budget cuts it"
    train(replace(cut, budget=None, resume=True))
    assert learnt(tmp_path / "cut") == learnt(tmp_path / "one")
