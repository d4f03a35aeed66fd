"""One request at a time: how long it takes beside the bare call that it stands for."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from functools import partial
from statistics import median, quantiles
from typing import Any

from readhead.bench.timing import using_threads
from readhead.prediction.predictor import Predictor
from readhead.serve.load.client import Client, request
from readhead.serve.load.process import Serving
from readhead.serve.load.texts import Material

MOST_RATIO = 2.0
MOST_FOR_A_PICTURE = 100.0  # milliseconds
WARM_UP = 20


def latency(predictor: Predictor, served: Serving, material: Material, *, rounds: int) -> dict[str, Any]:
    """Bare calls and requests in turns, A B A B, each on the same records. Times in milliseconds."""
    form, client = predictor.form, Client(served.port)
    readings = [form.readings(record) for record in material.records]
    requests = [request(body) for body in material.bodies()]
    bare: list[float] = []
    over_http: list[float] = []
    with using_threads(1):
        for number in range(WARM_UP + rounds):
            place = number % len(requests)
            _timed(bare, partial(predictor.answers, readings[place]))
            _timed(over_http, partial(client.ask, requests[place]))
    client.close()
    bare, over_http = bare[WARM_UP:], over_http[WARM_UP:]
    ratio = median(over_http) / median(bare)
    return {
        "rounds": rounds,
        "bare_ms": _told(bare),
        "http_ms": _told(over_http),
        "ratio": ratio,
        "ratio_of_minima": min(over_http) / min(bare),
        "most_ratio": MOST_RATIO,
        "kept": ratio <= MOST_RATIO,
    }


def pictures(served: Serving, material: Material, *, rounds: int) -> dict[str, Any]:
    """What the page asks at each change: a record with its picture. Times in milliseconds, for one client."""
    asked = [json.dumps({**record, "parameters": {"picture": True}}).encode() for record in material.records]
    client, times = Client(served.port), list[float]()
    for number in range(WARM_UP + rounds):
        _timed(times, partial(client.ask, request(asked[number % len(asked)], path=b"/v1/explain")))
    client.close()
    told = _told(times[WARM_UP:])
    return {"rounds": rounds, "http_ms": told, "most_ms": MOST_FOR_A_PICTURE, "kept": told["p50"] <= MOST_FOR_A_PICTURE}


def _timed(times: list[float], work: Callable[[], object]) -> None:
    began = time.perf_counter()
    work()
    times.append(1e3 * (time.perf_counter() - began))


def _told(times: Sequence[float]) -> dict[str, float]:
    hundredths = quantiles(times, n=100)
    return {"p50": median(times), "p95": hundredths[94], "p99": hundredths[98], "min": min(times)}
