"""`readhead explain`: one reading, shown."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from readhead.explain import html
from tests.cli.refusals import files_below, refusal
from tests.cli.test_predict import TEXTS


def test_it_shows_the_answer_and_the_attention(run_cli: Any, pair_run: Path) -> None:
    ended = run_cli("explain", pair_run, "The baker sings.", "No baker sings.")
    assert (ended.status, ended.stderr) == (0, "")
    for shown in ("premise", "The baker sings.", "contradiction", "neutral", "▸", "premise → hypothesis"):
        assert shown in ended.stdout
    assert max(map(len, ended.stdout.splitlines())) <= 80
    assert "--attribution tells what each word adds" in ended.stdout


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
    assert "rests on" in ended.stdout, "what each word adds is all there is to show"


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


def test_one_file_holds_all_pictures_and_the_record(run_cli: Any, pair_run: Path, tmp_path: Path) -> None:
    file = tmp_path / "why.html"
    ended = run_cli("explain", pair_run, "The baker sings.", "No baker <b>sings.", "--html", file, "--attribution")
    assert (ended.status, ended.stderr) == (0, "")
    assert ended.stdout == f"written: {file}, {file.stat().st_size / 1000:,.0f} kB; it opens in any browser\n"
    assert list(tmp_path.iterdir()) == [file]
    page = file.read_text(encoding="utf-8")
    assert f"Read by {pair_run.name}." in page and "rests on</h2>" in page and "baker &lt; b" not in page
    same = run_cli("explain", pair_run, "The baker sings.", "No baker <b>sings.", "--attribution", "--json").stdout
    assert html.read(page).to_json() + "\n" == same


def test_with_json_nothing_else_is_printed(run_cli: Any, text_run: Path, tmp_path: Path) -> None:
    files = ("--html", tmp_path / "a.html", "--svg", tmp_path / "a.svg")
    assert json.loads(run_cli("explain", text_run, "It works.", *files, "--json").stdout)["format"] == 2
    assert {path.name for path in tmp_path.iterdir()} == {"a.html", "a.svg"}


def test_a_picture_or_a_folder_of_them(run_cli: Any, pair_run: Path, tmp_path: Path) -> None:
    texts = ("The baker sings.", "A baker")
    ended = run_cli("explain", pair_run, *texts, "--svg", tmp_path / "one.svg")
    assert "the main picture; a folder's name after --svg gets each of them" in ended.stdout
    assert 'class="readhead picture grid"' in (tmp_path / "one.svg").read_text()
    (tmp_path / "all").mkdir()
    ended = run_cli("explain", pair_run, *texts, "--svg", tmp_path / "all")
    assert ended.stdout == f"written: {tmp_path / 'all'}, 3 pictures\n"
    assert {path.name for path in (tmp_path / "all").iterdir()} == {
        "answer.svg",
        "attention-premise-hypothesis.svg",
        "attention-hypothesis-premise.svg",
    }
    told = refusal(run_cli("explain", pair_run, *texts, "--svg", tmp_path / "all"))
    assert told == f"{tmp_path / 'all'}: expected a folder that is not there yet, or empty"


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--html", "why.txt"), "--html why.txt: expected a file that ends in .html or .htm"),
        (("--html", "away/why.html"), "away: there is no such folder to write to"),
        (("--svg", "away/why.svg"), "away: there is no such folder to write to"),
        (("--html", "there"), "there: expected a file to write, and this is a folder"),
    ],
)
def test_what_cannot_be_written_is_told(
    run_cli: Any, text_run: Path, in_tmp_path: Path, options: tuple[str, ...], told: str
) -> None:
    Path("there").mkdir()
    before = files_below(in_tmp_path)
    assert refusal(run_cli("explain", text_run, "a", *options)) == told
    assert files_below(in_tmp_path) == before


@pytest.fixture
def in_tmp_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path
