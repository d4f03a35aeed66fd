"""What is not answered: a status, and which field is wrong."""

from __future__ import annotations

import json
import socket
from pathlib import Path
from typing import Any

import pytest

from readhead.serve.limits import Limits
from tests.serve.running import JSON, Running, running
from tests.serve.small_runs import PAIR, QUESTION, TEXT

WRONG: list[tuple[str, Any, int, str]] = [
    ("/v1/predict?model=pair", {"premise": "a"}, 422, '"hypothesis" is missing'),
    ("/v1/predict?model=pair", {**PAIR, "premise": 1}, 422, '"premise" must be a string, not a number'),
    ("/v1/predict?model=pair", {"inputs": "a"}, 422, '"premise", "hypothesis"'),
    ("/v1/predict?model=pair", {"inputs": 3}, 422, '"inputs" must be a text, a record or a list of them'),
    ("/v1/predict?model=pair", {"inputs": PAIR, "record": []}, 422, '"record" is unknown'),
    ("/v1/predict?model=pair", {"inputs": [], "records": []}, 422, '"inputs" and "records"'),
    ("/v1/predict?model=pair", {"records": PAIR}, 422, '"records" must be a list'),
    ("/v1/predict?model=pair", {"inputs": PAIR, "parameters": []}, 422, '"parameters" must be an object'),
    ("/v1/predict?model=pair", {"inputs": PAIR, "parameters": {"topk": 1}}, 422, "did you mean 'top_k'"),
    ("/v1/predict?model=pair", {"inputs": PAIR, "parameters": {"top_k": 0}}, 422, '"parameters.top_k" must be a whole'),
    ("/v1/predict?model=pair", {"inputs": PAIR, "parameters": {"abstain": True}}, 422, '"parameters.abstain" must be'),
    ("/v1/predict?model=lm", {"inputs": "a", "parameters": {"top_k": 1}}, 422, "answers without any"),
    (
        "/v1/predict?model=lm",
        {"inputs": "a", "parameters": {"abstain": 0.5}},
        422,
        '"parameters.abstain" leaves labels',
    ),
    ("/v1/predict?model=pair", 5, 422, "the body must be an object or a list of records, not a number"),
    ("/v1/predict?model=pair", b"{", 400, "not valid JSON: Expecting property name"),
    ("/v1/predict?model=pair", b"", 400, "not valid JSON"),
    ("/v1/predict?model=pair", b'{"premise": NaN}', 400, "NaN is no JSON number"),
    ("/v1/predict?model=pair", b'{"premise": "\xed\xa0\x80"}', 400, "byte 0xed at offset 13 is not UTF-8"),
    ("/v1/predict?model=pair", b"[" * 100_000, 400, "nested too deeply"),
    ("/v1/predict?model=pair", b"1" * 5_000, 400, "not valid JSON"),
    ("/v1/predict", PAIR, 422, '"model" is missing, and 4 are served: pair, text, rank, lm'),
    ("/v1/predict?model=pear", PAIR, 404, "did you mean 'pair'"),
    ("/v1/predict", {**PAIR, "model": "\ud800"}, 404, "names none that is served"),
    ("/v1/predict", {**PAIR, "model": 1}, 422, '"model" must be a string'),
    ("/v1/predict?model=text", {**PAIR, "model": "pair"}, 422, "expected one of them"),
    ("/v1/predict?model=pair", [PAIR] * 1025, 413, "1,025 texts, pairs or candidates"),
    ("/v1/rerank?model=pair", QUESTION, 422, '"model" must name a run that ranks'),
    ("/v1/rerank?model=rank", {**QUESTION, "model": "pair"}, 422, "expected one of them"),
    ("/v1/rerank?model=rank", {"question": "a"}, 422, '"candidates" is missing'),
    ("/v1/rerank?model=rank", {"query": "a", "documents": ["a", 2]}, 422, '"documents[1]" must be a string'),
    ("/v1/rerank?model=rank", {**QUESTION, "top_n": "2"}, 422, '"top_n" must be a whole number'),
    ("/v1/rerank?model=rank", {**QUESTION, "tops": 2}, 422, "did you mean 'top_n'"),
    ("/v1/rerank?model=rank", [], 422, "must be an object, not a list"),
    ("/v1/explain?model=pair", [PAIR, PAIR], 422, "one record is explained or streamed at a time"),
    ("/v1/explain?model=pair", {"premise": "a"}, 422, '"hypothesis" is missing'),
    ("/v1/stream?model=pair", PAIR, 422, "its reader has to see a pair whole"),
    ("/v1/stream?model=lm", {"text": "a", "continue": -1}, 422, '"continue" must be a whole number'),
    ("/v1/preidct", PAIR, 404, "did you mean '/v1/predict'"),
]


