"""Training without descent: a model that counts its texts, once."""

from __future__ import annotations

import time
from typing import Protocol, runtime_checkable

import numpy as np
import torch
from jaxtyping import Int

from readhead.data.encoded import EncodedSplit
from readhead.tasks.scoring import score_split
from readhead.tasks.task import Task
from readhead.training.metrics_log import MetricsLog
from readhead.training.report import Report
from readhead.training.state import State


@runtime_checkable
class Counts(Protocol):
    """A model that learns all it will ever know from one reading of its texts."""

    def count(self, ids: Int[np.ndarray, " T"], bounds: Int[np.ndarray, " bounds"]) -> None:
        """Reads N texts. ids: [T], end to end; bounds: [N + 1]."""
        ...


def score_counted(state: State, task: Task, dev: EncodedSplit, log: MetricsLog, report: Report) -> None:
    """Scores a model that has counted, and leaves the state of a training that is over."""
    began, progress = time.monotonic(), state.progress
    metrics = score_split(state.model, task, dev, device=torch.device("cpu")).metrics()
    state.keep_best()
    progress.best, progress.best_epoch = metrics[task.watched], 0
    progress.epoch, progress.trained, progress.finished = 1, 1.0, "all texts counted"
    progress.seconds = time.monotonic() - began
    told = {f"dev_{name}": value for name, value in metrics.items()}
    log.cut(0)
    log.append({"epoch": 1, **told, "best": True, "seconds": round(progress.seconds, 3)})
    report.say(f"counted: dev {task.watched} {progress.best:.4f}")
