"""Server-sent events: one record after the other, as they are made."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from typing import Any

from fastapi.responses import Response
from starlette.types import Message, Receive, Scope, Send

from readhead.errors import InputError
from readhead.serve.patience import Patience
from readhead.serve.refusal import Refusal
from readhead.serve.wire import json_bytes

MEDIA_TYPE = "text/event-stream"


class EventStream(Response):
    """`event: NAME`, `data: JSON` and a blank line for each record.

    A refusal that comes too late to be a status is the last event, `error`.

    events: names and records.
    seconds: for all of them together.
    """

    media_type = MEDIA_TYPE

    def __init__(self, events: AsyncIterator[tuple[str, Mapping[str, Any]]], *, seconds: float) -> None:
        super().__init__(headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"})
        del self.headers["content-length"]
        self._events, self._seconds = events, seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Sends them; ends when the client hangs up."""
        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        try:
            async with Patience(self._seconds) as patience:
                patience.watch(receive)
                async for name, record in self._events:
                    await send(_body(event(name, record)))
        except Refusal as refusal:
            await send(_body(event("error", {"error": refusal.error, "detail": refusal.detail})))
        except InputError as error:
            await send(_body(event("error", {"error": "wrong input", "detail": str(error)})))
        await send({"type": "http.response.body", "body": b"", "more_body": False})


def event(name: str, record: Mapping[str, Any]) -> bytes:
    """One event. JSON has no line breaks of its own, so its data is one line."""
    return b"event: " + name.encode() + b"\ndata: " + json_bytes(record) + b"\n\n"


def _body(data: bytes) -> Message:
    return {"type": "http.response.body", "body": data, "more_body": True}