@pytest.mark.parametrize(("path", "body", "status", "told"), WRONG)
def test_it_is_said_which_field_is_wrong(served: Running, path: str, body: Any, status: int, told: str) -> None:
    answer = served.ask(path, body)
    assert (answer.status, answer.json.keys()) == (status, {"error", "detail"}), answer.body
    assert told in answer.json["detail"]
    assert "\n" not in answer.json["detail"]


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", ""])
def test_another_content_type(served: Running, kind: str) -> None:
    answer = served.ask("/v1/predict?model=pair", json.dumps(PAIR).encode(), headers={"Content-Type": kind})
    assert (answer.status, "Content-Type must be application/json" in answer.json["detail"]) == (415, True)


def test_json_may_be_said_in_other_words(served: Running) -> None:
    for kind in ("application/json; charset=utf-8", "Application/JSON", "application/vnd.api+json"):
        assert served.ask("/v1/predict?model=pair", PAIR, headers={"Content-Type": kind}).status == 200


def test_another_method(served: Running) -> None:
    answer = served.ask("/v1/predict")
    assert (answer.status, answer.headers["allow"]) == (405, "POST")
    assert (served.ask("/health/live", method="HEAD").status, served.ask("/info", method="HEAD").body) == (200, b"")
    assert served.ask("/info", TEXT).json["detail"] == "/info does not take POST; expected GET"


@pytest.fixture(scope="module")
def small(runs: dict[str, Path]) -> Any:
    with running({"only": runs["text"]}, limits=Limits(body=200)) as service:
        yield service


def test_a_body_that_is_too_long(small: Running) -> None:
    body = json.dumps({"text": "a" * 300}).encode()
    announced = small.ask("/v1/predict", body)
    pieces = b"".join(b"%x\r\n%s\r\n" % (len(piece), piece) for piece in (body[:150], body[150:])) + b"0\r\n\r\n"
    chunked = raw(small, b"Transfer-Encoding: chunked\r\n\r\n" + pieces)
    for told in (announced.body, chunked):
        assert b'{"error":"too large","detail":"the body is longer than the 200 bytes' in told
    assert (announced.status, b" 413 " in chunked) == (413, True)
    assert small.ask("/v1/predict", TEXT).status == 200, "the only run needs no name, and it goes on"


def test_a_body_that_never_comes(runs: dict[str, Path]) -> None:
    with running({"only": runs["text"]}, limits=Limits(seconds=0.3)) as service:
        told = raw(service, b"Content-Length: 20\r\n\r\n{")
    assert b"the request did not arrive whole within 0.3 seconds" in told


def raw(served: Running, rest: bytes) -> bytes:
    """What is answered to a request that no library would send."""
    with socket.create_connection(("127.0.0.1", served.port), timeout=20) as connection:
        connection.sendall(b"POST /v1/predict HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n" + rest)
        told = b""
        while b"}" not in told:
            piece = connection.recv(65_536)
            if not piece:
                break
            told += piece
    return told


def test_what_nobody_foresaw_is_our_fault(
    runs: dict[str, Path], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    with running({"only": runs["text"]}) as service:
        (one,) = service.service.served.values()
        monkeypatch.setattr(one.batcher, "_read", lambda texts: 1 / 0)
        answer = service.ask("/v1/predict", TEXT, headers=JSON)
        assert (answer.status, answer.json["error"]) == (500, "internal error")
        assert "division" not in answer.json["detail"]
        assert service.ask("/health/ready").status == 200
    assert "ZeroDivisionError" in caplog.text
