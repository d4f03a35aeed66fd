"""`readhead data`: what is here, where the rest comes from, what is wrong with a file."""

from __future__ import annotations

import hashlib
import io
import json
import os
import re
import sys
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from readhead.cli import download_report
from readhead.cli.download_report import DownloadReport
from readhead.cli.main import status_of
from readhead.data.source import Download, Source
from readhead.data.sources import SOURCES
from tests.cli.conftest import OWN
from tests.cli.refusals import refusal
from tests.corpus_server import Served, corpus_server

CORPORA = OWN.parent / "corpora"


def test_list_tells_what_is_here(run_cli: Any) -> None:
    ended = run_cli("data", "list", "--corpora", CORPORA, "--json")
    assert (ended.status, ended.stderr) == (0, "")
    entries = {entry["name"]: entry for entry in json.loads(ended.stdout)}
    assert entries.keys() == SOURCES.keys()
    assert {name for name, entry in entries.items() if entry["here"]} == {
        "snli",
        "multinli",
        "nli-mixture",
        "sst",
        "ptb",
        "wikiqa",
    }
    assert all(entry["licence"] for entry in entries.values())
    [download] = SOURCES["snli"].downloads
    assert entries["snli"]["downloads"] == [
        {"url": download.url, "sha256": download.sha256, "files": list(download.files)}
    ]
    assert entries["imdb"]["missing"] == entries["imdb"]["files"]


@pytest.mark.parametrize("arguments", [(), ("list",)])
def test_people_are_told_all_sources_in_80_columns(run_cli: Any, arguments: tuple[str, ...]) -> None:
    ended = run_cli("data", *arguments)
    assert (ended.status, ended.stderr) == (0, "")
    told = " ".join(ended.stdout.split())
    for name, source in SOURCES.items():
        assert f"\n{name} " in ended.stdout
        assert source.licence.split()[0] in told
    assert max(map(len, ended.stdout.splitlines()[1:])) <= 80  # the first names a folder


def test_a_corpus_of_which_a_part_is_there(run_cli: Any, tmp_path: Path) -> None:
    (tmp_path / "snli").mkdir()
    (tmp_path / "snli" / "snli_1.0_dev.jsonl").touch()
    ended = run_cli("data", "list", "--corpora", tmp_path)
    assert re.search(r"^snli +1 of 3 +yes +CC BY-SA 4.0", ended.stdout, re.MULTILINE)
    assert re.search(r"^ptb +no +by hand +LDC", ended.stdout, re.MULTILINE)


@pytest.mark.parametrize("name", SOURCES)
def test_of_one_source_all_is_told(run_cli: Any, name: str) -> None:
    source = SOURCES[name]
    ended = run_cli("data", "list", name, "--corpora", CORPORA)
    assert (ended.status, ended.stderr) == (0, "")
    told = " ".join(ended.stdout.split())
    for said in (source.title, source.licence, source.page, source.citation, source.note, *source.files):
        assert said is None or said in told
    for download in source.downloads:
        assert f"from {download.url}\nSHA-256 {download.sha256 or 'not known'}" in ended.stdout
    assert ("cannot be fetched" in told) == (not source.downloads)


def test_of_one_source_all_is_told_as_json(run_cli: Any) -> None:
    entry = json.loads(run_cli("data", "list", "ptb", "--json", "--corpora", CORPORA).stdout)
    assert (entry["name"], entry["here"], entry["downloads"]) == ("ptb", True, [])


def test_the_bare_verb_takes_json_too(run_cli: Any) -> None:
    assert len(json.loads(run_cli("data", "--json").stdout)) == len(SOURCES)


def test_a_good_file_is_summed_up(run_cli: Any) -> None:
    ended = run_cli("data", "check", OWN / "pairs.csv", "--task", "pair")
    assert (ended.status, ended.stderr) == (0, "")
    assert "good rows" in ended.stdout
    assert "entailment" in ended.stdout
    told = json.loads(run_cli("data", "check", OWN / "pairs.csv", "--task", "pair", "--json").stdout)
    assert told["usable"]
    assert told["problems"] == []


