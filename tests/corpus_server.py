"""A web server on this machine that serves files as badly as it is told to."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass
class Served:
    """One file, and how it is served.

    refusals: statuses that the first requests get instead of the file.
    cuts: after how many bytes of their answer the next requests are hung up on.
    ranges: whether a part can be asked for.
    lie: by how much the length that is told is too long.
    shift: by how much the part that is sent begins behind the part that was asked for.
    moved: where the file is to be looked for instead.
    stall: whether a request that is cut is kept waiting instead.
    """

    body: bytes = b""
    refusals: list[int] = field(default_factory=list)
    cuts: list[int] = field(default_factory=list)
    ranges: bool = True
    lie: int = 0
    shift: int = 0
    moved: str | None = None
    kind: str = "application/octet-stream"
    stall: bool = False


@dataclass
class CorpusServer:
    """What it serves by path, and what it was asked: path and `Range`, in order."""

    url: str
    files: dict[str, Served] = field(default_factory=dict)
    asked: list[tuple[str, str | None]] = field(default_factory=list)
    sent: int = 0


@contextmanager
def corpus_server() -> Iterator[CorpusServer]:
    """Runs until the block ends."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked = self.headers.get("Range")
            server.asked.append((self.path, asked))
            served = server.files.get(self.path)
            if served is None or served.refusals:
                self.send_error(served.refusals.pop(0) if served else 404)
            elif served.moved is not None:
                self._head(302, {"Location": served.moved, "Content-Length": "0"})
            else:
                self._serve(served, asked if served.ranges else None)

        def _serve(self, served: Served, asked: str | None) -> None:
            size = len(served.body)
            begin = int(re.fullmatch(r"bytes=(\d+)-", asked)[1]) if asked else 0  # type: ignore[index]
            if asked and begin >= size:
                self._head(416, {"Content-Range": f"bytes */{size}", "Content-Length": "0"})
                return
            begin += served.shift if asked else 0
            head = {"Content-Type": served.kind, "Content-Length": str(size - begin + served.lie)}
            if asked:
                head["Content-Range"] = f"bytes {begin}-{size - 1}/{size}"
            self._head(206 if asked else 200, head)
            cut = served.cuts.pop(0) if served.cuts else None
            body = served.body[begin:] if cut is None else served.body[begin : begin + cut]
            server.sent += len(body)
            self.wfile.write(body)
            while cut is not None and served.stall:
                time.sleep(0.02)

        def _head(self, status: int, headers: dict[str, str]) -> None:
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as httpd:
        server = CorpusServer(f"http://127.0.0.1:{httpd.server_address[1]}")
        thread = threading.Thread(target=httpd.serve_forever, args=(0.01,))
        thread.start()
        yield server
        for served in server.files.values():
            served.stall = False
        httpd.shutdown()
        thread.join()
