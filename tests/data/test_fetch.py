"""Fetching, from a server of our own on this machine."""

from __future__ import annotations

import hashlib
import io
import socket
import threading
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from readhead.data.corpora.snli import SNLI
from readhead.data.fetch import fetch, missing_files
from readhead.data.sources import SOURCES, Source
from readhead.errors import InputError

SNLI_FILES = Path(__file__).parents[1] / "fixtures" / "corpora" / "snli"


@dataclass
class Server:
    url: str
    answers: dict[str, bytes] = field(default_factory=dict)
    requests: list[str] = field(default_factory=list)


@pytest.fixture
def server() -> Iterator[Server]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            served.requests.append(self.path)
            body = served.answers.get(self.path)
            if body is None:
                self.send_error(404)
                return
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            # A path that starts with /cut hangs up half-way.
            self.wfile.write(body[: len(body) // 2] if self.path.startswith("/cut") else body)

        def log_message(self, format: str, *args: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as httpd:
        served = Server(f"http://127.0.0.1:{httpd.server_address[1]}")
        thread = threading.Thread(target=httpd.serve_forever, args=(0.01,))
        thread.start()
        yield served
        httpd.shutdown()
        thread.join()


def archive(leave_out: str = "") -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as opened:
        opened.writestr("snli_1.0/README.txt", "not wanted")
        opened.writestr("__MACOSX/snli_1.0/._snli_1.0_dev.jsonl", "not wanted")
        for split in ("train", "dev", "test"):
            if split != leave_out:
                opened.write(SNLI_FILES / f"snli_1.0_{split}.jsonl", f"snli_1.0/snli_1.0_{split}.jsonl")
    return packed.getvalue()


def snli(url: str, data: bytes | None) -> Source:
    return replace(SOURCES["snli"], url=url, sha256=None if data is None else hashlib.sha256(data).hexdigest())


def left(directory: Path) -> list[str]:
    return sorted(path.name for path in directory.rglob("*"))


def test_a_fetched_corpus_can_be_read(server: Server, tmp_path: Path) -> None:
    data = server.answers["/snli.zip"] = archive()
    source = snli(f"{server.url}/snli.zip", data)
    assert len(missing_files(source, tmp_path / "new")) == 3
    fetched = fetch(source, tmp_path / "new")
    assert fetched.sha256 == source.sha256
    assert [path.name for path in fetched.files] == [f"snli_1.0_{split}.jsonl" for split in ("train", "dev", "test")]
    assert len(list(SNLI().read("train", tmp_path / "new"))) == 30
    assert left(tmp_path / "new") == [
        "snli",
        *(f"snli_1.0_{split}.jsonl" for split in ("dev", "test", "train")),
    ]


def test_what_is_there_is_not_fetched_again(server: Server, tmp_path: Path) -> None:
    server.answers["/snli.zip"] = archive()
    source = snli(f"{server.url}/snli.zip", None)
    first, second = fetch(source, tmp_path), fetch(source, tmp_path)
    assert server.requests == ["/snli.zip"]
    assert (first.sha256, second.sha256) == (hashlib.sha256(archive()).hexdigest(), None)
    assert first.files == second.files


def test_a_file_that_is_no_archive_is_kept_as_it_is(server: Server, tmp_path: Path) -> None:
    server.answers["/own.txt"] = b"the 0.1 0.2\n"
    source = Source(title="x", files=("vectors/own.txt",), licence="free", url=f"{server.url}/own.txt")
    assert fetch(source, tmp_path).files[0].read_bytes() == b"the 0.1 0.2\n"


def test_progress_is_told_of_the_bytes(server: Server, tmp_path: Path) -> None:
    class Count:
        total = 0
        told = 0

        def update(self, amount: int) -> None:
            self.told += amount

        def reset(self) -> None:
            self.told = 0

        def close(self) -> None:
            pass

    data = server.answers["/snli.zip"] = archive()
    fetch(snli(f"{server.url}/snli.zip", data), tmp_path, progress=(progress := Count()))
    assert progress.told == progress.total == len(data)


@pytest.mark.parametrize(
    ("path", "body", "expected", "words"),
    [
        ("/none.zip", None, None, "the server answers 404"),
        ("/cut.zip", archive(), None, "was cut off"),
        ("/snli.zip", archive(), b"another", "its SHA-256 is not"),
        ("/snli.zip", b"no archive at all", None, "no whole .zip"),
        ("/snli.zip", archive()[:-200], None, "no whole .zip"),
        ("/snli.zip", archive(leave_out="dev"), None, "lacks a file: .*snli_1.0_dev.jsonl"),
    ],
)
def test_a_failed_fetch_is_told_in_a_line_and_leaves_nothing(
    *, path: str, body: bytes | None, expected: bytes | None, words: str, server: Server, tmp_path: Path
) -> None:
    if body is not None:
        server.answers[path] = body
    with pytest.raises(InputError, match=words) as caught:
        fetch(snli(server.url + path, expected), tmp_path)
    assert "\n" not in str(caught.value)
    assert left(tmp_path) == []


def test_no_network_is_told(tmp_path: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with pytest.raises(InputError, match="no connection to the server"):
        fetch(snli(f"http://127.0.0.1:{port}/snli.zip", None), tmp_path)


def test_a_place_that_cannot_be_written_is_told(server: Server, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(InputError, match="cannot be written"):
        fetch(snli(f"{server.url}/snli.zip", None), tmp_path / "file" / "corpora")


def test_what_has_no_address_says_why(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be fetched: made from other corpora"):
        fetch(SOURCES["nli-mixture"], tmp_path)


@pytest.mark.parametrize("name", SOURCES)
def test_every_source_says_what_it_needs_to(name: str) -> None:
    source = SOURCES[name]
    assert source.files and source.licence
    assert source.url is not None or source.note, "what cannot be fetched says why"
    assert source.url is None or source.page
    assert not source.members or set(source.members) == set(source.files)
    assert source.sha256 is None or len(bytes.fromhex(source.sha256)) == 32
