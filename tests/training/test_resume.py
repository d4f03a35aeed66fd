"""A training that is killed and resumed ends with bitwise the same files as one that was left alone."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from readhead import durable
from readhead.errors import InputError, Interrupted
from readhead.training import start
from readhead.training.start import Request, train
from tests.tiny import tiny_recipe

KILLS = 20
SAME = ("weights.safetensors", "vocabulary.txt", "tokenizer.json", "vectors.safetensors", "recipe.toml")


def _request(folder: Path, out: str, *, resume: bool = False, changes: tuple[str, ...] = (), seed: int = 0) -> Request:
    recipe = tiny_recipe(folder, changes)
    return Request(recipe=recipe, out=folder / out, corpora=folder, device="cpu", resume=resume, quiet=True, seed=seed)


def _assert_same_files(one: Path, other: Path) -> None:
    for name in SAME:
        assert (one / name).read_bytes() == (other / name).read_bytes(), name
    assert _without_times(one) == _without_times(other)


def _without_times(run: Path) -> list[dict[str, float]]:
    lines = [json.loads(line) for line in (run / "metrics.jsonl").read_text().splitlines()]
    return [{key: value for key, value in line.items() if key != "seconds"} for line in lines]


def test_twenty_random_kills_change_no_bit(tmp_path: Path) -> None:
    # Saving after every step, with dropout, a gradient norm, early stopping and a decaying rate.
    changes = (
        "training.epochs=12",
        "training.checkpoint_seconds=0.0",
        "training.gradient_norm=5.0",
        "training.patience=6",
        "training.decay=0.8",
    )
    undisturbed = _request(tmp_path, "undisturbed", changes=changes)
    file = tmp_path / "tiny.toml"
    file.write_text(undisturbed.recipe.to_toml())
    train(undisturbed)
    killer = Path(__file__).with_name("killing.py")
    command = [
        sys.executable,
        str(killer),
        str(file),
        str(tmp_path / "killed"),
        str(tmp_path),
        str(KILLS),
        "7",
    ]
    told = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert told.returncode == 0, told.stderr
    assert told.stdout.strip() == f"killed {KILLS}", "the run ended before it was killed often enough"
    _assert_same_files(tmp_path / "undisturbed", tmp_path / "killed")


@pytest.mark.parametrize("stage", ["before the file is whole", "before the rename", "after the rename"])
def test_killed_while_saving(tmp_path: Path, stage: str) -> None:
    changes = ("training.checkpoint_seconds=0.0",)
    train(_request(tmp_path, "undisturbed", changes=changes))
    child = os.fork()
    if child == 0:
        _die_at(stage, save=9)
        train(_request(tmp_path, "killed", changes=changes))
        os._exit(0)
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status), "the child was not killed"
    train(_request(tmp_path, "killed", changes=changes, resume=True))
    _assert_same_files(tmp_path / "undisturbed", tmp_path / "killed")


def _die_at(stage: str, *, save: int) -> None:
    """Makes this process kill itself within its `save`-th durable write of a checkpoint."""
    real_replace, real_write, saves = Path.replace, durable.write, 0

    def die() -> None:
        os.kill(os.getpid(), signal.SIGKILL)

    def replace(self: Path, target: Path) -> Path:
        if saves == save and stage == "before the rename":
            die()
        moved = real_replace(self, target)
        if saves == save and stage == "after the rename":
            die()
        return moved

    def write(path: Path, data: bytes) -> None:
        nonlocal saves
        saves += path.name == "state.safetensors"
        if saves == save and stage == "before the file is whole":
            path.with_name(path.name + ".part").write_bytes(data[: len(data) // 2])
            die()
        real_write(path, data)

    Path.replace = replace  # type: ignore[method-assign, assignment]
    durable.write = write


def test_no_checkpoint_yet_starts_anew(tmp_path: Path) -> None:
    train(_request(tmp_path, "undisturbed"))
    (tmp_path / "killed" / "checkpoint").mkdir(parents=True)
    train(_request(tmp_path, "killed", resume=True))
    _assert_same_files(tmp_path / "undisturbed", tmp_path / "killed")


def test_a_finished_run_has_nothing_to_do(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    train(_request(tmp_path, "run"))
    before = {path: path.stat().st_mtime_ns for path in (tmp_path / "run").rglob("*.safetensors")}
    record = train(_request(tmp_path, "run", resume=True))
    assert record.finished == "all 3 epochs done"
    assert before == {path: path.stat().st_mtime_ns for path in (tmp_path / "run").rglob("*.safetensors")}


def test_interrupted_tells_the_line_that_resumes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    train(_request(tmp_path, "undisturbed"))
    real, steps = start.Trainer._step, 0

    def step(self: start.Trainer, indices: object) -> float:
        nonlocal steps
        steps += 1
        if steps == 5:
            os.kill(os.getpid(), signal.SIGINT)
        return real(self, indices)  # type: ignore[arg-type]

    with monkeypatch.context() as patched:
        patched.setattr(start.Trainer, "_step", step)
        with pytest.raises(Interrupted, match=r"readhead train tiny --out .*stopped --resume"):
            train(_request(tmp_path, "stopped"))
    train(_request(tmp_path, "stopped", resume=True))
    _assert_same_files(tmp_path / "undisturbed", tmp_path / "stopped")


def test_a_failed_write_stops_the_run_loudly(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = durable.write

    def full(path: Path, data: bytes) -> None:
        if path.name == "state.safetensors":
            raise OSError(28, "No space left on device")
        real(path, data)

    monkeypatch.setattr(durable, "write", full)
    with pytest.raises(OSError, match="No space left"):
        train(_request(tmp_path, "run"))


def test_a_full_folder_is_not_overwritten(tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "mine.txt").write_text("keep")
    with pytest.raises(InputError, match="not empty"):
        train(_request(tmp_path, "run"))
    assert [path.name for path in (tmp_path / "run").iterdir()] == ["mine.txt"]


@pytest.mark.parametrize(
    ("changes", "seed", "message"),
    [(("training.epochs=4",), 0, "another recipe"), ((), 1, "other data or another seed")],
)
def test_resume_refuses_another_run(tmp_path: Path, changes: tuple[str, ...], seed: int, message: str) -> None:
    train(_request(tmp_path, "run"))
    record = json.loads((tmp_path / "run" / "run.json").read_text())
    (tmp_path / "run" / "run.json").write_text(json.dumps(record | {"finished": ""}))
    with pytest.raises(InputError, match=message):
        train(_request(tmp_path, "run", resume=True, changes=changes, seed=seed))


def test_a_damaged_checkpoint_is_named(tmp_path: Path) -> None:
    train(_request(tmp_path, "run"))
    record = json.loads((tmp_path / "run" / "run.json").read_text())
    (tmp_path / "run" / "run.json").write_text(json.dumps(record | {"finished": ""}))
    checkpoint = tmp_path / "run" / "checkpoint" / "state.safetensors"
    checkpoint.write_bytes(checkpoint.read_bytes()[:100])
    with pytest.raises(InputError, match=r"state.safetensors: the checkpoint is damaged"):
        train(_request(tmp_path, "run", resume=True))


def test_the_same_seed_gives_the_same_files_and_another_does_not(tmp_path: Path) -> None:
    for out, seed in (("one", 3), ("two", 3), ("three", 4)):
        train(_request(tmp_path, out, seed=seed))
    _assert_same_files(tmp_path / "one", tmp_path / "two")
    weights = [(tmp_path / out / "weights.safetensors").read_bytes() for out in ("one", "three")]
    assert weights[0] != weights[1]
