"""`readhead train --search N`: what it tries, how it is cut and gone on with, what it leaves, what it refuses."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from readhead import durable
from readhead.run import Run
from readhead.search import space
from readhead.training.trainer import Trainer
from tests.cli.refusals import files_below, refusal

pytest.importorskip("optuna")

TINY = (
    *("--set", "training.epochs=1", "--set", "vectors.dim=8", "--set", "model.hidden_dim=8", "--reader", "words"),
    *("--device", "cpu", "--threads", "1"),
)
TIMES = re.compile(r'"seconds": [0-9.]+')


def own_file(folder: Path) -> Path:
    path = folder / "own.csv"
    path.write_text("text,label\n" + "".join(f"{('good', 'bad')[i % 2]} w{i},{i % 2}\n" for i in range(40)))
    return path


@pytest.fixture
def own(tmp_path: Path) -> Path:
    return own_file(tmp_path)


def options(own: Path, out: Path, count: int = 3) -> tuple[object, ...]:
    return ("train", "--task", "classify", "--data", own, "--search", count, "--out", out, *TINY)


def tried(run: Path) -> list[dict[str, Any]]:
    trials: list[dict[str, Any]] = json.loads((run / "search.json").read_text())["trials"]
    return trials


def whole(run: Path) -> dict[str, bytes | None]:
    """A search's files but for times and logs, wherever it lies."""
    kept = {}
    for name, data in files_below(run).items():
        if not name.endswith((".log", "metrics.jsonl", "state.safetensors")) and data is not None:
            text = data.replace(str(run).encode(), b"RUN")
            kept[name] = TIMES.sub('"seconds": 0', text.decode()).encode() if name.endswith(".json") else text
    return kept


def test_the_run_is_what_training_with_the_chosen_settings_gives(run_cli: Any, own: Path, tmp_path: Path) -> None:
    ended = run_cli(*options(own, tmp_path / "run"))
    assert ended.status == 0, ended.stderr
    assert [len(tried(tmp_path / "run")), ended.stderr.count("trial ")] == [3, 3]
    command = shlex.split(next(line for line in ended.stdout.splitlines() if "readhead train" in line))
    plain = run_cli(*command[1:], "--out", tmp_path / "plain", "--device", "cpu", "--threads", "1")
    assert plain.status == 0, plain.stderr
    found, expected = whole(tmp_path / "run"), whole(tmp_path / "plain")
    assert {name: found[name] for name in expected} == expected
    assert run_cli("evaluate", tmp_path / "run").status == 0
    assert run_cli("train", tmp_path / "run" / "recipe.toml", "--out", tmp_path / "run", "--resume").status == 0


def test_the_table_has_every_trial_and_fits_80_columns(run_cli: Any, own: Path, tmp_path: Path) -> None:
    told = run_cli(*options(own, tmp_path / "run")).stdout.splitlines()
    assert told[0].split()[:3] == ["trial", "dev", "accuracy"]
    table = told[: told.index("")]
    assert max(map(len, table)) <= 80
    assert [line.split()[0] for line in table if re.match(r"\s+\d |\s*▸", line)].count("▸") == 1
    assert "words, the defaults" in "".join(table)
    best = max(trial["figure"] for trial in tried(tmp_path / "run"))
    assert any(f"▸ {number}" in line and f"{best:.4f}" in line for line in table for number in (1, 2, 3))


def test_the_first_trial_has_the_defaults_and_only_the_best_keeps_its_weights(
    run_cli: Any, own: Path, tmp_path: Path
) -> None:
    assert run_cli(*options(own, tmp_path / "run")).status == 0
    trials = sorted((tmp_path / "run" / "trials").iterdir())
    assert [trial.name for trial in trials] == ["001", "002", "003"]
    assert Run.open(tmp_path / "run").record.best["value"] == max(t["figure"] for t in tried(tmp_path / "run"))
    assert sum((trial / "weights.safetensors").exists() for trial in trials) == 1
    assert run_cli(*options(own, tmp_path / "plain")[:5], "--out", tmp_path / "plain", *TINY).status == 0
    assert (trials[0] / "recipe.toml").read_bytes() == (tmp_path / "plain" / "recipe.toml").read_bytes()


