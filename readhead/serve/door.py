"""Through here every request comes in and every answer goes out."""

from __future__ import annotations

import re
import secrets
import time
from collections.abc import Collection
from http import HTTPStatus
from typing import Any

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from readhead.serve.keys import Keys
from readhead.serve.metrics import Metrics
from readhead.serve.refusal import Refusal, overloaded

HEALTH = ("/health/live", "/health/ready")
SECURITY = (
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (
        b"content-security-policy",
        b"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:"
        b"; connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'",
    ),
)

_REQUEST_ID = re.compile(rb"[\x21-\x7e]{1,128}")


class Door:
    """Names a request, lets it in or not, and counts it.

    app: what is behind it.
    routes: the paths that there are; requests for others are counted as "other".
    keys: that every route but health asks for.
    most: requests inside at once.
    """

    def __init__(self, app: ASGIApp, *, routes: Collection[str], keys: Keys, metrics: Metrics, most: int) -> None:
        self.app, self.routes, self.keys, self.metrics, self.most = app, routes, keys, metrics, most
        self.inside = 0
        self.closing = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        began, status, named = time.perf_counter(), 0, _request_id(scope["headers"])

        async def answer(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = [*message["headers"], (b"x-request-id", named), *self._said()]
            await send(message)

        self.inside += 1
        self.metrics.in_flight.inc()
        try:
            refusal = None if scope["path"] in HEALTH else self._refusal(scope["headers"])
            await (self.app if refusal is None else refusal.response())(scope, receive, answer)
        finally:
            self.inside -= 1
            self.metrics.in_flight.dec()
            route = scope["path"] if scope["path"] in self.routes else "other"
            self.metrics.answered(route, status or HTTPStatus.INTERNAL_SERVER_ERROR, time.perf_counter() - began)

    def close(self) -> None:
        """From now on nobody new is let in; those inside are answered."""
        self.closing = True

    def _refusal(self, headers: Any) -> Refusal | None:
        if not self.keys.open_to(headers):
            told = 'expected a key: the header "Authorization: Bearer KEY" or "X-API-Key: KEY"'
            asks = {"WWW-Authenticate": 'Bearer, Basic realm="readhead: the key is the password", charset="UTF-8"'}
            return Refusal(HTTPStatus.UNAUTHORIZED, "unauthorized", told, headers=asks)
        if self.closing:
            told = "the service is shutting down; ask another one, or again in a moment"
            return Refusal(HTTPStatus.SERVICE_UNAVAILABLE, "shutting down", told, headers={"Retry-After": "1"})
        if self.inside > self.most:
            return overloaded(f"{self.most} requests are being answered; try again in a second")
        return None

    def _said(self) -> tuple[tuple[bytes, bytes], ...]:
        return (*SECURITY, (b"connection", b"close")) if self.closing else SECURITY


def _request_id(headers: Any) -> bytes:
    """The client's own, where it can be given back as it is; else a new one."""
    given: bytes = next((value for name, value in headers if name == b"x-request-id"), b"")
    return given if _REQUEST_ID.fullmatch(given) else secrets.token_hex(8).encode()
