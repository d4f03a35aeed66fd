"""A run directory: opened whole, or the file that is wrong is named."""

from __future__ import annotations

import json
import pickle
import shutil
from pathlib import Path

import pytest
import torch

from readhead.errors import InputError
from readhead.run import Run
from readhead.training.request import Request
from readhead.training.start import train
from tests.tiny import tiny_recipe

NEEDED = (
    "recipe.toml",
    "run.json",
    "vocabulary.txt",
    "tokenizer.json",
    "weights.safetensors",
    "vectors.safetensors",
)


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("run")
    train(Request(recipe=tiny_recipe(folder), out=folder / "run", corpora=folder, device="cpu", quiet=True))
    return folder / "run"


@pytest.fixture
def run(trained: Path, tmp_path: Path) -> Path:
    """A copy to break."""
    return Path(shutil.copytree(trained, tmp_path / "run"))


def test_it_holds_what_the_design_lists(trained: Path) -> None:
    found = {path.relative_to(trained).as_posix() for path in trained.rglob("*") if path.is_file()}
    assert found == {*NEEDED, "checkpoint/state.safetensors", "metrics.jsonl", "README.md", "train.log"}


def test_it_opens_twice_the_same(trained: Path) -> None:
    one, two = Run.open(trained).model.state_dict(), Run.open(trained).model.state_dict()
    assert one.keys() == two.keys()
    assert all(torch.equal(one[name], two[name]) for name in one)


@pytest.mark.parametrize("name", NEEDED)
def test_a_missing_file_is_named(run: Path, name: str) -> None:
    (run / name).unlink()
    with pytest.raises(InputError, match=rf"{name}: .*missing"):
        Run.open(run)


@pytest.mark.parametrize("name", NEEDED)
def test_a_truncated_file_is_named(run: Path, name: str) -> None:
    data = (run / name).read_bytes()
    (run / name).write_bytes(data[: len(data) // 2])
    with pytest.raises(InputError, match=name):
        Run.open(run)


@pytest.mark.parametrize("name", ["weights.safetensors", "vectors.safetensors"])
@pytest.mark.parametrize("protocol", [2, 5])
def test_a_pickle_is_refused(run: Path, name: str, protocol: int) -> None:
    (run / name).write_bytes(pickle.dumps({"a": 1}, protocol=protocol))
    with pytest.raises(InputError, match=rf"{name}: this is a pickle"):
        Run.open(run)


def test_a_torch_archive_is_refused(run: Path) -> None:
    torch.save({"a": torch.ones(1)}, run / "weights.safetensors")
    with pytest.raises(InputError, match="this is a pickle"):
        Run.open(run)


def test_weights_of_another_model_are_refused(run: Path) -> None:
    from safetensors.torch import load_file, save_file

    weights = load_file(run / "weights.safetensors")
    name = next(iter(weights))
    save_file({**weights, name: torch.zeros(1, 2)}, run / "weights.safetensors")
    with pytest.raises(InputError, match=rf"'{name}' has the shape \[1, 2\], expected"):
        Run.open(run)


def test_a_run_that_is_not_finished_says_how_to_go_on(run: Path) -> None:
    record = json.loads((run / "run.json").read_text())
    (run / "run.json").write_text(json.dumps(record | {"finished": ""}))
    with pytest.raises(InputError, match="--resume"):
        Run.open(run)


def test_a_newer_format_is_refused(run: Path) -> None:
    record = json.loads((run / "run.json").read_text())
    (run / "run.json").write_text(json.dumps(record | {"format": 99}))
    with pytest.raises(InputError, match="newer readhead"):
        Run.open(run)


def test_no_directory_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such run directory"):
        Run.open(tmp_path / "nothing")
