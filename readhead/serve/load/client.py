"""A client that keeps its connection: as little of it as will do, since it works on the cores that it measures."""

from __future__ import annotations

import asyncio
import socket

HEAD = b"POST %s HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
_END = b"\r\n\r\n"


def request(body: bytes, *, path: bytes = b"/v1/predict") -> bytes:
    """A request, whole."""
    return HEAD % (path, len(body)) + body


def response(begun: bytes) -> tuple[int, bytes] | None:
    """Status and body of an answer; None while it is not whole."""
    end = begun.find(_END)
    if end < 0:
        return None
    head, body = begun[:end].lower(), begun[end + len(_END) :]
    length = int(head.partition(b"content-length:")[2].split(b"\r\n", 1)[0])
    return None if len(body) < length else (int(head[9:12]), body)


class Client:
    """One connection, one request after the other."""

    def __init__(self, port: int) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port))
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def ask(self, request: bytes) -> tuple[int, bytes]:
        """Status and body of the answer."""
        self._socket.sendall(request)
        begun = b""
        while (answer := response(begun)) is None:
            begun += self._socket.recv(65_536)
        return answer

    def close(self) -> None:
        """Hangs up."""
        self._socket.close()


class AsyncClient:
    """The same for many at once."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._reader: asyncio.StreamReader | None = None
        self._writer: asyncio.StreamWriter | None = None

    async def ask(self, request: bytes) -> tuple[int, bytes]:
        """Status and body of the answer. Raises: ConnectionError if the service hangs up first."""
        if self._writer is None:
            self._reader, self._writer = await asyncio.open_connection("127.0.0.1", self._port)
        assert self._reader is not None
        self._writer.write(request)
        begun = b""
        while (answer := response(begun)) is None:
            piece = await self._reader.read(65_536)
            if not piece:
                raise ConnectionError("the service hung up")
            begun += piece
        return answer

    async def vanish(self, request: bytes) -> None:
        """Sends a request and hangs up without waiting for its answer."""
        self.close()
        _, writer = await asyncio.open_connection("127.0.0.1", self._port)
        writer.write(request)
        await writer.drain()
        writer.transport.abort()

    def close(self) -> None:
        """Hangs up."""
        if self._writer is not None:
            self._writer.close()
        self._reader = self._writer = None
