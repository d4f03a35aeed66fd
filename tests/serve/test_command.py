"""`readhead serve` as its user sees it: what it refuses, and how it ends."""

from __future__ import annotations

import re
import signal
import socket
import subprocess
import sys
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest

from readhead import shipped
from readhead.errors import InputError
from readhead.serve.names import run_name, runs_by_name
from tests.cli.refusals import refusal
from tests.serve.running import JSON, wait_until


def test_a_port_that_is_in_use(run_cli: Any, runs: dict[str, Path]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        told = refusal(run_cli("serve", runs["pair"], "--port", port))
    assert told == f"--host 127.0.0.1 --port {port}: the port is in use; expected a free one (--port 0 finds one)"


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (["nowhere"], "nowhere: no such run directory, and no shipped model of this name"),
        (["a=nowhere"], "nowhere: no such run directory"),
        (["a b=nowhere"], "expected NAME=DIR"),
        (["{pair}", "--host", "no.such.host.invalid"], "--host no.such.host.invalid: there is no such address"),
        (["{pair}", "--api-key-file", "nowhere"], "--api-key-file: no such file"),
        (["{pair}", "--timeout", "soon"], "'soon' is no length of time"),
        (["{pair}", "--threads", "10000"], "expected at most"),
        (["a={pair}", "a={text}"], "two runs are called 'a'"),
        ([], "Missing argument 'RUN'"),
    ],
)
def test_what_cannot_be_served(run_cli: Any, runs: dict[str, Path], given: list[str], told: str) -> None:
    names = {name: str(run) for name, run in runs.items()}
    assert told in refusal(run_cli("serve", *(one.format(**names) for one in given), "--port", "0"))


def test_runs_have_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("one", "two", "deep/one", "a=b", "moods"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "moods" / "run.json").touch()
    monkeypatch.setattr(shipped, "SHIPPED", tmp_path)
    monkeypatch.chdir(tmp_path)

    def named(*given: str) -> dict[str, str]:
        return {name: str(path) for name, path in runs_by_name(given, tell=lambda note: None).items()}

    assert named("one", "x=deep/one", "y=moods") == {"one": "one", "x": "deep/one", "y": "moods"}
    assert named("a=b") == {"a=b": "a=b"}, "a directory is meant where there is one"
    assert named(str(tmp_path / "two") + "/") == {"two": str(tmp_path / "two")}
    (tmp_path / "nse@1a2b" / "seed-0").mkdir(parents=True)
    assert named("nse@1a2b/seed-0") == {"nse-seed-0": "nse@1a2b/seed-0"}, "a seed alone says nothing"
    (tmp_path / "link").symlink_to(tmp_path / "two")
    assert named("link") == {"link": "link"}
    monkeypatch.chdir(tmp_path / "deep")
    assert run_name(Path()) == "deep"
    assert named("moods") == {"moods": str(tmp_path / "moods")}
    with pytest.raises(InputError, match=r"two runs are called 'one'.*name them: NAME=one"):
        named("../one", "one")


def test_it_drains_when_it_is_told_to_end(runs: dict[str, Path]) -> None:
    command = [sys.executable, "-m", "readhead", "serve", str(runs["pair"]), "--port", "0"]
    with (
        subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process,
        closing(HTTPConnection("127.0.0.1", port_of(process), timeout=20)) as inside,
        closing(HTTPConnection("127.0.0.1", inside.port, timeout=20)) as late,
    ):
        body = b'{"premise": "The baker sings.", "hypothesis": "A baker sings."}'
        inside.putrequest("POST", "/v1/predict")
        for name, value in {**JSON, "Content-Length": str(len(body))}.items():
            inside.putheader(name, value)
        inside.endheaders(body[:10])
        assert status(inside.port) == 200

        process.send_signal(signal.SIGTERM)
        wait_until(lambda: status(inside.port) == 503)
        late.request("POST", "/v1/predict", body, JSON)
        answer = late.getresponse()
        assert (answer.status, answer.getheader("retry-after")) == (503, "1")
        assert process.poll() is None

        inside.send(body[10:])
        answer = inside.getresponse()
        assert (answer.status, b'"label"' in answer.read()) == (200, True)
        assert process.wait(20) == 0
        assert process.stderr is not None
        assert process.stderr.read() == ""


def port_of(process: subprocess.Popen[str]) -> int:
    """Which a service tells once it serves."""
    assert process.stderr is not None
    found = re.search(r"run at http://127\.0\.0\.1:(\d+) \(API: ", process.stderr.readline())
    assert found is not None
    return int(found[1])


def status(port: int) -> int:
    """Of a probe's own connection."""
    connection = HTTPConnection("127.0.0.1", port, timeout=20)
    connection.request("GET", "/health/ready")
    found = connection.getresponse().status
    connection.close()
    return found
