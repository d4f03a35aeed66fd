"""`readhead explain`: one reading, shown."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.refusals import refusal
from tests.cli.test_predict import TEXTS


def test_it_shows_the_answer_and_the_attention(run_cli: Any, pair_run: Path) -> None:
    ended = run_cli("explain", pair_run, "The baker sings.", "No baker sings.")
    assert (ended.status, ended.stderr) == (0, "")
    for shown in ("premise", "The baker sings.", "contradiction", "neutral", "▸", "premise → hypothesis"):
        assert shown in ended.stdout
    assert max(map(len, ended.stdout.splitlines())) <= 80


def test_json_is_the_record(run_cli: Any, pair_run: Path) -> None:
    record = json.loads(run_cli("explain", pair_run, "The baker sings.", "A baker", "--json").stdout)
    assert set(record) == {"format", "texts", "attention", "answer", "truncated"}
    assert record["texts"]["hypothesis"]["tokens"] == ["∅", "a", "baker"]
    assert len(record["attention"]["premise->hypothesis"]) == 5
    assert sum(record["answer"]["scores"].values()) == pytest.approx(1, abs=1e-4)


def test_a_reader_without_attention_is_explained_too(run_cli: Any, text_run: Path) -> None:
    ended = run_cli("explain", text_run, "It works.")
    assert ended.status == 0
    assert "It works." in ended.stdout


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
@pytest.mark.parametrize("form", [(), ("--json",)], ids=["terminal", "json"])
def test_any_text_is_explained(run_cli: Any, pair_run: Path, text: str, form: tuple[str, ...]) -> None:
    ended = run_cli("explain", pair_run, text, "A baker sings.", *form)
    assert (ended.status, ended.stderr) == (0, "")
    if form:
        assert json.loads(ended.stdout)["texts"]["premise"]["text"] == text
    else:
        assert len(ended.stdout.splitlines()) < 200


def test_bytes_that_are_no_utf_8_are_shown_as_such(run_cli: Any, pair_run: Path) -> None:
    # What Python makes of such an argument.
    ended = run_cli("explain", pair_run, "caf\udce9", "A baker sings.")
    assert ended.status == 0
    assert "caf" in ended.stdout


@pytest.mark.parametrize(
    ("texts", "told"),
    [
        (("one",), "1 text given; this run reads 2: premise, hypothesis"),
        (("one", "two", "three"), "3 texts given; this run reads 2: premise, hypothesis"),
    ],
)
def test_another_number_of_texts_is_refused(run_cli: Any, pair_run: Path, texts: tuple[str, ...], told: str) -> None:
    assert refusal(run_cli("explain", pair_run, *texts)) == told


def test_no_text_is_refused(run_cli: Any, text_run: Path) -> None:
    assert "TEXT" in refusal(run_cli("explain", text_run))
