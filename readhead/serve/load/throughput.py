"""Many clients at once: requests a second, beside a service that reads one text at a time."""

from __future__ import annotations

import selectors
import socket
import time
from collections.abc import Sequence
from contextlib import ExitStack
from itertools import count
from statistics import median
from typing import Any

from readhead.serve.load.client import request, response
from readhead.serve.load.process import Serving
from readhead.serve.load.texts import Material

CLIENTS = 32
LEAST_RATIO = 3.0


def throughput(
    batching: Serving, one_at_a_time: Serving, material: Material, *, rounds: int, seconds: float
) -> dict[str, Any]:
    """Requests a second, in turns A B A B: 32 clients at a service that batches, and at one that does not.

    rounds: turns of each; of their figures the median is told.
    seconds: of a turn.
    """
    requests = [request(body) for body in material.bodies()]
    turns: dict[str, list[float]] = {"batching": [], "one_at_a_time": [], "one_client": []}
    for _ in range(rounds):
        turns["batching"].append(_turn(batching, requests, CLIENTS, seconds))
        turns["one_at_a_time"].append(_turn(one_at_a_time, requests, CLIENTS, seconds))
        turns["one_client"].append(_turn(one_at_a_time, requests, 1, seconds))
    told = {f"{name}_per_second": median(rates) for name, rates in turns.items()}
    ratio = told["batching_per_second"] / told["one_at_a_time_per_second"]
    return {
        "clients": CLIENTS,
        "rounds": rounds,
        "seconds": seconds,
        **told,
        "turns": turns,
        "ratio": ratio,
        "ratio_to_one_client": told["batching_per_second"] / told["one_client_per_second"],
        "least_ratio": LEAST_RATIO,
        "kept": ratio >= LEAST_RATIO,
    }


def _turn(served: Serving, requests: Sequence[bytes], clients: int, seconds: float) -> float:
    """Requests a second, after a tenth of the time to warm up.

    One loop over plain sockets: the clients work on the cores that they measure, and should leave them to the service.
    """
    numbers, answered = count(), 0
    with selectors.DefaultSelector() as ready, ExitStack() as open_ones:
        for _ in range(clients):
            connection = open_ones.enter_context(socket.create_connection(("127.0.0.1", served.port)))
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            ready.register(connection, selectors.EVENT_READ, data=bytearray())
            connection.sendall(requests[next(numbers) % len(requests)])
        began = time.perf_counter() + 0.1 * seconds
        while (now := time.perf_counter()) < began + seconds:
            for key, _ in ready.select(timeout=0.1):
                if _is_answered(key):
                    answered += now >= began
                    key.fileobj.sendall(requests[next(numbers) % len(requests)])  # type: ignore[union-attr]
        return answered / (time.perf_counter() - began)


def _is_answered(key: selectors.SelectorKey) -> bool:
    """Takes what has come; whether it completes an answer."""
    assert isinstance(key.fileobj, socket.socket)
    key.data.extend(key.fileobj.recv(65_536))
    answer = response(bytes(key.data))
    if answer is None:
        return False
    assert answer[0] == 200, f"a good request was answered with {answer}"
    key.data.clear()
    return True
