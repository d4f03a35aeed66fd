"""How long a command takes to answer, in CPU time: what else the machine does shall not decide."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

MOST_FOR_HELP = 0.3  # seconds
MOST_BESIDE_TYPER = 0.1
MOST_FOR_ONE_PAIR = 3.0
MOST_BESIDE_TORCH = 1.0

NOT_NEEDED = ("torch._dynamo", "torch._inductor", "accelerate", "torchmetrics", "sympy", "rich")


def seconds(*arguments: str, most: float, tries: int) -> float:
    """The CPU time of Python so started, the least of some tries; no more than it takes to stay below `most`."""
    best = float("inf")
    for _ in range(tries):
        process = subprocess.Popen([sys.executable, *arguments], stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        assert process.returncode == 0
        best = min(best, usage.ru_utime + usage.ru_stime)
        if best < most:
            break
    return best


def test_help_answers_at_once() -> None:
    answered = seconds("-m", "readhead", "--help", most=MOST_FOR_HELP, tries=5)
    if answered >= MOST_FOR_HELP:
        # Nearly all of it is `import typer`: where a busy machine makes that slow, what we add to it is judged.
        assert answered - seconds("-c", "import typer", most=0, tries=5) < MOST_BESIDE_TYPER


def test_help_imports_no_verb() -> None:
    program = (
        "import sys, readhead.cli.main as cli; cli.status_of(['--help']); print('readhead.cli.train' in sys.modules)"
    )
    asked = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert asked.stdout.endswith("\nFalse\n")


def test_one_pair_is_answered_in_three_seconds_cold(pair_run: Path, tmp_path: Path) -> None:
    pair = tmp_path / "pair.jsonl"
    pair.write_text(json.dumps({"premise": "The baker sings.", "hypothesis": "A baker sings."}))
    arguments = ("-m", "readhead", "predict", str(pair_run), "--input", str(pair), "--threads", "1")
    answered = seconds(*arguments, most=MOST_FOR_ONE_PAIR, tries=3)
    if answered >= MOST_FOR_ONE_PAIR:
        # Two thirds of it is `import torch`: where a busy machine makes that slow, what we add to it is judged.
        answered -= seconds("-c", "import torch", most=0, tries=2)
        assert answered < MOST_BESIDE_TORCH


def test_predicting_imports_nothing_that_it_does_not_need(pair_run: Path, tmp_path: Path) -> None:
    pair = tmp_path / "pair.jsonl"
    pair.write_text(json.dumps({"premise": "The baker sings.", "hypothesis": "A baker sings."}))
    program = f"""
import sys
from readhead.cli.main import status_of
status = status_of(["predict", {str(pair_run)!r}, "--input", {str(pair)!r}, "--output", {str(tmp_path / "out")!r}])
print(status, *sorted({set(NOT_NEEDED)!r} & sys.modules.keys()))
"""
    asked = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert asked.stdout.split() == ["0"]
