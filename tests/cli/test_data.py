"""`readhead data`: what is here, where the rest comes from, what is wrong with a file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from readhead.data.sources import SOURCES
from tests.cli.conftest import OWN
from tests.cli.refusals import refusal

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
    }
    assert all(entry["licence"] for entry in entries.values())
    assert entries["snli"]["sha256"] == SOURCES["snli"].sha256


@pytest.mark.parametrize("arguments", [(), ("list",)])
def test_people_are_told_licence_address_and_checksum(run_cli: Any, arguments: tuple[str, ...]) -> None:
    ended = run_cli("data", *arguments)
    assert ended.status == 0
    for source in SOURCES.values():
        assert source.licence in ended.stdout
        assert (source.sha256 or "not known") in ended.stdout
        assert (source.url or "cannot be fetched") in ended.stdout


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
        (("fetch", "nli-mixture", "--corpora", "{d}"), "cannot be fetched: made from other corpora"),
        (("list", "--corpora", "{d}/no"), "{d}/no: --corpora: no such folder"),
        (("check", "{d}/no.csv", "--task", "pair"), "{d}/no.csv: no such file"),
        (("check", "{d}", "--task", "pair"), "{d}: unknown ending"),
        (("check", "{d}/no.csv", "--task", "pears"), "no task 'pears' for own files; expected classify or pair"),
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
