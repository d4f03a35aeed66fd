"""The command line as a whole: help, exit statuses, one line for every error, and readers that hang up."""

from __future__ import annotations

import io
import json
import os
import shlex
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from readhead import __version__, durable
from readhead.cli.main import status_of
from readhead.cli.verbs import VERBS
from readhead.training import start
from tests.cli.refusals import refusal
from tests.tiny import tiny_recipe

BELOW = ("recipes list", "recipes show", "recipes copy", "recipes check", "data list", "data fetch", "data check")


@pytest.mark.parametrize("verb", [*VERBS, *BELOW])
def test_every_verb_has_help(run_cli: Any, verb: str) -> None:
    ended = run_cli(*verb.split(), "--help")
    assert (ended.status, ended.stderr) == (0, "")
    assert ended.stdout.startswith(f"Usage: readhead {verb} ")
    assert max(map(len, ended.stdout.splitlines())) <= 100


def test_the_version_is_told(run_cli: Any) -> None:
    assert run_cli("--version").stdout == f"readhead {__version__}\n"


def test_what_was_printed_before_an_error_is_not_lost_in_a_pipe(run_process: Any, tmp_path: Path) -> None:
    bad = tmp_path / "bad.csv"
    bad.write_text("premise,hypothesis,label\na,b,\nc,d,x\ne,f,y\n")
    ended = run_process("data", "check", bad, "--task", "pair")
    assert ended.status == 2
    assert "bad.csv:2: no label" in ended.stdout
    assert "2 good rows" in ended.stdout


@pytest.mark.parametrize("arguments", [(), ("--help",), ("-h",)], ids=["bare", "--help", "-h"])
def test_help_lists_every_verb(run_cli: Any, arguments: tuple[str, ...]) -> None:
    ended = run_cli(*arguments)
    assert (ended.status, ended.stderr) == (0, "")
    assert all(f"\n  {verb} " in ended.stdout for verb in VERBS)
    assert max(map(len, ended.stdout.splitlines())) <= 80


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("trian",), "trian"),
        (("train", "--epochs", "3"), "--epochs"),
        (("predict",), "RUN"),
        (("train", "snli/lstm", "--threads", "0"), "--threads"),
        (("train", "snli/lstm", "--seed", "x"), "--seed"),
        (("recipes", "--json", "list"), "--json"),
        (("data", "--json", "list"), "--json"),
    ],
)
def test_a_wrong_command_line_is_told_in_one_line(run_cli: Any, arguments: tuple[str, ...], told: str) -> None:
    assert told in refusal(run_cli(*arguments))


def _failing(error: str, *more: str) -> subprocess.CompletedProcess[str]:
    """`readhead recipes list` in a process where reading a recipe raises."""
    code = f"""
from readhead import recipe
from readhead.cli.main import run
def read(name): raise {error}
recipe.read = read
run(["recipes", "list", *{more!r}])
"""
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)


def test_our_fault_is_exit_1_and_one_line() -> None:
    ended = _failing("RuntimeError('two\\n lines')")
    assert (ended.returncode, ended.stdout) == (1, "")
    assert ended.stderr == "readhead: RuntimeError: two lines (our fault, not yours; --debug shows where)\n"


def test_a_full_disk_is_exit_1_and_nobodys_fault() -> None:
    ended = _failing("OSError(28, 'No space left on device')")
    assert ended.returncode == 1
    assert ended.stderr == "readhead: OSError: [Errno 28] No space left on device (--debug shows where)\n"


def test_debug_shows_the_traceback(run_cli: Any) -> None:
    assert "Traceback" in _failing("RuntimeError('x')", "--debug").stderr
    ended = run_cli("recipes", "show", "nothing", "--debug")
    assert ended.status == 2
    assert "Traceback" in ended.stderr


def test_a_folder_that_cannot_be_written_is_named(
    run_cli: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def denied(path: Path, data: bytes) -> None:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(durable, "write", denied)
    file = tmp_path / "mine.toml"
    assert refusal(run_cli("recipes", "copy", "snli/lstm", file)) == f"{file}: Permission denied"


def test_interrupted_it_tells_the_line_that_resumes(
    run_cli: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "tiny.toml"
    file.write_text(tiny_recipe(tmp_path).to_toml())
    monkeypatch.chdir(tmp_path)
    real, steps = start.Trainer._step, 0

    def step(self: start.Trainer, indices: object) -> float:
        nonlocal steps
        steps += 1
        if steps == 5:
            os.kill(os.getpid(), signal.SIGINT)
        return real(self, indices)  # type: ignore[arg-type]

    typed = ("train", "tiny.toml", "--set", "training.epochs=2", "--seed", "3", "--device", "cpu", "--out", "a b")
    with monkeypatch.context() as patched:
        patched.setattr(start.Trainer, "_step", step)
        ended = run_cli(*typed)
    assert ended.status == 130
    *_, last = ended.stderr.splitlines()
    line = last.removeprefix("readhead: interrupted; to go on: ")
    program, *arguments = shlex.split(line)
    assert (program, arguments) == ("readhead", [*typed, "--resume"])
    assert run_cli(*arguments).status == 0
    assert json.loads((tmp_path / "a b" / "run.json").read_text())["finished"] == "all 2 epochs done"


@pytest.mark.parametrize(
    "verb", ["--help", "recipes list", "recipes list --json", "data list", "explain RUN a b", "predict RUN"]
)
def test_a_reader_that_hangs_up_is_no_error(
    pair_run: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], verb: str
) -> None:
    line = json.dumps({"premise": "The baker sings.", "hypothesis": "A baker sings."})
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(line.encode())))
    reading, writing = os.pipe()
    os.close(reading)
    with open(writing, "w", encoding="utf-8") as nobody:  # noqa: PTH123
        monkeypatch.setattr(sys, "stdout", nobody)
        assert status_of(verb.replace("RUN", str(pair_run)).split()) == 0
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("verb", ["train pair/words", "predict .", "bench ops"])
def test_more_threads_than_a_machine_can_bear_are_refused(run_cli: Any, verb: str) -> None:
    ended = run_cli(*verb.split(), "--threads", "99999")
    assert ended.status == 2
    assert "--threads 99999: this machine has" in ended.stderr
