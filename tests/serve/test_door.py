"""What is true of every request: its name, its key, its place in the counters."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import pytest

from readhead import __version__
from readhead.errors import InputError
from readhead.serve.keys import Keys
from readhead.serve.reference import ROUTES, reference_page
from tests.serve.running import Running, running
from tests.serve.small_runs import PAIR, TEXT

KEY = "correct-horse-battery"


@pytest.fixture(scope="module")
def guarded(runs: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    file = tmp_path_factory.mktemp("keys") / "keys"
    file.write_text(f"# of the mobile app\nanother-key-0\n\n{KEY}\n")
    with running({"only": runs["text"]}, keys=Keys.open(file)) as service:
        yield service


def basic(key: str) -> str:
    return "Basic " + base64.b64encode(f"anybody:{key}".encode()).decode()


def test_the_key_guards_everything_but_health(guarded: Running) -> None:
    for path in ("/", "/assets/page.js", "/nothing", *ROUTES):
        expected = 200 if path.startswith("/health/") else 401
        told = guarded.ask(path)
        assert (path, told.status) == (path, expected)
    assert told.json.keys() == {"error", "detail"}
    assert guarded.ask("/v1/predict", TEXT).status == 401


@pytest.mark.parametrize(
    ("header", "value", "status"),
    [
        ("Authorization", f"Bearer {KEY}", 200),
        ("authorization", f"bearer  {KEY}", 200),
        ("X-API-Key", KEY, 200),
        ("X-API-Key", "another-key-0", 200),
        ("Authorization", basic(KEY), 200),
        ("Authorization", basic("wrong"), 401),
        ("Authorization", "Basic é", 401),
        ("Authorization", KEY, 401),
        ("X-API-Key", KEY[:-1], 401),
        ("X-API-Key", "", 401),
        ("X-API-Key", "# of the mobile app", 401),
    ],
)
def test_a_key_comes_in_one_of_three_ways(guarded: Running, header: str, value: str, status: int) -> None:
    told = guarded.ask("/v1/predict", TEXT, headers={header: value})
    assert told.status == status
    assert ("www-authenticate" in told.headers) == (status == 401)


@pytest.mark.parametrize(
    ("content", "told"),
    [("", "holds no key"), ("short", "keys:1: expected a key of at least 8"), ("ok-ok-ok-ok\nwith a space", "keys:2:")],
)
def test_a_file_of_keys_that_is_none(tmp_path: Path, content: str, told: str) -> None:
    (tmp_path / "keys").write_text(content)
    with pytest.raises(InputError) as refused:
        Keys.open(tmp_path / "keys")
    assert told in str(refused.value)
    assert "with a space" not in str(refused.value)


def test_a_requests_name_is_given_back(served: Running) -> None:
    for path in ("/health/live", "/nothing", "/v1/predict"):
        assert served.ask(path, headers={"X-Request-ID": "abc-123"}).headers["x-request-id"] == "abc-123"
    made = {
        served.ask("/health/live", headers={"X-Request-ID": bad}).headers["x-request-id"] for bad in ("", "a b", "é")
    }
    assert len(made) == 3
    assert all(re.fullmatch("[0-9a-f]{16}", name) for name in made)


def test_requests_records_and_batches_are_counted(runs: dict[str, Path]) -> None:
    with running({"a": runs["pair"]}) as service:
        service.ask("/v1/predict", [PAIR, PAIR, 5, {**PAIR, "premise": "baker " * 40}])
        service.ask("/v1/predict", b"{")
        service.ask("/nothing/at/all")
        told = service.ask("/metrics")
    counted = dict(line.rsplit(" ", 1) for line in told.body.decode().splitlines() if not line.startswith("#"))
    assert told.headers["content-type"].startswith("text/plain; version=0.0.4")
    expected = {
        'readhead_requests_total{route="/v1/predict",status="200"}': 1,
        'readhead_requests_total{route="/v1/predict",status="400"}': 1,
        'readhead_requests_total{route="other",status="404"}': 1,
        'readhead_records_total{model="a",outcome="answered"}': 3,
        'readhead_records_total{model="a",outcome="error"}': 1,
        'readhead_records_total{model="a",outcome="truncated"}': 1,
        'readhead_batch_size_sum{model="a"}': 3,
        'readhead_queue_length{model="a"}': 0,
        "readhead_requests_in_flight": 1,
        f'readhead_build_info{{version="{__version__}"}}': 1,
    }
    assert {name: float(counted[name]) for name in expected} == expected
    assert float(counted["process_resident_memory_bytes"]) > 1e6


def test_what_is_served_is_told(served: Running, runs: dict[str, Path]) -> None:
    told = served.ask("/info").json
    models = {model["name"]: model for model in told["models"]}
    assert list(models) == ["pair", "text", "rank", "lm"]
    assert [models[name]["streams"] for name in models] == [False, True, False, True]
    assert [models[name]["attends"] for name in models] == [True, True, True, False]
    assert all(model["attributable"] for model in models.values())
    assert models["rank"]["fields"] == ["question", "candidates"]
    assert models["pair"]["labels"] == ["contradiction", "entailment", "neutral"]
    weights = (runs["text"] / "weights.safetensors").read_bytes()
    assert models["text"]["sha256"] == hashlib.sha256(weights).hexdigest()
    assert told["limits"]["records"] == 1024


def test_the_api_describes_itself(served: Running) -> None:
    told = served.ask("/openapi.json").json
    assert told["paths"].keys() == ROUTES.keys()
    page = served.ask("/docs").body.decode()
    assert all(f'id="{path}"' in page for path in ROUTES)
    for path, described in ROUTES.items():
        for example in described.examples:
            told = served.ask(path, example)
            assert told.json["error"] == "missing field", "it asks for a model, and for nothing else"


def test_what_the_apis_page_sends_is_answered(served: Running) -> None:
    page = served.ask("/docs").body.decode()
    forms = re.findall(r'data-path="([^"]+)".*?<textarea[^>]*>(.*?)</textarea>', page, re.S)
    assert len(forms) == sum(len(described.examples) for described in ROUTES.values())
    assert [served.ask(path, unescape(body).encode()).status for path, body in forms] == [200] * len(forms)
    assert "<code>readhead predict</code>" in page


def test_the_apis_page_sends_nothing_that_nobody_reads() -> None:
    page = reference_page([{"name": "one", "fields": ["text"], "labels": ["a"], "streams": False}])
    assert re.findall('data-path="([^"]+)"', page) == ["/v1/predict", "/v1/predict"]
    assert page.count("Nothing that is served here reads this.") == 4
    assert "&quot;model&quot;" not in page.partition('id="/v1/rerank"')[0].partition("<main>")[2]


@pytest.mark.parametrize("path", ["/", "/docs"])
def test_pages_load_nothing_from_elsewhere(served: Running, path: str) -> None:
    told = served.ask(path)
    assert "default-src 'none'" in told.headers["content-security-policy"]
    assert "unsafe" not in told.headers["content-security-policy"]
    linked = re.findall(r'(?:src|href)="([^"#]+)"', told.body.decode())
    assert linked
    for link in linked:
        assert link.startswith("/")
        assert served.ask(link).status in (200, 405), link


def test_an_asset_that_the_browser_has_is_not_sent_again(served: Running) -> None:
    first = served.ask("/assets/page.js")
    again = served.ask("/assets/page.js", headers={"If-None-Match": first.headers["etag"]})
    assert (first.status, again.status, again.body) == (200, 304, b"")
    assert first.headers["content-type"].startswith("text/javascript")


def test_examples_are_for_every_task(served: Running) -> None:
    examples = json.loads(served.ask("/assets/examples.json").body)
    for model in served.ask("/info").json["models"]:
        records = examples[" ".join(model["fields"])]
        answers = served.ask(f"/v1/predict?model={model['name']}", records).json
        assert not any("error" in answer for answer in answers)
