"""Uvicorn on a socket, and an end in good order."""

from __future__ import annotations

import contextlib
import signal
import socket
import threading
from collections.abc import Callable, Iterator
from functools import partial
from types import FrameType

import uvicorn

from readhead.serve.app import Service
from readhead.serve.connection import Connection
from readhead.serve.listening import BACKLOG

KEEP_ALIVE = 75  # seconds; longer than a proxy keeps its side, so that it is never the one who is hung up on


def serve(service: Service, listening: socket.socket, *, ready: Callable[[], None] = lambda: None) -> int:
    """Serves until SIGTERM or SIGINT, then answers everybody who is inside.

    ready: called once requests are taken.
    Returns the signal that ended it.
    """
    config = uvicorn.Config(
        service.door,
        http=partial(Connection, seconds=service.limits.seconds),  # type: ignore[arg-type]
        access_log=False,
        log_level="warning",
        lifespan="off",
        ws="none",
        server_header=False,
        proxy_headers=False,
        backlog=BACKLOG,
        timeout_keep_alive=KEEP_ALIVE,
        timeout_graceful_shutdown=int(service.limits.seconds) + 1,
    )
    server = _Server(config, service, ready)
    server.run(sockets=[listening])
    service.close()
    return server.ended_by


class _Server(uvicorn.Server):
    """Uvicorn's, but for the end: those inside are answered first, and the process lives to tell its exit status."""

    def __init__(self, config: uvicorn.Config, service: Service, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self.service, self.ready = service, ready
        self.ended_by = 0

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.ready()

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        if threading.current_thread() is not threading.main_thread():  # where no signal arrives
            yield
            return
        before = {number: signal.signal(number, self.handle_exit) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        # Whoever presses Ctrl-C twice does not want to wait for anybody.
        self.should_exit = self.force_exit = self.force_exit or (self.ended_by == sig == signal.SIGINT)
        self.ended_by = sig
        self.service.door.close()

    async def on_tick(self, counter: int) -> bool:
        if self.service.door.closing and not self.service.door.inside:
            self.should_exit = True
        return await super().on_tick(counter)
