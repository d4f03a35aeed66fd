"""Small runs of every task, trained once for all tests here."""

from __future__ import annotations

from pathlib import Path

import pytest

from readhead import recipe
from tests.cli.conftest import OWN, trained_run
from tests.tiny import tiny_recipe

CORPORA = Path(__file__).parents[1] / "fixtures" / "corpora"
SMALL = ("vectors.dim=8", "training.epochs=1")


@pytest.fixture(scope="session")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pair")
    return trained_run(tiny_recipe(folder, ("training.epochs=2",)), folder)


@pytest.fixture(scope="session")
def rank(tmp_path_factory: pytest.TempPathFactory) -> Path:
    changes = (f"corpus.train={OWN / 'questions.csv'}", *SMALL, "model.hidden_dim=8", "corpus.dev_fraction=0.3")
    return trained_run(recipe.read("rank/decomposable", changes), tmp_path_factory.mktemp("rank"))


@pytest.fixture(scope="session")
def lm(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("lm")
    (folder / "ptb").symlink_to(CORPORA / "ptb")
    return trained_run(recipe.read("ptb/lstm", (*SMALL, "reader.hidden_dim=8")), folder)
