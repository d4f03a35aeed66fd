"""The scripts in examples/ run as their first lines say, and print what they promise."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.docs.pages import ROOT, Block
from tests.docs.shell import Shell

EXAMPLES = ROOT / "examples"


@pytest.fixture
def run_example(shell: Shell, tutorial: tuple[Path, dict[Block, str]]) -> object:
    """Runs one in the folder that the tutorial leaves behind."""
    return lambda line: shell.run(Block("sh", f"python {EXAMPLES}/{line}\n", (0, 0)), tutorial[0])


def test_all_examples_are_run_here() -> None:
    told = Path(__file__).read_text(encoding="utf-8")
    assert {path.stem for path in EXAMPLES.glob("*.py")} == set(re.findall(r'run_example\("(\w+)\.py', told))


def test_a_csv_is_learnt_from_and_read(run_example) -> None:  # type: ignore[no-untyped-def]
    told = run_example("train_on_csv.py messages.csv 'Where is my bell?' 'The lock is broken.'")
    figure, first, second = told.splitlines()
    assert figure.endswith("on texts that were set aside")
    assert first.startswith("delivery") and second.startswith("repair")


def test_an_lstmn_learns_in_another_loop_and_reads_on(run_example) -> None:  # type: ignore[no-untyped-def]
    told = run_example("own_training_loop.py banana").splitlines()
    assert told[-6:] == ["b new", "a new", "n new", "a again", "n again", "a again"]


def test_a_reading_is_looked_into(run_example, tutorial) -> None:  # type: ignore[no-untyped-def]
    told = run_example("look_inside.py runs/lstmn 'The chain came loose again.'").splitlines()
    assert told[0].endswith(", because of")
    assert "text->text, the strongest look of each word:" in told
    assert "The chain came loose again." in (tutorial[0] / "look_inside.html").read_text(encoding="utf-8")
