"""Ctrl-C, taken between two steps instead of in the middle of one."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class StopRequest:
    """Whether somebody asked to stop."""

    def __init__(self) -> None:
        self.asked = False

    def __call__(self) -> bool:
        """True from the first request on."""
        return self.asked

    def ask(self, signum: int, frame: FrameType | None) -> None:
        """A signal's handler. The second request is not waited for: the default action takes over."""
        self.asked = True
        signal.signal(signum, signal.SIG_DFL if signum == signal.SIGTERM else signal.default_int_handler)


@contextmanager
def stop_requests() -> Iterator[StopRequest]:
    """SIGINT and SIGTERM become a request while this is entered; in a thread they stay as they were."""
    request, before = StopRequest(), {}
    try:
        for number in (signal.SIGINT, signal.SIGTERM):
            before[number] = signal.signal(number, request.ask)
    except ValueError:  # only the main thread may set handlers; elsewhere nobody sends us any
        pass
    try:
        yield request
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