def test_every_problem_is_told_with_its_line(run_cli: Any, tmp_path: Path) -> None:
    file = tmp_path / "own.csv"
    file.write_bytes(b"text,label\ngood,a\nshort\nnone,\ncaf\xe9,b\ngood,b\n")
    ended = run_cli("data", "check", file, "--task", "classify")
    assert ended.status == 2
    assert ended.stderr == f"readhead: {file}: 3 problems; training could not use this file\n"
    for line, what in ((3, "1 field where the header has 2"), (4, "no label in 'label'"), (5, "byte 0xe9")):
        assert f"{file}:{line}: {what}" in ended.stdout
    told = run_cli("data", "check", file, "--task", "classify", "--json")
    assert told.status == 2
    problems = json.loads(told.stdout)["problems"]
    assert [problem["line"] for problem in problems] == [3, 4, 5]


def test_columns_are_named_as_for_train(run_cli: Any) -> None:
    columns = ("--text-column", "review", "--label-column", "rating")
    ended = run_cli("data", "check", OWN / "reviews.csv", "--task", "classify", *columns)
    assert ended.status == 0


def test_one_problem_is_one_problem(run_cli: Any, tmp_path: Path) -> None:
    file = tmp_path / "own.jsonl"
    file.write_text('{"text": "a", "label": "x"}\n{"text": "b", "label": "y"}\n{"text"\n')
    ended = run_cli("data", "check", file, "--task", "classify")
    assert ended.stderr == f"readhead: {file}: 1 problem; training could not use this file\n"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("fetch", "snil"), "there is no corpus 'snil'; did you mean 'snli'?"),
        (("list", "snil"), "there is no corpus 'snil'; did you mean 'snli'?"),
        (("fetch", "nli-mixture", "--corpora", "{d}"), "cannot be fetched: made from other corpora"),
        (("fetch", "sst", "--offline", "--corpora", "{d}"), "offline, and not below {d}: sst/trees/train.txt"),
        (("fetch", "sst", "--mirror", "here", "--corpora", "{d}"), "--mirror here: expected an address, such as"),
        (("fetch", "sst", "--mirror", "http://x", "--offline"), "--offline downloads nothing, so it takes no --mirror"),
        (("list", "--corpora", "{d}/no"), "{d}/no: --corpora: no such folder"),
        (("check", "{d}/no.csv", "--task", "pair"), "{d}/no.csv: no such file"),
        (("check", "{d}", "--task", "pair"), "{d}: this is a directory; expected a file"),
        (
            ("check", "{d}/no.csv", "--task", "pears"),
            "no task 'pears' for own files; expected one of classify, pair, rank",
        ),
        (("check", "{d}/no.csv"), "--task"),
    ],
)
def test_what_it_refuses(run_cli: Any, tmp_path: Path, arguments: tuple[str, ...], told: str) -> None:
    given = [argument.format(d=tmp_path) for argument in arguments]
    assert told.format(d=tmp_path) in refusal(run_cli("data", *given))
    assert list(tmp_path.iterdir()) == []


def test_what_is_here_is_not_fetched_again(run_cli: Any) -> None:
    ended = run_cli("data", "fetch", "nli-mixture", "--corpora", CORPORA)
    assert ended.status == 0
    assert ended.stdout == f"{CORPORA}/nli-mixture/train.jsonl\nall was here already\n"


