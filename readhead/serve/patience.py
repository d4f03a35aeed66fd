"""How long a request is worked on: until its time is up, or nobody waits for it any more."""

from __future__ import annotations

import asyncio
from http import HTTPStatus
from types import TracebackType
from typing import Self

from starlette.types import Receive

from readhead.serve.refusal import VANISHED, Refusal


class Patience:
    """`async with Patience(30) as patience:` cancels what is awaited inside, and raises a Refusal in its place.

    seconds: how long.
    """

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._limit = asyncio.timeout(seconds)
        self._watcher: asyncio.Task[None] | None = None
        self._vanished = False

    def watch(self, receive: Receive) -> None:
        """From now on, ends when the client hangs up; its request has been read."""
        self._watcher = asyncio.create_task(self._hung_up(receive))

    async def __aenter__(self) -> Self:
        await self._limit.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if self._watcher is not None:
            self._watcher.cancel()
        try:
            await self._limit.__aexit__(kind, error, traceback)
        except TimeoutError:
            raise self._refusal() from None

    async def _hung_up(self, receive: Receive) -> None:
        while (await receive())["type"] != "http.disconnect":
            pass
        self._vanished = True
        self._limit.reschedule(0)  # now, but as if time were up: whoever waits is woken by one and the same means

    def _refusal(self) -> Refusal:
        if self._vanished:
            return Refusal(VANISHED, "vanished", "the client hung up before it was answered")
        if self._watcher is None:
            told = f"the request did not arrive whole within {self.seconds:g} seconds"
            return Refusal(HTTPStatus.REQUEST_TIMEOUT, "timed out", told)
        told = f"no answer was found within {self.seconds:g} seconds"
        return Refusal(HTTPStatus.GATEWAY_TIMEOUT, "timed out", told)
