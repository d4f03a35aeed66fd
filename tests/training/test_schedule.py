"""The papers' schedules: rows from a vectors file learn less in the first epoch; the rate decays on a plateau."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file

from readhead.data.vocabulary import Vocabulary
from readhead.errors import InputError
from readhead.training.request import Request
from readhead.training.start import train
from tests.tiny import tiny_recipe

WIDTH = 8


def _vectors(folder: Path) -> Path:
    """A vectors file that knows "baker" and "sailor" and none of the other words."""
    path = folder / "two.txt"
    path.write_text("".join(f"{word} {' '.join(['0.5'] * WIDTH)}\n" for word in ("baker", "sailor")))
    return path


def _table_after(folder: Path, out: str, *changes: str) -> tuple[np.ndarray, Vocabulary]:
    given = (f'vectors.file="{_vectors(folder)}"', 'vectors.oov="normal"', *changes)
    recipe = tiny_recipe(folder, given)
    train(Request(recipe=recipe, out=folder / out, corpora=folder, device="cpu", quiet=True))
    table = load_file(folder / out / "weights.safetensors")["embedding.table"]
    return table, Vocabulary.open(folder / out / "vocabulary.txt")


def _row(table: np.ndarray, words: Vocabulary, word: str) -> np.ndarray:
    return table[words.ids([word])[0]]


def test_pretrained_rows_stand_still_for_an_epoch_and_the_others_learn(tmp_path: Path) -> None:
    still = ("training.epochs=1", "training.pretrained_gradient=0.0")
    table, words = _table_after(tmp_path, "still", *still)
    assert np.array_equal(_row(table, words, "baker"), np.full(WIDTH, 0.5, np.float32))
    free, _ = _table_after(tmp_path, "free", "training.epochs=1")
    assert not np.array_equal(_row(free, words, "baker"), _row(table, words, "baker"))
    start, _ = _table_after(tmp_path, "start", *still, "optimizer.learning_rate=1e-12")
    assert not np.allclose(_row(table, words, "nurse"), _row(start, words, "nurse"))


def test_from_the_second_epoch_on_they_learn(tmp_path: Path) -> None:
    changes = ("training.pretrained_gradient=0.0", "training.epochs=2", "training.decay=1.0")
    train_all = (*changes, "training.pretrained_gradient_epochs=1.0")
    recipe = tiny_recipe(tmp_path, (f'vectors.file="{_vectors(tmp_path)}"', 'vectors.oov="normal"', *train_all))
    train(Request(recipe=recipe, out=tmp_path / "run", corpora=tmp_path, device="cpu", quiet=True))
    last = load_file(tmp_path / "run" / "checkpoint" / "state.safetensors")["model.embedding.table"]
    words = Vocabulary.open(tmp_path / "run" / "vocabulary.txt")
    assert not np.array_equal(_row(last, words, "baker"), np.full(WIDTH, 0.5, np.float32))


def test_the_rate_decays_after_each_epoch_without_a_better_score(tmp_path: Path) -> None:
    changes = ("training.decay=0.5", "training.epochs=6", "training.patience=6")
    train(
        Request(recipe=tiny_recipe(tmp_path, changes), out=tmp_path / "run", corpora=tmp_path, device="cpu", quiet=True)
    )
    lines = [json.loads(line) for line in (tmp_path / "run" / "metrics.jsonl").read_text().splitlines()]
    expected, best = 0.001, -1.0
    for line in lines:
        assert line["learning_rate"] == pytest.approx(expected)
        if line["dev_accuracy"] <= best:
            expected /= 2
        best = max(best, line["dev_accuracy"])
    assert expected < 0.001, "no epoch was without a better score: the test shows nothing"


def test_a_linear_rate_falls_step_by_step_to_nothing_and_does_so_when_resumed(tmp_path: Path) -> None:
    changes = ("training.schedule=linear", "training.decay=1.0", "training.epochs=4", "training.batch_size=8")
    request = Request(
        recipe=tiny_recipe(tmp_path, changes), out=tmp_path / "run", corpora=tmp_path, device="cpu", quiet=True
    )
    train(dataclasses.replace(request, budget=1e-9))
    train(dataclasses.replace(request, resume=True))
    lines = [json.loads(line) for line in (tmp_path / "run" / "metrics.jsonl").read_text().splitlines()]
    steps = lines[0]["steps"]
    assert steps > 1
    # A line tells the rate of its epoch's last step.
    assert [line["learning_rate"] for line in lines] == pytest.approx(
        [0.001 * (1 - (epoch - 1 / steps) / 4) for epoch in (1, 2, 3, 4)]
    )


def test_a_rate_can_not_fall_in_two_ways(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r'decay = 0.5 beside schedule = "linear": expected one of the two'):
        tiny_recipe(tmp_path, ("training.schedule=linear", "training.decay=0.5")).training  # noqa: B018


def test_patience_counts_epochs_without_a_better_score(tmp_path: Path) -> None:
    changes = ("training.epochs=50", "training.patience=2", "optimizer.learning_rate=1e-9")
    recipe = tiny_recipe(tmp_path, changes)
    record = train(Request(recipe=recipe, out=tmp_path / "run", corpora=tmp_path, device="cpu", quiet=True))
    assert (record.finished, record.epochs) == ("no better accuracy on dev for 2 epochs", 3.0)
