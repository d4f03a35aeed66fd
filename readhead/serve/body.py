"""A request's body: whole, of bounded size, JSON."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from fastapi import Request

from readhead.serve.refusal import VANISHED, Refusal, too_large
from readhead.serve.wire import read_json


async def json_body(request: Request, most: int) -> Any:
    """The value in a request's body; not a byte more than `most` is kept, however it is sent.

    Raises: Refusal if it is not said to be JSON (415), too long (413) or not JSON (400).
    """
    _check_type(request)
    announced = request.headers.get("content-length", "")
    if announced.isdecimal() and int(announced[:20]) > most:
        raise _too_long(most)
    try:
        return read_json(await _whole(request, most))
    except ValueError as error:
        detail = f"the body is not valid JSON: {error}"
        raise Refusal(HTTPStatus.BAD_REQUEST, "not json", detail) from None


def _check_type(request: Request) -> None:
    given = request.headers.get("content-type", "")
    kind = given.partition(";")[0].strip().lower()
    if kind != "application/json" and not (kind.startswith("application/") and kind.endswith("+json")):
        told = f"found {given!r}" if given else "found none"
        detail = f"the header Content-Type must be application/json; {told}"
        raise Refusal(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "wrong content type", detail)


async def _whole(request: Request, most: int) -> bytes:
    pieces, size = [], 0
    while True:
        message = await request.receive()
        if message["type"] == "http.disconnect":
            raise Refusal(VANISHED, "vanished", "the client hung up before its request was whole")
        pieces.append(message.get("body", b""))
        size += len(pieces[-1])
        if size > most:
            raise _too_long(most)
        if not message.get("more_body", False):
            return b"".join(pieces)


def _too_long(most: int) -> Refusal:
    return too_large(f"the body is longer than the {most:,} bytes that are taken at once")
