"""What measures the service: it must tell right from wrong."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from readhead.prediction.predictor import Predictor
from readhead.run import Run
from readhead.serve.load.client import Client, request, response
from readhead.serve.load.endurance import Load
from readhead.serve.load.process import Serving
from readhead.serve.load.single import latency, pictures
from readhead.serve.load.texts import Material, agree
from readhead.serve.load.throughput import throughput
from tests.serve.running import Running, running


@pytest.mark.parametrize(
    ("found", "right"),
    [
        ({"label": "a"}, {"label": "a"}),
        ({"scores": {"a": 0.500009}}, {"scores": {"a": 0.5}}),
        ([1, {"surprisal": [3.0]}], [1, {"surprisal": [3.0]}]),
        ({"perplexity": 1000.005}, {"perplexity": 1000.0}),
    ],
)
def test_answers_agree(found: object, right: object) -> None:
    assert agree(found, right)


@pytest.mark.parametrize(
    ("found", "right"),
    [
        ({"label": "a"}, {"label": "b"}),
        ({"label": "a", "x": 1}, {"label": "a"}),
        ({"scores": {"a": 0.50002}}, {"scores": {"a": 0.5}}),
        ([1.0], [1.0, 2.0]),
        ({"error": "..."}, {"label": "b"}),
        ("0.5", 0.5),
    ],
)
def test_answers_do_not_agree(found: object, right: object) -> None:
    assert not agree(found, right)


def test_an_answer_is_taken_when_it_is_whole() -> None:
    whole = b"HTTP/1.1 429 Too Many\r\nContent-Length: 2\r\nX: 1\r\n\r\n{}"
    assert all(response(whole[:length]) is None for length in range(len(whole)))
    assert response(whole) == (429, b"{}")


@pytest.fixture(scope="module")
def material(runs: dict[str, Path]) -> Material:
    return Material.of(Predictor(run=Run.open(runs["pair"])), 10)


@pytest.mark.parametrize("name", ["pair", "text", "rank", "lm"])
def test_there_are_records_for_every_task(served: Running, runs: dict[str, Path], name: str) -> None:
    made = Material.of(Predictor(run=Run.open(runs[name])), 5)
    client = Client(served.port)
    status, _ = client.ask(request(b"{"))
    client.close()
    assert status == 400
    assert agree(served.ask(f"/v1/predict?model={name}", list(made.records)).json, list(made.answers))


def test_each_figure_is_taken(runs: dict[str, Path], material: Material) -> None:
    with running({"measured": runs["pair"]}) as service:
        serving = Serving(os.getpid(), service.port)
        single = latency(Predictor(run=Run.open(runs["pair"])), serving, material, rounds=5)
        drawn = pictures(serving, material, rounds=3)
        many = throughput(serving, serving, material, rounds=1, seconds=0.6)
        endured = Load(serving, material, minutes=0.02).run()
    assert single["ratio"] == single["http_ms"]["p50"] / single["bare_ms"]["p50"]
    assert 0 < drawn["http_ms"]["min"] <= drawn["http_ms"]["p50"]
    assert many["batching_per_second"] > 0
    assert (endured["wrong"], endured["first_wrong"], endured["kept"]) == (0, [], True)
    assert endured["requests"] > 20
    assert endured["resident_mb"]["highest"] > 10


def test_a_service_that_answers_wrongly_is_found_out(runs: dict[str, Path], material: Material) -> None:
    with running({"measured": runs["pair"]}) as service:
        (one,) = service.service.served.values()
        read = one.batcher._read
        one.batcher._read = lambda texts: read(texts)[::-1]
        endured = Load(Serving(os.getpid(), service.port), material, minutes=0.01).run()
    assert endured["wrong"] > 0
    assert not endured["kept"]
