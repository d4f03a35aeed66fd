"""Recipes: found recursively, checked without torch, written out and read again the same."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from readhead import recipe
from readhead.errors import InputError

NAMES = list(recipe.shipped())


def test_recipes_were_found() -> None:
    assert len(NAMES) >= 15
    assert {"snli/decomposable", "snli/decomposable-intra", "demo/decomposable", "pair/decomposable"} <= set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_every_recipe_is_good_and_says_what_it_is(name: str) -> None:
    chosen = recipe.read(name)
    assert chosen.summary
    assert f"readhead train {name}" in recipe.find(name).read_text() or name.split("/", maxsplit=1)[0] in {
        "pair",
        "classify",
        "rank",
        "language-model",
        "demo",
    }


@pytest.mark.parametrize("name", NAMES)
def test_written_out_it_reads_the_same(name: str, tmp_path: Path) -> None:
    chosen = recipe.read(name)
    again = tmp_path / "again.toml"
    again.write_text(chosen.to_toml())
    assert recipe.read(str(again)) == chosen


def test_changes_are_applied_in_order() -> None:
    chosen = recipe.read("snli/decomposable", ["training.epochs=3", "optimizer.learning_rate=0.5", "training.epochs=2"])
    assert chosen.training.epochs == 2
    assert chosen.parts["optimizer"].options["learning_rate"] == 0.5


def test_a_bare_word_is_a_string() -> None:
    assert recipe.read("snli/decomposable", ["vectors.file=own.300d"]).vectors.file == "own.300d"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("training.epoch=3", "did you mean 'epochs'"),
        ("trainin.epochs=3", "did you mean 'training'"),
        ("reader.kind=lsmt", "did you mean 'lstm'"),
        ("epochs=3", "expected section.key=value"),
        ("training.epochs", "expected section.key=value"),
    ],
)
def test_a_wrong_change_is_told(change: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        recipe.read("snli/decomposable", [change])


def test_an_unknown_recipe_is_answered_with_the_nearest() -> None:
    with pytest.raises(InputError, match="did you mean 'snli/decomposable'"):
        recipe.read("snli/decomposible")


def test_broken_toml_is_told_with_its_line(tmp_path: Path) -> None:
    file = tmp_path / "broken.toml"
    file.write_text("[corpus]\nkind = \n")
    with pytest.raises(InputError, match=r"broken.toml: not valid TOML: .*line 2"):
        recipe.read(str(file))


def test_a_missing_section_is_named(tmp_path: Path) -> None:
    file = tmp_path / "part.toml"
    file.write_text('[corpus]\nkind = "snli"\n')
    with pytest.raises(InputError, match=r"the section \[task\] is missing"):
        recipe.read(str(file))


def test_checking_does_not_import_torch() -> None:
    code = "import sys; from readhead import recipe; recipe.read('snli/decomposable'); print('torch' in sys.modules)"
    asked = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert asked.stdout.strip() == "False"