def test_fetch_names_the_files_and_the_checksums(run_cli: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    body = b"the 0.1 0.2\n"
    digest = hashlib.sha256(body).hexdigest()
    downloads = (
        Download(url="https://nowhere.invalid/a.txt", place="own/a.txt", sha256=digest),
        Download(url="https://nowhere.invalid/b.txt", place="own/b.txt"),
    )
    monkeypatch.setitem(SOURCES, "own", Source(title="Own", licence="free", downloads=downloads))  # type: ignore[arg-type]
    with corpus_server() as server:
        server.files = {"/a.txt": Served(body, cuts=[5], ranges=False), "/b.txt": Served(body)}
        monkeypatch.setattr("readhead.data.download.time.sleep", lambda seconds: None)
        ended = run_cli("data", "fetch", "own", "--corpora", tmp_path, "--mirror", server.url)
    assert ended.status == 0
    assert ended.stdout.splitlines() == [
        f"{tmp_path}/own/a.txt",
        f"{tmp_path}/own/b.txt",
        f"SHA-256 {digest} (as expected): {server.url}/a.txt",
        f"SHA-256 {digest} (nothing known to compare it with): {server.url}/b.txt",
    ]
    assert ended.stderr.splitlines() == [
        "a.txt: 12 bytes",
        "a.txt: 5 bytes in 0 s",
        "a.txt: the download was cut off after 5 of 12 bytes; once more in 1 s",
        "a.txt: the server does not resume; from the beginning",
        "a.txt: 12 bytes",
        "a.txt: 12 bytes in 0 s",
        "b.txt: 12 bytes",
        "b.txt: 12 bytes in 0 s",
    ]


def test_a_failed_fetch_is_one_line(run_cli: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    download = Download(url="https://nowhere.invalid/a.txt", place="own/a.txt")
    monkeypatch.setitem(SOURCES, "own", Source(title="Own", licence="free", downloads=(download,)))  # type: ignore[arg-type]
    with corpus_server() as server:
        ended = run_cli("data", "fetch", "own", "--corpora", tmp_path, "--mirror", server.url)
        assert refusal(ended) == f"{server.url}/a.txt cannot be fetched: the server answers 404 Not Found"


def test_plain_lines_tell_share_rate_and_time_left(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr(
        download_report, "time", SimpleNamespace(monotonic=lambda: now[0])
    )  # the clock of others goes on
    stream = io.StringIO()
    with DownloadReport(stream=stream) as report:
        report.begin("a.zip", 1_000_000, 4_000_000)
        for _ in range(3):
            now[0] += 6
            report.advance(600_000)
        report.end()
    assert stream.getvalue().splitlines() == [
        "a.zip: 4.0 MB, from 1.0 MB on",
        "a.zip: 2.2 MB of 4.0 MB (55%), 100.0 kB/s, 18 s left",
        "a.zip: 1.8 MB in 18 s, 2.8 MB in all",
    ]


def test_a_terminal_gets_a_bar() -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    stream = Terminal()
    with DownloadReport(stream=stream) as report:
        report.begin("a.zip", 0, 2_000_000)
        report.advance(1_000_000)
        report.end()
    shown = stream.getvalue()
    assert "\x1b[" in shown
    assert "a.zip" in shown


def test_of_many_labels_the_most_frequent_are_shown(run_cli: Any, tmp_path: Path) -> None:
    rows = [f"text {i} {copy},label {i:02}" for i in range(32) for copy in range(2 + (i > 1))]
    (tmp_path / "own.csv").write_text("text,label\n" + "\n".join(rows))
    ended = run_cli("data", "check", tmp_path / "own.csv", "--task", "classify")
    assert "label 01" not in ended.stdout
    assert "label 02     3   3.2%\n" in ended.stdout
    assert "\nand 2 more labels, of 2 to 2 rows\n" in ended.stdout


def test_in_a_file_no_line_of_a_table_ends_in_blanks_and_none_is_blank_for_want_of_names(run_cli: Any) -> None:
    lines = run_cli("data", "list", "snli", "--corpora", CORPORA).stdout.splitlines()
    assert lines[1].startswith("licence ")
    assert [line for line in lines if line != line.rstrip()] == []


def test_a_file_that_cannot_be_used_is_told_even_if_nobody_reads_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "own.csv").write_text("text,label\n" + "x,a\n" * 50)
    reading, writing = os.pipe()
    os.close(reading)
    with suppress(BrokenPipeError), open(writing, "w", buffering=1, encoding="utf-8") as nobody:  # noqa: PTH123
        monkeypatch.setattr(sys, "stdout", nobody)
        assert status_of(["data", "check", str(tmp_path / "own.csv"), "--task", "classify"]) == 2
        monkeypatch.undo()
    assert capsys.readouterr().err.endswith("own.csv: 1 problem; training could not use this file\n")
