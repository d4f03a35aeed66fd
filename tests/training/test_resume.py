"""A training that is killed and resumed ends with bitwise the same files as one that was left alone."""

from __future__ import annotations

import dataclasses
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from readhead import durable
from readhead.errors import InputError, Interrupted
from readhead.recipe import read
from readhead.run import Run, RunFiles
from readhead.training.layout import locked
from readhead.training.request import Request
from readhead.training.start import train
from readhead.training.trainer import Trainer
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
    records = [json.loads((run / "run.json").read_text()) | {"seconds": 0} for run in (one, other)]
    assert records[0] == records[1]
    cards = [(run / "README.md").read_text().replace(str(run), "RUN") for run in (one, other)]
    assert cards[0] == cards[1]


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


def test_interrupted_tells_the_line_that_resumes(tmp_path: Path) -> None:
    train(_request(tmp_path, "undisturbed"))
    stopped = _request(tmp_path, "stopped")
    _stop_after(5, stopped)
    out = stopped.out
    resuming = f"readhead train {out}/recipe.toml --out {out} --seed 0 --corpora {tmp_path} --resume"
    assert stopped.going_on == resuming
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
    [(("training.epochs=4",), 0, "another recipe"), ((), 1, "other seed")],
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


@pytest.mark.parametrize("optimizer", ["kind='sgd',learning_rate=0.1,momentum=0.9", "kind='adagrad',learning_rate=0.1"])
def test_every_optimizer_resumes_bitwise(tmp_path: Path, optimizer: str) -> None:
    tables = dict(pair.split("=") for pair in optimizer.split(","))
    recipe = tiny_recipe(tmp_path).to_toml()
    before, _, rest = recipe.partition("[optimizer]")
    section = "".join(f"{key} = {value}\n" for key, value in tables.items())
    file = tmp_path / "other.toml"
    file.write_text(f"{before}[optimizer]\n{section}\n[text]{rest.partition('[text]')[2]}")
    chosen = read(str(file))
    for out in ("undisturbed", "stopped"):
        request = Request(recipe=chosen, out=tmp_path / out, corpora=tmp_path, device="cpu", quiet=True)
        if out == "stopped":
            _stop_after(5, request)
            request = dataclasses.replace(request, resume=True)
        train(request)
    _assert_same_files(tmp_path / "undisturbed", tmp_path / "stopped")


def _stop_after(steps: int, request: Request) -> None:
    real, taken = Trainer._step, 0

    def step(self: Trainer, indices: object) -> tuple[float, int]:
        nonlocal taken
        taken += 1
        if taken == steps:
            os.kill(os.getpid(), signal.SIGINT)
        return real(self, indices)  # type: ignore[arg-type]

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(Trainer, "_step", step)
        with pytest.raises(Interrupted):
            train(request)


@pytest.mark.parametrize("file", ["weights.safetensors", "README.md", "run.json"])
def test_killed_while_finishing(tmp_path: Path, file: str) -> None:
    train(_request(tmp_path, "undisturbed"))
    child = os.fork()
    if child == 0:
        real, writes = durable.write, 0

        def write(path: Path, data: bytes) -> None:
            nonlocal writes
            writes += path.name == file
            if path.name == file and writes == (2 if file == "run.json" else 1):
                os.kill(os.getpid(), signal.SIGKILL)
            real(path, data)

        durable.write = write
        train(_request(tmp_path, "killed"))
        os._exit(0)
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status), "the child was not killed"
    train(_request(tmp_path, "killed", resume=True))
    _assert_same_files(tmp_path / "undisturbed", tmp_path / "killed")


def test_a_budget_ends_early_and_a_later_sitting_goes_on_as_if_there_had_been_none(tmp_path: Path) -> None:
    train(_request(tmp_path, "undisturbed"))
    cut = dataclasses.replace(_request(tmp_path, "cut"), budget=1e-9)
    record = train(cut)
    assert (record.finished, record.budget) == ("the time budget of 1e-09 s is spent", 1e-9)
    assert 0 < record.epochs < 1
    assert Run.open(tmp_path / "cut").record.best["epoch"] == 1
    again = dataclasses.replace(cut, resume=True)
    assert train(again).epochs == record.epochs, "the same budget has nothing left to spend"
    whole = train(dataclasses.replace(again, budget=None))
    assert (whole.finished, whole.budget, whole.epochs) == ("all 3 epochs done", None, 3.0)
    _assert_same_files(tmp_path / "undisturbed", tmp_path / "cut")


def test_a_budget_that_ends_within_the_last_epoch_is_told_as_one(tmp_path: Path) -> None:
    train(_request(tmp_path, "undisturbed", changes=("training.epochs=1",)))
    cut = dataclasses.replace(_request(tmp_path, "cut", changes=("training.epochs=1",)), budget=1e-9)
    assert train(cut).finished == "the time budget of 1e-09 s is spent"
    whole = train(dataclasses.replace(cut, resume=True, budget=None))
    assert (whole.finished, whole.epochs) == ("its one epoch done", 1.0)
    _assert_same_files(tmp_path / "undisturbed", tmp_path / "cut")


def test_resume_keeps_its_hands_off_a_folder_that_is_no_run(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "README.md").write_text("keep")
    with pytest.raises(InputError, match="holds no run"):
        train(_request(tmp_path, "mine", resume=True))
    assert [path.name for path in (tmp_path / "mine").iterdir()] == ["README.md"]


def test_two_trainings_do_not_share_a_run(tmp_path: Path) -> None:
    files = RunFiles(tmp_path / "run")
    with locked(files.checkpoint.parent), pytest.raises(InputError, match="another training is at work"):
        train(_request(tmp_path, "run", resume=True))


def test_a_diverged_training_says_what_to_try(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"diverged; try a smaller \[optimizer\] learning_rate"):
        train(_request(tmp_path, "run", changes=("optimizer.learning_rate=1e30", "training.epochs=20")))


def test_resume_does_not_compare_words_that_change_nothing(tmp_path: Path) -> None:
    request = _request(tmp_path, "run")
    _stop_after(5, request)
    reworded = dataclasses.replace(request.recipe, name="other", summary="said otherwise")
    record = train(dataclasses.replace(request, recipe=reworded, resume=True))
    assert record.finished


def test_other_vocabulary_is_told(tmp_path: Path) -> None:
    request = _request(tmp_path, "run")
    _stop_after(5, request)
    vocabulary = tmp_path / "run" / "vocabulary.txt"
    vocabulary.write_bytes(vocabulary.read_bytes() + b"more\n")
    with pytest.raises(InputError, match=r"vocabulary.txt: the data gives another file"):
        train(dataclasses.replace(request, resume=True))
