"""Which epoch's weights are kept: by the task's score, or by the loss."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from readhead.own_data import OwnData, own_recipe
from readhead.run import RunRecord
from readhead.training.request import Request
from readhead.training.start import train


def trained(folder: Path, by: str) -> tuple[RunRecord, list[dict[str, Any]]]:
    """Trains on labels that are half noise: after a few epochs the loss on dev grows, whatever answers do."""
    rows = (f"{'good' if n % 2 else 'bad'} w{n % 7} w{n % 11} w{n % 13},{(n * n // 3 + n) % 2}" for n in range(80))
    (folder / "own.csv").write_text("text,label\n" + "".join(f"{row}\n" for row in rows))
    changes = [
        *("vectors.dim=8", "vectors.length=1.0", "embedding.dropout=0.0", "model.num_layers=1", "training.average=0.1"),
        *("optimizer.learning_rate=0.05", "training.patience=3", f"training.choose_by={by}"),
    ]
    recipe = own_recipe(OwnData(task="classify", data=folder / "own.csv", reader="words"), None, changes)
    record = train(Request(recipe=recipe, out=folder / by, corpora=folder, device="cpu", quiet=True))
    return record, [json.loads(line) for line in (folder / by / "metrics.jsonl").read_text().splitlines()]


@pytest.mark.parametrize(
    ("by", "key", "pick", "why"),
    [
        ("score", "dev_accuracy", max, "no better accuracy on dev for 3 epochs"),
        ("loss", "dev_loss", min, "no better loss on dev for 3 epochs"),
    ],
)
def test_the_epoch_kept_is_the_first_of_the_best(tmp_path: Path, by: str, key: str, pick: Any, why: str) -> None:
    record, lines = trained(tmp_path, by)
    figures = [line[key] for line in lines]
    assert record.best["epoch"] == 1 + figures.index(pick(figures))
    assert record.best["value"] == lines[record.best["epoch"] - 1]["dev_accuracy"], "what is told is the accuracy"
    assert (record.finished, len(lines)) == (why, record.best["epoch"] + 3)
    assert f"by dev {'loss' if by == 'loss' else 'accuracy'};" in (tmp_path / by / "README.md").read_text()


def test_both_ways_choose_another_epoch_here(tmp_path: Path) -> None:
    by_score, by_loss = (trained(tmp_path, by)[0].best["epoch"] for by in ("score", "loss"))
    assert by_score != by_loss, "the tests above show nothing"
