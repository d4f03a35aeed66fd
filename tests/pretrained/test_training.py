"""Training from Python is training from the command line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import readhead
from readhead.errors import InputError
from readhead.run import RunFiles

SMALL = {"training.epochs": 2, "training.batch_size": 4, "vectors.dim": 8}


@pytest.fixture
def own(tmp_path: Path) -> Path:
    path = tmp_path / "own.csv"
    rows = [
        f"the {kind} {place} is number {n},{kind}\n" for n in range(10) for kind in ("good", "bad") for place in "xy"
    ]
    path.write_text("message,verdict\n" + "".join(rows))
    return path


def test_the_weights_are_those_of_the_command_line(run_cli: Any, own: Path, tmp_path: Path) -> None:
    columns = {"text_columns": ["message"], "label_column": "verdict"}
    reader = readhead.train(
        task="classify", data=own, out=tmp_path / "python", seed=3, changes=SMALL, quiet=True, **columns
    )
    options = ("--text-column", "message", "--label-column", "verdict", "--seed", "3")
    changes = [word for key, value in SMALL.items() for word in ("--set", f"{key}={value}")]
    told = run_cli(
        "train", "--task", "classify", "--data", own, "--out", tmp_path / "cli", "--threads", "1", *options, *changes
    )
    assert told.status == 0, told.stderr
    weights = [RunFiles(tmp_path / name).weights.read_bytes() for name in ("python", "cli")]
    assert weights[0] == weights[1]
    assert reader("a good one")["label"] in ("good", "bad")


def test_what_is_wrong_is_told_before_anything_is_written(own: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"^label_colum: did you mean 'label_column'\?"):
        readhead.train(task="classify", data=own, out=tmp_path / "run", label_colum="verdict")
    with pytest.raises(InputError, match=r"^--task clasify: did you mean 'classify'\?"):
        readhead.train(task="clasify", data=own, out=tmp_path / "run")
    assert not (tmp_path / "run").exists()
