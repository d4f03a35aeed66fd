"""The README's commands are run as they stand."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

from tests.docs.pages import Block
from tests.docs.shell import Shell

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def _blocks() -> list[str]:
    return re.findall(r"^```sh\n(.*?)^```", README, flags=re.M | re.S)


def test_the_first_block_is_the_two_commands() -> None:
    assert [line.split("#")[0].strip() for line in _blocks()[0].splitlines()] == ["make demo", "make test"]


def test_the_shipped_models_answer_and_explain(shell: Shell, tmp_path: Path) -> None:
    told = _run("predict sentiment", tmp_path, shell)
    (answer,) = [json.loads(line) for line in told.splitlines() if line.startswith('{"label"')]
    assert answer["groups"]["negative"] > 0.5
    assert "parrot" in told
    assert (tmp_path / "why.html").read_text(encoding="utf-8").startswith("<!doctype html>")


def test_own_pairs_are_checked_trained_scored_answered_and_explained(shell: Shell, tmp_path: Path) -> None:
    shutil.copy(ROOT / "tests" / "fixtures" / "own" / "pairs.csv", tmp_path / "pairs.csv")
    told = _run("pairs.csv", tmp_path, shell)
    (answer,) = [json.loads(line) for line in told.splitlines() if line.startswith('{"label"')]
    assert sum(answer["scores"].values()) == pytest.approx(1)
    assert "premise → hypothesis" in told


def _run(of: str, folder: Path, shell: Shell) -> str:
    """Runs the block of commands that names something. Returns what it printed."""
    (block,) = [block for block in _blocks() if of in block]
    return shell.run(Block("sh", block, (0, 0)), folder)


def test_the_picture_is_what_explain_draws() -> None:
    """Its form: the texts, an answer with bars, both directions and the legend, within 80 columns."""
    (picture,) = re.findall(r"^```\n(premise .*?)^```", README, flags=re.M | re.S)
    assert all(len(line) <= 80 for line in picture.splitlines())
    for part in ("▸ contradiction", "premise → hypothesis", "hypothesis → premise", "from .05"):
        assert part in picture
