"""A service with more to do than it can: it refuses, gives up, and forgets who has gone."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from readhead.serve.limits import Limits
from tests.serve.running import Running, running, wait_until
from tests.serve.small_runs import TEXT


class Slow:
    """A run that reads nothing until it is let."""

    def __init__(self, service: Running) -> None:
        self.service = service
        (self.one,) = service.service.served.values()
        self.read, self.may, self.texts = self.one.batcher._read, threading.Event(), list[str]()
        self.one.batcher._read = self

    def __call__(self, texts: Any) -> Any:
        self.texts += [one["text"] for one in texts]
        self.may.wait(60)
        return self.read(texts)


@pytest.fixture
def slow(runs: dict[str, Path]) -> Iterator[Slow]:
    with running({"only": runs["text"]}, limits=Limits(queue=3, batch=2, requests=8)) as service:
        made = Slow(service)
        yield made
        made.may.set()


def send(service: Running, body: Any) -> socket.socket:
    """A request whose answer nobody waits for yet."""
    data = json.dumps(body).encode()
    connection = socket.create_connection(("127.0.0.1", service.port), timeout=10)
    head = b"POST /v1/predict HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
    connection.sendall(head % len(data) + data)
    return connection


def test_a_full_queue_and_who_hangs_up(slow: Slow) -> None:
    first = send(slow.service, {"text": "first"})
    wait_until(lambda: slow.texts == ["first"])
    gone = send(slow.service, [{"text": "gone"}] * 3)
    wait_until(lambda: slow.one.batcher.waiting == 3)

    refused = slow.service.ask("/v1/predict", TEXT)
    assert (refused.status, refused.headers["retry-after"]) == (429, "1")
    assert refused.json == {
        "error": "too many requests",
        "detail": "3 texts wait to be read and 3 may; try again in a second",
    }
    assert slow.service.ask("/health/live").status == 200, "it answers while it reads"

    gone.close()
    wait_until(lambda: slow.one.batcher.waiting == 0)
    slow.may.set()
    assert b" 200 " in first.recv(100)
    first.close()
    assert slow.texts == ["first"]
    assert slow.service.ask("/v1/predict", TEXT).status == 200


def test_more_requests_than_are_let_in(slow: Slow) -> None:
    open_ones = [send(slow.service, [])]  # answered at once
    head = b"POST /v1/predict HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n"
    for _ in range(8):
        open_ones.append(socket.create_connection(("127.0.0.1", slow.service.port)))
        open_ones[-1].sendall(head)
    wait_until(lambda: slow.service.service.door.inside == 8)
    assert slow.service.ask("/v1/predict", TEXT).status == 429
    for one in open_ones:
        one.close()
    wait_until(lambda: slow.service.service.door.inside == 0)


def test_a_request_whose_head_never_comes(runs: dict[str, Path]) -> None:
    with (
        running({"only": runs["text"]}, limits=Limits(seconds=0.5)) as service,
        socket.create_connection(("127.0.0.1", service.port), timeout=20) as silent,
        socket.create_connection(("127.0.0.1", service.port), timeout=20) as second,
    ):
        second.sendall(b"GET /health/live HTTP/1.1\r\nHost: a\r\n\r\n")
        answer = b""
        while b'"live"' not in answer:
            answer += second.recv(4096)
        second.sendall(b"GET /health/")
        assert silent.recv(100) == b"", "hung up on"
        assert second.recv(100) == b"", "on a connection that was answered before too"
        assert service.ask("/v1/predict", TEXT).status == 200


def test_an_answer_that_takes_too_long(runs: dict[str, Path]) -> None:
    with running({"only": runs["text"]}, limits=Limits(seconds=0.2)) as service:
        slow = Slow(service)
        late = service.ask("/v1/predict", TEXT)
        assert (late.status, late.json["detail"]) == (504, "no answer was found within 0.2 seconds")
        events = service.ask("/v1/stream", TEXT)
        assert b"event: error" in events.body
        slow.may.set()
        wait_until(lambda: service.ask("/v1/predict", TEXT).status == 200)


def test_many_at_once_are_all_answered_right(served: Running) -> None:
    asked = [{"text": " ".join(["dull"] * (1 + n % 7)), "model": "text"} for n in range(48)]
    right = served.ask("/v1/predict?model=text", asked[:7]).json
    with ThreadPoolExecutor(12) as pool:
        told = list(pool.map(lambda body: served.ask("/v1/predict", body).json, asked))
    for place, answer in enumerate(told):
        assert answer["scores"] == pytest.approx(right[place % 7]["scores"], abs=1e-5)
