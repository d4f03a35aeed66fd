"""A client's connection."""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol


class Connection(H11Protocol):
    """Uvicorn's, but for patience: whoever does not send the head of a request in time is hung up on.

    Without it, a client that says nothing, or one letter a minute, would keep its connection for ever.

    seconds: from its first byte, or from when it connected, to the end of a request's head.
    """

    def __init__(self, *args: Any, seconds: float, **more: Any) -> None:
        super().__init__(*args, **more)
        self._seconds = seconds
        self._due: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """The wait begins."""
        super().connection_made(transport)
        self._wait()

    def data_received(self, data: bytes) -> None:
        """It ends with a request's head, and begins anew with the next one's first byte."""
        super().data_received(data)
        if self.cycle is None or self.cycle.response_complete:
            self._wait()
        else:
            self._wait_no_more()

    def connection_lost(self, exc: Exception | None) -> None:
        """Nobody is left to be waited for."""
        self._wait_no_more()
        super().connection_lost(exc)

    def _wait(self) -> None:
        # Once for a head, however many pieces it comes in.
        if self._due is None:
            self._due = self.loop.call_later(self._seconds, self.transport.close)

    def _wait_no_more(self) -> None:
        if self._due is not None:
            self._due.cancel()
            self._due = None
