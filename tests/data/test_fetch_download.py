"""One file from a server that cuts, refuses, lies and moves: it comes whole, or what came is kept."""

from __future__ import annotations

import fcntl
import hashlib
import random
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from readhead.data.download import Patience
from readhead.data.fetch import fetch
from readhead.data.source import Download, Source
from readhead.errors import InputError
from tests.corpus_server import CorpusServer, Served, corpus_server

DATA = random.Random(0).randbytes(1000)
AT_ONCE = Patience(pause=0.0, attempts=3)


class Record:
    """A watcher that keeps what it was told."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.begun: list[tuple[int, int | None]] = []
        self.have = self.open = 0

    def say(self, line: str) -> None:
        self.lines.append(line)

    def begin(self, name: str, have: int, total: int | None) -> None:
        assert (name, self.open) == ("own.txt", 0)
        self.begun.append((have, total))
        self.have, self.open = have, 1

    def advance(self, count: int) -> None:
        self.have += count

    def end(self) -> None:
        self.open = 0


@pytest.fixture
def server() -> Iterator[CorpusServer]:
    with corpus_server() as running:
        yield running


def own(server: CorpusServer, *, known: bool = True) -> Source:
    sha256 = hashlib.sha256(DATA).hexdigest() if known else None
    download = Download(url=f"{server.url}/own.txt", place="vectors/own.txt", sha256=sha256)
    return Source(title="Vectors", licence="free", downloads=(download,))


def get(server: CorpusServer, directory: Path, *, known: bool = True) -> Record:
    """Fetches; the file must be right and alone."""
    record = Record()
    [file] = fetch(own(server, known=known), directory, watcher=record, patience=AT_ONCE).files
    assert file.read_bytes() == DATA
    assert [path.name for path in file.parent.iterdir()] == ["own.txt"]
    return record


def fails(server: CorpusServer, directory: Path, *, known: bool = True) -> str:
    """What a fetch that fails says, in one line; no file looks whole."""
    with pytest.raises(InputError) as caught:
        fetch(own(server, known=known), directory, patience=AT_ONCE)
    assert not (directory / "vectors" / "own.txt").exists()
    assert "\n" not in str(caught.value)
    return str(caught.value)


def part(directory: Path) -> Path:
    return directory / "vectors" / "own.txt.part"


def begin(directory: Path, content: bytes) -> None:
    part(directory).parent.mkdir()
    part(directory).write_bytes(content)


def ranges(server: CorpusServer) -> list[str | None]:
    return [asked for _, asked in server.asked]


@given(cuts=st.lists(st.integers(1, 300), max_size=4))
@settings(max_examples=6)
def test_wherever_it_is_cut_each_byte_comes_once(cuts: list[int]) -> None:
    with corpus_server() as server, tempfile.TemporaryDirectory() as folder:
        server.files["/own.txt"] = Served(DATA, cuts=cuts.copy())
        record = get(server, Path(folder))
        assert server.sent == record.have == len(DATA)
        assert all(total == len(DATA) for _, total in record.begun)


def test_another_call_goes_on_where_one_gave_up(server: CorpusServer, tmp_path: Path) -> None:
    served = server.files["/own.txt"] = Served(DATA, cuts=[300, 0, 0, 0])
    told = fails(server, tmp_path)
    assert "cut off after 300 of 1,000 bytes" in told
    assert "what has come is kept, and the same command goes on from there" in told
    assert part(tmp_path).read_bytes() == DATA[:300]
    served.cuts = []
    get(server, tmp_path)
    assert ranges(server)[-1] == "bytes=300-"


def test_a_process_that_is_killed_leaves_a_part(server: CorpusServer, tmp_path: Path) -> None:
    served = server.files["/own.txt"] = Served(DATA, cuts=[500], stall=True)
    program = (
        "import sys; from pathlib import Path; from readhead.data.fetch import fetch;"
        "from readhead.data.source import Download, Source;"
        "download = Download(url=sys.argv[1], place='vectors/own.txt');"
        "fetch(Source(title='', licence='', downloads=(download,)), Path(sys.argv[2]))"
    )
    with subprocess.Popen([sys.executable, "-c", program, f"{server.url}/own.txt", str(tmp_path)]) as process:
        deadline = time.monotonic() + 30
        while server.sent < 500 and time.monotonic() < deadline:
            time.sleep(0.01)
        time.sleep(0.05)
        process.send_signal(signal.SIGKILL)
    assert process.returncode == -signal.SIGKILL
    assert not (tmp_path / "vectors" / "own.txt").exists()
    served.stall = False
    get(server, tmp_path)


def test_a_server_that_does_not_resume_sends_all_again(server: CorpusServer, tmp_path: Path) -> None:
    server.files["/own.txt"] = Served(DATA, cuts=[400], ranges=False)
    record = get(server, tmp_path)
    assert record.begun == [(0, 1000), (0, 1000)]
    assert any("does not resume" in line for line in record.lines)


def test_one_that_cuts_again_and_again_and_does_not_resume_is_given_up(server: CorpusServer, tmp_path: Path) -> None:
    server.files["/own.txt"] = Served(DATA, cuts=[400] * 9, ranges=False)
    assert "cut off after 400 of 1,000 bytes" in fails(server, tmp_path)
    assert len(server.asked) == 1 + AT_ONCE.attempts - 1


@pytest.mark.parametrize("beginning", [b"of another file", DATA + b"longer", DATA[:-1] + b"x"])
def test_the_beginning_of_another_file_is_begun_anew(server: CorpusServer, tmp_path: Path, beginning: bytes) -> None:
    begin(tmp_path, beginning)
    server.files["/own.txt"] = Served(DATA)
    get(server, tmp_path)


def test_a_file_that_changes_while_it_comes_is_begun_anew(server: CorpusServer, tmp_path: Path) -> None:
    served = server.files["/own.txt"] = Served(bytes(1000), cuts=[400, 0, 0])
    fails(server, tmp_path)
    served.body = DATA
    assert any("from the beginning" in line for line in get(server, tmp_path).lines)


def test_a_part_that_nobody_asked_for_is_not_used(server: CorpusServer, tmp_path: Path) -> None:
    begin(tmp_path, DATA[:400])
    server.files["/own.txt"] = Served(DATA, shift=10)
    record = get(server, tmp_path, known=False)
    assert "another part" in record.lines[0]
    assert ranges(server) == ["bytes=400-", None]


def test_a_part_that_is_whole_needs_nothing_more(server: CorpusServer, tmp_path: Path) -> None:
    begin(tmp_path, DATA)
    server.files["/own.txt"] = Served(DATA)
    get(server, tmp_path)
    assert (ranges(server), server.sent) == (["bytes=1000-"], 0)


def test_too_long_a_length_is_seen_through(server: CorpusServer, tmp_path: Path) -> None:
    # Asked for the rest, the server says that there is none.
    server.files["/own.txt"] = Served(DATA, lie=100)
    get(server, tmp_path, known=False)
    assert server.sent == len(DATA)


def test_too_long_a_length_without_ranges_is_settled_by_the_checksum(server: CorpusServer, tmp_path: Path) -> None:
    server.files["/own.txt"] = Served(DATA, lie=100, ranges=False)
    assert "cut off after 1,000 of 1,100 bytes" in fails(server, tmp_path / "unknown", known=False)
    get(server, tmp_path / "known")


def test_too_short_a_length_is_found_by_the_checksum(server: CorpusServer, tmp_path: Path) -> None:
    server.files["/own.txt"] = Served(DATA, lie=-100)
    told = fails(server, tmp_path)
    assert all(hashlib.sha256(data).hexdigest() in told for data in (DATA, DATA[:-100]))
    assert list((tmp_path / "vectors").iterdir()) == []


def test_a_server_in_trouble_is_asked_again_after_growing_pauses(
    server: CorpusServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pauses: list[float] = []
    monkeypatch.setattr("readhead.data.download.time.sleep", pauses.append)
    server.files["/own.txt"] = Served(DATA, refusals=[500, 503, 429])
    record = Record()
    fetch(own(server), tmp_path, watcher=record, patience=Patience(pause=1.0))
    assert pauses == [1.0, 2.0, 4.0]
    assert record.lines[0] == "own.txt: the server answers 500 Internal Server Error; once more in 1 s"


def test_progress_begins_the_patience_anew(server: CorpusServer, tmp_path: Path) -> None:
    server.files["/own.txt"] = Served(DATA, cuts=[100] * 9)
    get(server, tmp_path)
    assert len(server.asked) == 10 > AT_ONCE.attempts


@pytest.mark.parametrize("status", [403, 404, 410])
def test_what_the_server_refuses_is_not_asked_for_again(server: CorpusServer, tmp_path: Path, status: int) -> None:
    server.files["/own.txt"] = Served(DATA, refusals=[status])
    assert f"the server answers {status}" in fails(server, tmp_path)
    assert len(server.asked) == 1


def test_redirections_are_followed(server: CorpusServer, tmp_path: Path) -> None:
    server.files["/own.txt"] = Served(moved="/elsewhere")
    server.files["/elsewhere"] = Served(DATA, cuts=[10])
    get(server, tmp_path)
    assert server.asked[-1] == ("/elsewhere", "bytes=10-")


def test_redirections_in_a_circle_are_told(server: CorpusServer, tmp_path: Path) -> None:
    server.files["/own.txt"] = Served(moved="/own.txt")
    assert "redirects" in fails(server, tmp_path)


def test_a_web_page_does_not_take_the_place_of_what_has_come(server: CorpusServer, tmp_path: Path) -> None:
    begin(tmp_path, DATA[:700])
    server.files["/own.txt"] = Served(b"<p>Please log in", kind="text/html; charset=utf-8", ranges=False)
    assert "answers with a web page" in fails(server, tmp_path)
    assert part(tmp_path).read_bytes() == DATA[:700]


def test_a_server_that_is_silent_is_given_up(server: CorpusServer, tmp_path: Path) -> None:
    data = DATA * 40
    server.files["/own.txt"] = Served(data, cuts=[35_000], stall=True)
    for timeout in (0.2, 2.0, 10.0):  # on a busy machine the server may be slow before it falls silent
        with pytest.raises(InputError, match="went silent"):
            fetch(own(server), tmp_path, patience=Patience(pause=0, attempts=1, timeout=timeout))
        kept = part(tmp_path).read_bytes() if part(tmp_path).exists() else b""
        if len(kept) > 30_000:
            break
    assert len(kept) > 30_000
    assert kept == data[: len(kept)]


def test_no_network_is_told(tmp_path: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    assert "no connection to the server" in fails(CorpusServer(f"http://127.0.0.1:{port}"), tmp_path)


def test_one_file_is_fetched_by_one_process_at_a_time(server: CorpusServer, tmp_path: Path) -> None:
    begin(tmp_path, DATA[:100])
    with part(tmp_path).open("ab") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        assert "another process is fetching this file" in fails(server, tmp_path)
    assert part(tmp_path).read_bytes() == DATA[:100]
    assert server.asked == []
