"""A service in a thread of this process, on a real socket, and a client that speaks plain HTTP to it."""

from __future__ import annotations

import json
import sys
import threading
import time
import traceback
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

from readhead.run import Run
from readhead.serve import server
from readhead.serve.app import Service
from readhead.serve.keys import Keys
from readhead.serve.limits import Limits
from readhead.serve.listening import listen
from readhead.serve.metrics import Metrics
from readhead.serve.served import Served

JSON = {"Content-Type": "application/json"}


@dataclass(frozen=True)
class Answered:
    """One answer."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        """Its value; it must be JSON that every parser reads."""
        return json.loads(self.body.decode("utf-8"), parse_constant=lambda name: 1 / 0)


@dataclass(frozen=True)
class Running:
    """A service that runs."""

    service: Service
    port: int

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def ask(
        self, path: str, body: Any = None, *, method: str | None = None, headers: Mapping[str, str] | None = None
    ) -> Answered:
        """GET, or POST with a body: bytes as they are, anything else as JSON."""
        data = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
        connection = HTTPConnection("127.0.0.1", self.port, timeout=20)
        asked = {**({} if data is None else JSON), **(headers or {})}
        connection.request(method or ("GET" if data is None else "POST"), path, data, asked)
        answer = connection.getresponse()
        told = Answered(answer.status, dict(answer.getheaders()), answer.read())
        connection.close()
        return told

    def events(self, body: Any) -> list[tuple[str, Any]]:
        """What /v1/stream sends."""
        told = self.ask("/v1/stream", body)
        assert told.headers["content-type"].startswith("text/event-stream"), told.body
        events = [event.split("\n") for event in told.body.decode().removesuffix("\n\n").split("\n\n")]
        return [(name.removeprefix("event: "), json.loads(data.removeprefix("data: "))) for name, data in events]


@contextmanager
def running(runs: Mapping[str, Path], *, keys: Keys | None = None, limits: Limits | None = None) -> Iterator[Running]:
    """Serves while it is entered, as the command does."""
    limits, metrics = limits or Limits(), Metrics()
    served = [Served.begin(n, Run.open(run), limits=limits, metrics=metrics, threads=1) for n, run in runs.items()]
    service = Service(served, limits=limits, metrics=metrics, keys=keys or Keys())
    listening, ready = listen("127.0.0.1", 0), threading.Event()
    thread = threading.Thread(target=server.serve, args=(service, listening), kwargs={"ready": ready.set})
    thread.start()
    assert ready.wait(20)
    yield Running(service, listening.getsockname()[1])
    service.door.close()
    thread.join(20)
    assert not thread.is_alive(), f"{service.door.inside} requests are inside still; {_doing(thread)}"


def _doing(thread: threading.Thread) -> str:
    """Where a thread is that should have ended."""
    frame = sys._current_frames().get(thread.ident or 0)
    return "".join(traceback.format_stack(frame)) if frame else "it has ended since"


def wait_until(what: Any, seconds: float = 10.0) -> None:
    """Until it is true."""
    end = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < end, "it did not come to be"
        time.sleep(0.005)
