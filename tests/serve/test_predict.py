"""/v1/predict: what the command line answers, in whichever shape it is asked."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from readhead.serve.load.texts import agree
from tests.serve.running import Running
from tests.serve.small_runs import PAIR, QUESTION, TEXT

RECORDS: dict[str, list[dict[str, Any]]] = {
    "pair": [PAIR, {"premise": "", "hypothesis": "🐌 ا"}, {"premise": "baker " * 40, "hypothesis": "A nurse waits."}],
    "text": [TEXT, {"text": ""}, {"text": "dull " * 900}],
    "rank": [QUESTION, {"question": "who ?", "candidates": []}],
    "lm": [TEXT, {"text": "the company said", "continue": 4, "seed": 3}],
}


def lines(records: list[Any]) -> str:
    return "".join(json.dumps(record) + "\n" for record in records)


@pytest.mark.parametrize("name", RECORDS)
def test_answers_are_those_of_the_command_line(served: Running, runs: dict[str, Path], run_cli: Any, name: str) -> None:
    told = run_cli("predict", runs[name], stdin=lines(RECORDS[name])).stdout.splitlines()
    expected = [json.loads(line) for line in told]
    together = served.ask(f"/v1/predict?model={name}", RECORDS[name]).json
    alone = [served.ask("/v1/predict", {**record, "model": name}).json for record in RECORDS[name]]
    assert agree(together, expected), (together, expected)
    assert agree(alone, expected)


@pytest.mark.parametrize(
    "body",
    [
        {"inputs": PAIR},
        {"inputs": [PAIR]},
        {"records": [PAIR]},
        {"inputs": [["The baker sings.", "A baker sleeps."]]},
        {"inputs": {"text": PAIR["premise"], "text_pair": PAIR["hypothesis"]}, "parameters": {}, "options": {}},
        [PAIR],
        PAIR,
    ],
)
def test_every_shape_asks_the_same(served: Running, body: Any) -> None:
    told = served.ask("/v1/predict?model=pair", body)
    (answer,) = told.json if isinstance(told.json, list) else [told.json]
    assert told.status == 200
    assert agree(answer, served.ask("/v1/predict?model=pair", PAIR).json)
    assert isinstance(told.json, list) == (isinstance(body, list) or isinstance(next(iter(body.values())), list))


def test_a_text_may_stand_alone(served: Running) -> None:
    expected = served.ask("/v1/predict?model=text", TEXT).json
    assert agree(served.ask("/v1/predict?model=text", {"inputs": TEXT["text"]}).json, expected)
    assert agree(served.ask("/v1/predict?model=text", {"inputs": [TEXT["text"]] * 2}).json, [expected] * 2)


def test_hugging_faces_client_understands_it(served: Running) -> None:
    from huggingface_hub import InferenceClient

    client = InferenceClient(model=f"{served.url}/v1/predict?model=text", token="none")
    told = client.text_classification(TEXT["text"], top_k=2)
    right = served.ask("/v1/predict?model=text", TEXT).json
    assert [entry.label for entry in told] == sorted(right["scores"], key=right["scores"].get, reverse=True)[:2]
    assert told[0].score == pytest.approx(right["scores"][told[0].label], abs=1e-5)


def test_a_bad_item_among_good_ones(served: Running) -> None:
    items = [PAIR] * 16
    items[5] = {"premise": "The baker sings."}
    told = served.ask("/v1/predict?model=pair", items)
    errors = [place for place, answer in enumerate(told.json) if "error" in answer]
    assert (told.status, errors) == (200, [5])
    assert told.json[5]["place"] == 5
    assert '"hypothesis" is missing' in told.json[5]["error"]


def test_a_list_of_none(served: Running) -> None:
    assert served.ask("/v1/predict?model=pair", []).json == []
    assert served.ask("/v1/predict?model=pair", {"inputs": []}).json == []


def test_what_is_cut_is_told(served: Running) -> None:
    long = {"premise": "baker " * 13, "hypothesis": "A nurse waits."}
    assert served.ask("/v1/predict?model=pair", long).json["truncated"] == ["premise"]
    assert "truncated" not in served.ask("/v1/predict?model=pair", PAIR).json


def test_a_reader_that_is_not_sure_may_abstain(served: Running) -> None:
    sure = served.ask("/v1/predict?model=pair", {"inputs": [PAIR, 5], "parameters": {"abstain": 1}}).json
    assert sure[0]["label"] is None
    assert sum(sure[0]["scores"].values()) == pytest.approx(1)
    assert "error" in sure[1]
    told = served.ask("/v1/predict?model=lm", {"inputs": "a", "parameters": {"abstain": 0.5}})
    assert (told.status, "abstain" in told.json["detail"]) == (422, True)


HOSTILE = ["\ud800 half", "a\0b", "<script>alert(1)</script>", "\u202e", "{" * 500, "x" * 300_000]


@pytest.mark.parametrize("text", HOSTILE)
def test_any_text_is_answered_in_json_that_every_parser_reads(served: Running, text: str) -> None:
    told = served.ask("/v1/predict?model=rank", {"question": text, "candidates": [text, "a"]})
    assert told.status == 200
    texts = {entry["candidate"] for entry in told.json["ranking"]}
    assert texts == {text.replace("\ud800", "\ufffd"), "a"}


def test_words_are_drawn_as_the_record_asks(served: Running) -> None:
    bad = served.ask("/v1/predict?model=lm", [{"text": "the", "continue": 1001}, {"text": "the", "continue": "x"}]).json
    assert ["at most 1000" in bad[0]["error"], '"continue" must be' in bad[1]["error"]] == [True, True]
