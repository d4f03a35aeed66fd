"""Trains in a child process and kills it, again and again, until a training has come to its end.

Run as a script: `python killing.py RECIPE OUT CORPORA KILLS SEED`. torch is imported once; every attempt is a fork, so
that twenty kills take seconds.
"""

from __future__ import annotations

import os
import random
import signal
import sys
import time
from pathlib import Path

import torch

from readhead import recipe
from readhead.training.request import Request
from readhead.training.start import train


def attempt(request: Request) -> int:
    """Trains in a child. Returns its process id."""
    child = os.fork()
    if child == 0:
        status = 1
        try:
            train(request)
            status = 0
        finally:
            os._exit(status)
    return child


def main(name: str, out: str, corpora: str, kills: int, seed: int) -> None:
    torch.set_num_threads(1)
    request = Request(
        recipe=recipe.read(name), out=Path(out), corpora=Path(corpora), device="cpu", resume=True, quiet=True
    )
    dice, killed, longest = random.Random(seed), 0, 0.4
    while True:
        child = attempt(request)
        if killed < kills:
            time.sleep(dice.uniform(0.0, longest))
            finished, _ = os.waitpid(child, os.WNOHANG)
            if not finished:
                os.kill(child, signal.SIGKILL)
                os.waitpid(child, 0)
                killed += 1
                longest += 0.1  # later attempts live longer, so that the run gets somewhere
                continue
            break
        _, status = os.waitpid(child, 0)
        if status:
            raise SystemExit(f"an attempt failed with status {status}")
        break
    print(f"killed {killed}")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4]), int(sys.argv[5]))