class Killed(BaseException):
    """Nothing catches it, as nothing catches a kill."""


def test_killed_at_any_write_and_resumed_it_ends_the_same(
    run_cli: Any, own: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plainly, writes, dies_at = durable.write, 0, 0

    def write(path: Path, data: bytes) -> None:
        nonlocal writes
        writes += 1
        if writes == dies_at:
            path.with_name(path.name + ".part").write_bytes(data[: len(data) // 2])
            raise Killed
        plainly(path, data)

    monkeypatch.setattr(durable, "write", write)
    assert run_cli(*options(own, tmp_path / "run", count=2)).status == 0
    undisturbed, written = whole(tmp_path / "run"), writes
    for moment in (1, *range(5, written + 1, 6), written):
        shutil.rmtree(tmp_path / "run")
        writes, dies_at = 0, moment
        with pytest.raises(Killed):
            run_cli(*options(own, tmp_path / "run", count=2))
        dies_at = 0
        ended = run_cli(*options(own, tmp_path / "run", count=2), "--resume")
        assert ended.status == 0, f"killed at write {moment}: {ended.stderr}"
        found = {name: data for name, data in whole(tmp_path / "run").items() if not name.endswith(".part")}
        assert found == undisturbed, f"killed at write {moment}"


def test_interrupted_it_tells_the_line_that_goes_on(
    run_cli: Any, own: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    arguments = [str(word) for word in options(own, tmp_path / "run")]
    epochs = iter([True, False])

    def stopped_in_the_second_trial(trainer: Trainer) -> bool:
        return plainly(trainer) if next(epochs) else False

    with monkeypatch.context() as patched:
        plainly = Trainer.fit
        patched.setattr(Trainer, "fit", stopped_in_the_second_trial)
        ended = run_cli(*arguments)
    assert ended.status == 130
    line = ended.stderr.splitlines()[-1].partition("to go on: ")[2]
    assert shlex.split(line) == ["readhead", *arguments, "--resume"]
    assert len(tried(tmp_path / "run")) == 1
    assert run_cli(*shlex.split(line)[1:]).status == 0
    assert len(tried(tmp_path / "run")) == 3


def test_a_finished_search_has_nothing_to_do_and_a_longer_one_goes_on(run_cli: Any, own: Path, tmp_path: Path) -> None:
    assert run_cli(*options(own, tmp_path / "run", count=2)).status == 0
    before = files_below(tmp_path / "run")
    assert run_cli(*options(own, tmp_path / "run", count=2), "--resume").status == 0
    assert files_below(tmp_path / "run") == before
    assert run_cli(*options(own, tmp_path / "run", count=3), "--resume").status == 0
    assert run_cli(*options(own, tmp_path / "other", count=3)).status == 0
    figures = [[(t["setting"], t["figure"]) for t in tried(tmp_path / name)] for name in ("run", "other")]
    assert figures[0] == figures[1]


def test_a_trial_that_diverges_is_no_end(
    run_cli: Any, own: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(space.SPACES, "classify/words", {"optimizer.learning_rate": (0.002, 1e30)})
    ended = run_cli(*options(own, tmp_path / "run", count=5), "--set", "training.batch_size=8")
    assert ended.status == 0, ended.stderr
    assert [trial["figure"] is None for trial in tried(tmp_path / "run")] == [False, True]
    assert "all settings have been tried: there are 2" in ended.stderr
    assert "diverged" in ended.stdout


def test_the_budget_is_shared_out(run_cli: Any, own: Path, tmp_path: Path) -> None:
    endless = ("--set", "training.epochs=1000000", "--set", "training.patience=1000000")
    for budget in (1.2, 6.0, 12.0):  # where a busy machine held a trial up, a longer try decides
        run, began = tmp_path / str(budget), time.monotonic()
        ended = run_cli(*options(own, run), *endless, "--time-budget", f"{budget}s")
        assert ended.status == 0, ended.stderr
        assert f"time: {budget:.0f} s for 3 trials" in ended.stderr
        assert "* ended by the time budget" in ended.stdout
        trials = tried(run)
        assert budget <= sum(trial["seconds"] for trial in trials) <= time.monotonic() - began
        assert all(trial["cut"] for trial in trials)
        even = [abs(trial["seconds"] - budget / 3) < budget / 4 for trial in trials] == [True] * 3
        if even:
            break
    assert even, [trial["seconds"] for trial in trials]


def test_a_language_model_is_searched_downwards(run_cli: Any, tmp_path: Path) -> None:
    texts = tmp_path / "texts.txt"
    texts.write_text("".join(f"a b {i} c {'defg'[i % 4]}\n" for i in range(40)))
    data = ("--task", "language-model", "--data", texts, "--reader", "kn5", "--device", "cpu")
    ended = run_cli("train", *data, "--search", 3, "--out", tmp_path / "run")
    assert ended.status == 0, ended.stderr
    assert Run.open(tmp_path / "run").record.best["value"] == min(t["figure"] for t in tried(tmp_path / "run"))


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("train", "pair/words", "--search", 2), "--search goes with --data FILE"),
        (("train", "--task", "classify", "--data", "own.csv", "--search", 2, "--from", "."), "--from goes with"),
        (("train", "--task", "classify", "--data", "none.csv", "--search", 2), "none.csv"),
        (("train", "--task", "classify", "--data", "one.csv", "--search", 2), "one.csv.*at least two"),
        (("train", "--task", "classify", "--data", "own.csv", "--search", 2, "--out", "full"), "full.*not empty"),
        (
            ("train", "--task", "classify", "--data", "own.csv", "--search", 2, "--out", "full", "--resume"),
            "full.*holds no search",
        ),
    ],
)
def test_what_it_refuses(
    run_cli: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[object, ...], message: str
) -> None:
    own_file(tmp_path)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "one.csv").write_text("text,label\na,x\nb,x\nc,x\n")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "note.txt").write_text("mine")
    before = files_below(tmp_path)
    assert re.search(message, refusal(run_cli(*words)))
    assert files_below(tmp_path) == before


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (("--seed", "1"), "other --seed"),
        (("--set", "training.epochs=2"), "other defaults"),
        (("--set", "model.dropout=0.5"), "other defaults"),
    ],
)
def test_another_search_does_not_go_on_with_it(
    run_cli: Any, own: Path, tmp_path: Path, more: tuple[str, ...], message: str
) -> None:
    assert run_cli(*options(own, tmp_path / "run", count=1)).status == 0
    assert message in refusal(run_cli(*options(own, tmp_path / "run", count=2), *more, "--resume"))


