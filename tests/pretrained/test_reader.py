"""A run from Python: the answers of the command line, whichever way it is asked."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

import readhead
from readhead import shipped
from readhead.errors import InputError
from readhead.explain.record import Explanation

PAIRS = [
    {"premise": "The baker sings.", "hypothesis": "A baker sings."},
    {"premise": "The judge waits and reads and waits.", "hypothesis": "No judge sleeps."},
    {"premise": "", "hypothesis": "Ghosts!"},
]
VOID = {"meta", "br", "hr", "img", "input", "link"}


class Balanced(HTMLParser):
    """Reads HTML; what is open must be closed, and nothing comes from elsewhere."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.text = ""
        self.feed(html)
        assert not self.open, f"not closed: {self.open}"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag not in {"script", "link", "img", "iframe", "style"}
        assert not {name for name, _ in attrs} & {"src", "href", "onclick", "onload"}
        self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def command_line(run_cli: Any, run: Path, records: list[dict[str, Any]]) -> list[Any]:
    ended = run_cli("predict", run, stdin="".join(json.dumps(record) + "\n" for record in records))
    return [json.loads(line) for line in ended.stdout.splitlines()]


def test_pairs_are_answered_as_on_the_command_line(run_cli: Any, pair: Path) -> None:
    reader = readhead.load(pair)
    told = reader(PAIRS)
    assert told == command_line(run_cli, pair, PAIRS)
    assert [answer.keys() for answer in told] == [{"label", "scores"}] * 3
    for record, answer in zip(PAIRS, told, strict=True):
        one = reader(**record)
        assert one["label"] == answer["label"]
        assert one["scores"] == pytest.approx(answer["scores"], abs=1e-6)
        assert reader(record) == one
    assert reader(iter(PAIRS)) == told
    assert reader([]) == []


def test_candidates_are_ranked_as_on_the_command_line(run_cli: Any, rank: Path) -> None:
    reader = readhead.load(rank)
    record = {"question": "Who keeps the bees?", "candidates": ["Two sisters keep the bees.", "It rains."]}
    told = reader(**record)
    assert [told] == command_line(run_cli, rank, [record])
    assert reader([record, {"question": "Who?", "candidates": []}])[1] == {"ranking": []}
    explained = reader.explain(question=record["question"], candidate="It rains.")
    (of_rain,) = (entry for entry in told["ranking"] if entry["candidate"] == "It rains.")
    assert explained.answer.score == pytest.approx(of_rain["score"], abs=1e-6)  # type: ignore[union-attr]
    places = reader.explain_ranking("Who keeps the bees?", ["Two sisters keep the bees.", "It rains."]).places
    assert list(places) == [entry["place"] for entry in told["ranking"]]


def test_a_language_model_is_asked_with_a_text_alone(run_cli: Any, lm: Path) -> None:
    reader = readhead.load(lm)
    told = reader("the company said")
    assert [told] == command_line(run_cli, lm, [{"text": "the company said"}])
    assert reader(["the company said"]) == [told] == reader([{"text": "the company said"}])
    drawn = reader.continuation("the company", words=4, seed=1)
    assert reader({"text": "the company", "continue": 4, "seed": 1})["continuation"] == drawn
    assert "perplexity" in Balanced(reader.explain("the company said")._repr_html_()).text


def refused(ask: Callable[[], object]) -> str:
    with pytest.raises(InputError) as refusal:
        ask()
    return str(refusal.value)


def test_what_is_wrong_is_told(pair: Path, lm: Path) -> None:
    reader, model = readhead.load(pair), readhead.load(lm)
    told = "this run reads premise and hypothesis; expected reader(premise=..., hypothesis=...)"
    assert refused(lambda: reader("A baker.")) == told
    assert refused(lambda: reader(["A baker."])) == told
    assert refused(lambda: reader(premis="a")).startswith("this run reads no 'premis'; did you mean 'premise'?")
    assert 'the field "hypothesis" is missing' in refused(lambda: reader(premise="a"))
    assert refused(lambda: reader([PAIRS[0], {**PAIRS[1], "premise": 3}])).startswith('record 2: the field "premise"')
    assert refused(lambda: reader("a", premise="b")).startswith("expected either one argument or keywords")
    assert refused(lambda: reader.continuation("a", words=3)) == "only a language model can go on with a text"
    assert refused(lambda: model({"text": "a", "continue": -1})).startswith('"continue" must be a whole number')
    assert 'the field "premise" is missing' in refused(lambda: reader.explain(hypothesis="a"))


def test_a_notebook_shows_it_and_what_it_explains(pair: Path) -> None:
    reader = readhead.load(pair)
    shown = Balanced(reader._repr_html_()).text
    for part in (
        "tiny",
        "pair: premise, hypothesis",
        "entailment",
        "trainable parameters",
        "56 train pairs",
        "accuracy",
    ):
        assert part in shown
    explained = reader.explain(premise="A <b>baker</b> & co.", hypothesis='"No" </div>\x1b[31m')
    assert isinstance(explained, Explanation)
    shown = Balanced(explained._repr_html_()).text
    for part in ("A <b>baker</b> & co.", '"No" </div>␛[31m', "entailment", "premise → hypothesis"):
        assert part in shown
    assert repr(reader) == f"<readhead.Reader tiny: pair, 3 labels, {reader.run.record.parameters:,} parameters>"


def test_it_is_saved_and_opened_again(pair: Path, tmp_path: Path) -> None:
    reader = readhead.load(pair)
    reader.save_pretrained(tmp_path / "copy")
    assert {path.name for path in (tmp_path / "copy").iterdir()} == {path.name for path in reader.run.files.shared}
    assert (tmp_path / "copy" / "README.md").read_bytes() == (pair / "README.md").read_bytes()
    assert readhead.Reader.from_pretrained(tmp_path / "copy")(PAIRS) == reader(PAIRS)
    assert "this is the run's own directory" in refused(lambda: reader.save_pretrained(pair))


def test_names(pair: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "trained").mkdir()
    (tmp_path / "trained" / "moods").symlink_to(pair)
    monkeypatch.setattr(shipped, "SHIPPED", tmp_path / "trained")
    monkeypatch.chdir(tmp_path)
    assert readhead.load("moods").run.files.folder == tmp_path / "trained" / "moods"
    assert "did you mean 'moods'" in refused(lambda: readhead.load("mood"))
    assert "`readhead.load('moods')` opens the shipped model" in refused(
        lambda: readhead.Reader.from_pretrained("moods")
    )
    (tmp_path / "moods").symlink_to(pair)
    with pytest.warns(UserWarning, match="moods: the directory here is read") as caught:
        readhead.load("moods")
    assert caught[0].filename == __file__


def test_the_package_is_light_until_it_is_asked() -> None:
    program = """
import sys, readhead
assert {"load", "Reader", "__version__"} <= set(dir(readhead))
try:
    readhead.lode
except AttributeError as error:
    print(error, *sorted({"torch", "numpy", "huggingface_hub", "tokenizers"} & sys.modules.keys()))
"""
    told = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert told == "module 'readhead' has no attribute 'lode'\n"
    assert readhead.Reader.__name__ == "Reader"
