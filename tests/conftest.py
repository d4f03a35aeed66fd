"""What every test stands on: one thread, one seed, the command line as a function, poisoned memory."""

from __future__ import annotations

import io
import random
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import pytest
import torch
from hypothesis import settings

from readhead import __version__

# The same examples on every run: a failure is never somebody else's luck.
settings.register_profile("readhead", deadline=None, derandomize=True, database=None, max_examples=50)
settings.load_profile("readhead")


@dataclass(frozen=True, slots=True)
class Finished:
    """A command that has ended: its exit status and what it printed."""

    status: int
    stdout: str
    stderr: str


RunCommand = Callable[..., Finished]


def pytest_report_header() -> str:
    return f"readhead {__version__}, torch {torch.__version__}, cuda: {torch.cuda.is_available()}"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if torch.cuda.is_available():
        return
    for item in items:
        if item.get_closest_marker("gpu"):
            item.add_marker(pytest.mark.skip(reason="needs a CUDA device"))


@pytest.fixture(scope="session", autouse=True)
def one_thread() -> None:
    torch.set_num_threads(1)


@pytest.fixture(autouse=True)
def seeds() -> None:
    random.seed(0)
    np.random.seed(0)
    torch.manual_seed(0)


@pytest.fixture
def run_cli(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> RunCommand:
    """`run_cli("predict", run, stdin=lines)`: a command inside this process, so torch is loaded once."""
    from readhead.cli.main import run

    def finish(*arguments: object, stdin: str = "") -> Finished:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin.encode()), encoding="utf-8"))
        capsys.readouterr()
        with pytest.raises(SystemExit) as end:
            run([str(argument) for argument in arguments])
        printed = capsys.readouterr()
        return Finished(int(end.value.code or 0), printed.out, printed.err)

    return finish


@pytest.fixture
def run_process() -> RunCommand:
    """The same in a process of its own: slower, for what is seen from outside (start-up, broken pipes)."""

    def finish(*arguments: object, stdin: str = "", timeout: float = 60.0) -> Finished:
        command = [sys.executable, "-m", "readhead", *map(str, arguments)]
        ended = subprocess.run(
            command, input=stdin, capture_output=True, encoding="utf-8", timeout=timeout, check=False
        )
        return Finished(ended.returncode, ended.stdout, ended.stderr)

    return finish


@pytest.fixture
def poisoned_memory(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Memory that nobody has written holds NaN: an op that forgets an element fails loudly."""
    mode = torch.get_deterministic_debug_mode()
    monkeypatch.setattr(torch.utils.deterministic, "fill_uninitialized_memory", True)
    torch.use_deterministic_algorithms(True)
    assert torch.empty(8).isnan().all()
    yield
    torch.set_deterministic_debug_mode(mode)
