"""What is answered to a request that is not: a status, and `{"error", "detail"}`."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus

from fastapi.responses import Response

from readhead.serve.wire import json_bytes

VANISHED = 499  # nobody reads it; servers before us count those who hung up under this number


class Refusal(Exception):
    """A request that is not answered.

    status: of HTTP.
    error: in a few words that stay the same, for programs.
    detail: one sentence that names the field and says what was expected, for people.
    headers: that the answer carries.
    """

    def __init__(self, status: int, error: str, detail: str, *, headers: Mapping[str, str] | None = None) -> None:
        self.status, self.error, self.detail = status, error, " ".join(detail.split())
        self.headers = dict(headers or {})
        super().__init__(self.detail)

    def response(self) -> Response:
        """As it goes over the wire."""
        body = json_bytes({"error": self.error, "detail": self.detail})
        return Response(body, self.status, self.headers, media_type="application/json")


def wrong(error: str, detail: str) -> Refusal:
    """What was asked cannot be understood: 422."""
    return Refusal(HTTPStatus.UNPROCESSABLE_ENTITY, error, detail)


def too_large(detail: str) -> Refusal:
    """More was asked than is taken on at once: 413."""
    return Refusal(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "too large", detail)


def overloaded(detail: str) -> Refusal:
    """Others are waited for: 429, and to be asked again in a second."""
    return Refusal(HTTPStatus.TOO_MANY_REQUESTS, "too many requests", detail, headers={"Retry-After": "1"})
