"""What a person sees of a training run: a progress bar on a terminal, plain lines elsewhere, the same in train.log."""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TextIO

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

from readhead.training.state import Progress as Standing

SECONDS_BETWEEN_LINES = 30.0


class Report:
    """Tells of a run while it trains.

    unit: what an example is called ("pairs").
    watched: the metric that picks the best weights.
    log: train.log, appended to; None before the run directory exists.
    stream: where people look, standard error if None; a terminal gets a bar, anything else plain lines.
    quiet: whether only the log is written.
    """

    def __init__(
        self, *, unit: str, watched: str, log: Path | None, stream: TextIO | None = None, quiet: bool = False
    ) -> None:
        self.unit, self.watched, self.log, self.quiet = unit, watched, log, quiet
        self.console = Console(file=stream or sys.stderr, highlight=False, quiet=quiet, soft_wrap=True)
        self._bar = _bar(self.console) if self.console.is_terminal and not quiet else None
        self._task: TaskID | None = None
        self._steps = self._examples = self._first = 0
        self._began = self._told = time.monotonic()

    def say(self, line: str) -> None:
        """One line, for people and for the log."""
        self.console.print(line, markup=False)
        if self.log is not None:
            with self.log.open("a", encoding="utf-8") as file:
                file.write(f"{time.strftime('%Y-%m-%d %H:%M:%S')} {line}\n")

    def start_epoch(self, standing: Standing, *, steps: int, examples: int) -> None:
        """An epoch begins, or goes on where a checkpoint left it."""
        self._steps, self._examples, self._first = steps, examples, standing.examples
        self._began = self._told = time.monotonic()
        if self._bar is not None:
            self._bar.start()
            self._task = self._bar.add_task(f"epoch {standing.epoch + 1}", total=examples, rate="", loss="")

    def step(self, standing: Standing) -> None:
        """One step is done."""
        if self._bar is not None and self._task is not None:
            rate, loss = f"{self._rate(standing):,.0f} {self.unit}/s", f"loss {self._loss(standing):.4f}"
            self._bar.update(self._task, completed=standing.examples, rate=rate, loss=loss)
        elif time.monotonic() - self._told > SECONDS_BETWEEN_LINES:
            self._told = time.monotonic()
            self.say(self._line(standing))

    def epoch(self, line: Mapping[str, Any]) -> None:
        """An epoch is scored; `line` is what metrics.jsonl gets."""
        if self._bar is not None and self._task is not None:
            self._bar.remove_task(self._task)
            self._bar.stop()
        losses = f"loss {line['train_loss']:.4f}, on dev {line['dev_loss']:.4f}"
        watched = f"dev {self.watched} {line[f'dev_{self.watched}']:.4f}"
        best = " (best so far)" if line["best"] else ""
        self.say(f"epoch {line['epoch']}: {losses}; {watched}{best}, {line['seconds']:.0f} s")

    def close(self) -> None:
        """Takes the bar off the terminal."""
        if self._bar is not None:
            self._bar.stop()

    def _rate(self, standing: Standing) -> float:
        return (standing.examples - self._first) / max(1e-9, time.monotonic() - self._began)

    def _loss(self, standing: Standing) -> float:
        return standing.loss_sum / max(1, standing.loss_weight)

    def _line(self, standing: Standing) -> str:
        rate = self._rate(standing)
        left = (self._examples - standing.examples) / max(1e-9, rate)
        place = f"epoch {standing.epoch + 1}, step {standing.step} of {self._steps}"
        return f"{place}: loss {self._loss(standing):.4f}, {rate:,.0f} {self.unit}/s, {left:.0f} s left in the epoch"


def _bar(console: Console) -> Progress:
    columns = ("{task.description}", BarColumn(), "{task.percentage:>3.0f} %", "{task.fields[rate]}")
    left = (TextColumn("{task.fields[loss]}"), TimeRemainingColumn())
    return Progress(*columns, *left, console=console, transient=True)
