"""Several processes that answer the chunks of one stream, in order."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import torch

from readhead.prediction.predictor import Predictor
from readhead.prediction.records import Asked
from readhead.run import Run

Answers = list[dict[str, Any]]

AHEAD = 2  # chunks that each worker has waiting, so that none is idle while answers are written


def answer_in_processes(
    folder: Path, chunks: Iterable[Sequence[Asked]], *, workers: int, device: str
) -> Iterator[Answers]:
    """As `Predictor.stream`, by several processes with a thread each; memory stays constant, order is kept.

    The answers to a chunk may wait until `workers` times two more chunks have been read.

    folder: the run directory; each worker opens it.
    chunks: checked lines.
    workers: processes.
    device: where each worker's model lies.
    """
    # Spawned and not forked: a fork of a process that has run torch's threads can hang.
    context, waiting = get_context("spawn"), deque[Future[Answers]]()
    with ProcessPoolExecutor(workers, context, initializer=_open, initargs=(folder, device)) as pool:
        for chunk in chunks:
            waiting.append(pool.submit(_answer, list(chunk)))
            if len(waiting) > AHEAD * workers:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()


_opened: list[Predictor] = []  # one in each worker


def _open(folder: Path, device: str) -> None:
    torch.set_num_threads(1)
    _opened.append(Predictor(run=Run.open(folder, device=device)))


def _answer(chunk: list[Asked]) -> Answers:
    (answers,) = _opened[0].stream([chunk])
    return answers
