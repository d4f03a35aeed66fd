"""/v1/explain: the record, its picture, and the one file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from readhead.explain.html import read
from readhead.explain.ranking import RankingExplained
from readhead.explain.record import Explanation
from readhead.prediction.predictor import Predictor
from readhead.run import Run
from tests.serve.running import Running
from tests.serve.small_runs import PAIR, QUESTION, TEXT

HTML = {"Accept": "text/html"}


@pytest.mark.parametrize(("name", "record"), [("pair", PAIR), ("text", TEXT), ("lm", TEXT)])
def test_the_record_is_that_of_the_predictor(
    served: Running, runs: dict[str, Path], name: str, record: dict[str, str]
) -> None:
    told = served.ask(f"/v1/explain?model={name}", record)
    assert told.json == json.loads(Predictor(run=Run.open(runs[name])).explain(record).to_json())
    assert Explanation.from_json(told.body.decode()).texts.keys() == record.keys()


def test_a_ranking_is_explained_candidate_by_candidate(served: Running) -> None:
    told = served.ask("/v1/explain?model=rank", QUESTION)
    explained = RankingExplained.from_json(told.body.decode())
    ranking = served.ask("/v1/predict?model=rank", QUESTION).json["ranking"]
    assert list(explained.places) == [entry["place"] for entry in ranking]
    one = {"question": QUESTION["question"], "candidate": QUESTION["candidates"][1]}
    assert served.ask("/v1/explain?model=rank", one).json["texts"]["candidate"]["text"] == one["candidate"]


def test_attribution_and_picture_are_asked_for(served: Running) -> None:
    asked = {"inputs": PAIR, "model": "pair", "parameters": {"picture": True, "attribution": True}}
    told = served.ask("/v1/explain", asked).json
    assert told.keys() == {"explanation", "picture"}
    assert told["explanation"]["attribution"]["texts"].keys() == PAIR.keys()
    assert told["picture"].count("<svg") > 1
    assert "attribution" not in served.ask("/v1/explain?model=pair", PAIR).json


def test_a_picture_shows_hostile_text_as_text(served: Running) -> None:
    hostile = "<script>alert(1)</script>\0\ud800\u202e"
    told = served.ask("/v1/explain", {"text": hostile, "model": "text", "parameters": {"picture": True}})
    assert told.status == 200
    assert "<script" not in told.json["picture"]
    assert "&lt;script&gt;" in told.json["picture"]


def test_the_one_file_holds_the_record(served: Running) -> None:
    told = served.ask("/v1/explain?model=pair", PAIR, headers=HTML)
    assert told.headers["content-type"].startswith("text/html")
    assert told.headers["content-disposition"] == 'attachment; filename="explanation.html"'
    assert read(told.body.decode()).to_json() == json.dumps(served.ask("/v1/explain?model=pair", PAIR).json)


@pytest.mark.parametrize(
    ("name", "record"),
    [
        ("rank", {"question": "a", "candidates": []}),
        ("rank", {"question": "\ud800", "candidates": ["\ud800\0", ""]}),
        ("rank", ["a", ["b"]]),
        ("pair", {"premise": "", "hypothesis": "\ud800"}),
        ("lm", {"text": ""}),
        ("text", {"text": ""}),
    ],
)
def test_any_record_has_its_picture_and_its_file(served: Running, name: str, record: object) -> None:
    asked = {"inputs": [record] if isinstance(record, list) else record, "model": name}
    pictured = served.ask("/v1/explain", {**asked, "parameters": {"picture": True}})
    assert (pictured.status, pictured.json["picture"].startswith("<div")) == (200, True)
    kept = served.ask("/v1/explain", asked, headers=HTML)
    assert (kept.status, kept.body.decode().startswith("<!doctype html>")) == (200, True)
