"""What a person sees of downloads: a progress bar on a terminal, plain lines elsewhere."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import Self, TextIO

from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TaskID, TimeRemainingColumn, TransferSpeedColumn

SECONDS_BETWEEN_LINES = 10.0


class DownloadReport:
    """Tells of downloads while they run.

    stream: where people look, standard error if None; a terminal gets a bar, anything else plain lines.
    """

    def __init__(self, *, stream: TextIO | None = None) -> None:
        self.console = Console(file=stream or sys.stderr, highlight=False, soft_wrap=True)
        self._bar = _bar(self.console) if self.console.is_terminal else None
        self._task: TaskID | None = None
        self._name, self._first, self._have = "", 0, 0
        self._total: int | None = None
        self._began = self._told = time.monotonic()

    def __enter__(self) -> Self:
        if self._bar is not None:
            self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.stop()

    def say(self, line: str) -> None:
        """One line for people."""
        self.console.print(line, markup=False)

    def begin(self, name: str, have: int, total: int | None) -> None:
        """Bytes begin to come: `have` of `total` are there already; None where the server does not say how many."""
        self._name, self._first, self._have, self._total = name, have, have, total
        self._began = self._told = time.monotonic()
        if self._bar is not None:
            self._task = self._bar.add_task(name, total=total, completed=have)
            return
        begun = f", from {_size(have)} on" if have else ""
        self.say(f"{name}: {'of unknown size' if total is None else _size(total)}{begun}")

    def advance(self, count: int) -> None:
        """So many bytes more have come."""
        self._have += count
        if self._bar is not None and self._task is not None:
            self._bar.update(self._task, completed=self._have)
        elif time.monotonic() - self._told > SECONDS_BETWEEN_LINES:
            self._told = time.monotonic()
            self.say(self._line())

    def end(self) -> None:
        """No more come, since all are there or since the connection was cut."""
        if self._bar is not None and self._task is not None:
            self._bar.remove_task(self._task)
        came = f"{_size(self._have - self._first)} in {time.monotonic() - self._began:.0f} s"
        self.say(f"{self._name}: {came}" + (f", {_size(self._have)} in all" if self._first else ""))

    def _line(self) -> str:
        rate = (self._have - self._first) / max(1e-9, time.monotonic() - self._began)
        if self._total is None:
            return f"{self._name}: {_size(self._have)}, {_size(rate)}/s"
        left = (self._total - self._have) / max(1.0, rate)
        share = f"{self._have / max(1, self._total):.0%}"
        return (
            f"{self._name}: {_size(self._have)} of {_size(self._total)} ({share}), {_size(rate)}/s, {left:.0f} s left"
        )


def _size(count: float) -> str:
    """Bytes as people write them: "31.4 MB"."""
    for unit in ("bytes", "kB", "MB"):
        if count < 1000:
            return f"{count:.0f} {unit}" if unit == "bytes" else f"{count:.1f} {unit}"
        count /= 1000
    return f"{count:.2f} GB"


def _bar(console: Console) -> Progress:
    columns = ("{task.description}", BarColumn(bar_width=None), DownloadColumn())
    return Progress(*columns, TransferSpeedColumn(), TimeRemainingColumn(), console=console, transient=True)