def test_other_data_is_told(run_cli: Any, own: Path, tmp_path: Path) -> None:
    assert run_cli(*options(own, tmp_path / "run", count=1)).status == 0
    own.write_text(own.read_text() + "one more,1\n")
    told = refusal(run_cli(*options(own, tmp_path / "run", count=2), "--resume"))
    assert told.endswith("search.json: the search was started with other data; resume it with the same")


def test_without_optuna_it_names_the_extra(
    run_cli: Any, own: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(space, "find_spec", lambda name: None if name == "optuna" else find_spec(name))
    assert "pip install 'readhead[search]'" in refusal(run_cli(*options(own, tmp_path / "run")))
    assert not (tmp_path / "run").exists()


@pytest.mark.slow
def test_killed_from_outside_at_random_moments(own: Path, tmp_path: Path) -> None:
    def start(out: Path, *more: str) -> subprocess.Popen[bytes]:
        words = [sys.executable, "-m", "readhead", *map(str, options(own, out)), *more]
        return subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    assert start(tmp_path / "a").wait() == 0
    for seconds in (1.5, 2.5, 3.0, 3.5, 4.0, 4.5):
        process = start(tmp_path / "b", "--resume")
        time.sleep(seconds)
        process.send_signal(signal.SIGKILL)
        process.wait()
    assert start(tmp_path / "b", "--resume").wait() == 0
    found = {name: data for name, data in whole(tmp_path / "b").items() if not name.endswith(".part")}
    assert found == whole(tmp_path / "a")
