"""A run of every task, as small as can be, and texts of ours that it reads."""

from __future__ import annotations

from pathlib import Path

import pytest

from readhead import recipe
from tests.cli.conftest import OWN, trained_run
from tests.tiny import tiny_recipe

PAIR = {"premise": "The baker sings.", "hypothesis": "A baker sleeps."}
TEXT = {"text": "A warm little film, if a slow one."}
QUESTION = {"question": "where do puffins nest ?", "candidates": ["they eat fish", "in burrows by the sea", "never"]}

SMALL = ("vectors.dim=8", "reader.hidden_dim=8", "training.epochs=1")
CORPORA = Path(__file__).parents[1] / "fixtures" / "corpora"

_TRAINED: dict[str, Path] = {}


def trained_once(folders: pytest.TempPathFactory) -> dict[str, Path]:
    """The small runs, trained by whichever test of this process asks first."""
    if not _TRAINED:
        _TRAINED.update(small_runs(folders.mktemp("served")))
    return _TRAINED


def small_runs(folder: Path) -> dict[str, Path]:
    """By name: `pair`, `text` (an LSTMN), `rank` and `lm`; trained below a folder."""
    own = (f"corpus.train={OWN / 'reviews.csv'}", 'corpus.text_columns=["review"]', "corpus.label_column=rating")
    asked = (f"corpus.train={OWN / 'questions.csv'}", "vectors.dim=8", "training.epochs=1", "corpus.dev_fraction=0.3")
    chosen = {
        "text": recipe.read("classify/lstm", (*own, *SMALL, "model.hidden_dim=8", "reader.kind=lstmn")),
        "rank": recipe.read("rank/decomposable", (*asked, "model.hidden_dim=8")),
        "lm": recipe.read("ptb/lstm", SMALL),
    }
    (folder / "pair").mkdir()
    chosen["pair"] = tiny_recipe(folder / "pair", ("training.epochs=2", "text.max_tokens=12"))
    for name in ("text", "rank", "lm"):
        (folder / name).mkdir()
    (folder / "lm" / "ptb").symlink_to(CORPORA / "ptb")
    return {name: trained_run(chosen[name], folder / name) for name in ("pair", "text", "rank", "lm")}
