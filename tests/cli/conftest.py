"""Two small runs that the verbs read with, trained once for all tests."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from readhead import recipe
from readhead.training.request import Request
from readhead.training.start import train
from tests.tiny import tiny_recipe

OWN = Path(__file__).parents[1] / "fixtures" / "own"


def trained_run(chosen: recipe.Recipe, folder: Path) -> Path:
    """The run directory of a recipe that was trained there."""
    torch.manual_seed(0)
    train(Request(recipe=chosen, out=folder / "run", corpora=folder, device="cpu", quiet=True))
    return folder / "run"


@pytest.fixture(scope="session")
def pair_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A reader of pairs; its data lie beside it as `pairs.jsonl`."""
    folder = tmp_path_factory.mktemp("pair")
    return trained_run(tiny_recipe(folder, ("training.epochs=6", "optimizer.learning_rate=0.01")), folder)


@pytest.fixture(scope="session")
def text_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A reader of single texts, whose columns were named when it was trained."""
    changes = [
        f"corpus.train={OWN / 'reviews.csv'}",
        'corpus.text_columns=["review"]',
        "corpus.label_column=rating",
        "vectors.dim=8",
        "reader.hidden_dim=8",
        "model.hidden_dim=8",
        "training.epochs=1",
    ]
    return trained_run(recipe.read("classify/lstm", changes), tmp_path_factory.mktemp("text"))
