"""Answers: alone as in a batch, in order, truncation told, any text answered."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from readhead.errors import InputError
from readhead.prediction.evaluation import evaluate_file, evaluate_split
from readhead.prediction.predictor import Predictor
from readhead.prediction.records import parse, read_lines
from readhead.run import Run
from readhead.training.request import Request
from readhead.training.start import train
from tests.tiny import pairs, tiny_recipe

FIELDS = ("premise", "hypothesis")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a trained run in `run` and its data in `pairs.jsonl`."""
    folder = tmp_path_factory.mktemp("trained")
    changes = (
        "text.max_tokens=12",
        "training.epochs=20",
        "optimizer.learning_rate=0.01",
        "model.hidden_dim=32",
    )
    train(Request(recipe=tiny_recipe(folder, changes), out=folder / "run", corpora=folder, device="cpu", quiet=True))
    return folder


@pytest.fixture(scope="module")
def predictor(folder: Path) -> Predictor:
    return Predictor(run=Run.open(folder / "run"))


def test_a_batch_gives_what_single_items_give(predictor: Predictor) -> None:
    texts = [{field: row[field] for field in FIELDS} for row in pairs()]
    together, alone = predictor.answers(texts), [predictor.answers([text])[0] for text in texts]
    for one, other in zip(together, alone, strict=True):
        assert one["label"] == other["label"]
        assert one["scores"] == pytest.approx(other["scores"], abs=1e-6)


def test_it_has_learnt_something(predictor: Predictor, folder: Path) -> None:
    assert (
        evaluate_file(predictor.run, folder / "pairs.jsonl").report.metrics["accuracy"] > 0.55
    )  # the majority label alone gives 0.42


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "word",
        "word " * 10_000,
        "😀👩‍👩‍👧",
        "שלום עולם",
        "a\u0000b",
        "\ud800",
        "x" * 100_000,
        "line\nline",
    ],
    ids=[
        "empty",
        "blank",
        "one-word",
        "ten-thousand",
        "emoji",
        "right-to-left",
        "nul",
        "surrogate",
        "long-word",
        "lines",
    ],
)
def test_any_text_is_answered(predictor: Predictor, text: str) -> None:
    (answer,) = predictor.answers([{"premise": text, "hypothesis": text}])
    assert sum(answer["scores"].values()) == pytest.approx(1)
    assert ("truncated" in answer) == (len(text.split()) > 12)


def test_truncation_is_told_by_field(predictor: Predictor) -> None:
    (answer,) = predictor.answers([{"premise": "word " * 13, "hypothesis": "word"}])
    assert answer["truncated"] == ["premise"]


def test_a_bad_line_yields_an_error_in_its_place(predictor: Predictor) -> None:
    good = json.dumps({"premise": "The baker sings.", "hypothesis": "A baker sings."})
    lines = [good, "nonsense", '{"premise": "x"}', '{"premise": 3, "hypothesis": "y"}', "[1]", "", good]
    answers = list(predictor.stream(read_lines(lines, FIELDS)))
    assert [("error" in answer, answer.get("line")) for answer in answers] == [
        (False, None),
        (True, 2),
        (True, 3),
        (True, 4),
        (True, 5),
        (False, None),
    ]
    assert answers[0] == answers[-1]


def test_a_deeply_nested_line_is_an_error_too() -> None:
    assert parse("[" * 100_000, 7, FIELDS).error.startswith("not valid JSON")


def test_streaming_reads_no_further_than_it_answers(predictor: Predictor) -> None:
    line = json.dumps({"premise": "The baker sings.", "hypothesis": "A baker sings."})
    taken = 0

    def endless() -> object:
        nonlocal taken
        while True:
            taken += 1
            yield line

    answers = predictor.stream(read_lines(endless(), FIELDS))  # type: ignore[arg-type]
    for _ in range(10):
        next(answers)
    assert taken <= 8 * predictor.batch_size


def test_an_explanation_shows_tokens_places_and_attention(predictor: Predictor) -> None:
    explanation = predictor.explain({"premise": "The baker sings.", "hypothesis": "No baker"})
    premise = explanation.texts["premise"]
    assert premise.tokens == ("∅", "the", "baker", "sings", ".")
    assert premise.offsets == (None, (0, 3), (4, 9), (10, 15), (15, 16))
    weights = explanation.attention["premise->hypothesis"]
    assert weights.shape == (5, 3)
    assert np.allclose(weights.sum(axis=1), 1, atol=1e-5)


def test_an_explanation_answers_as_predict_does(predictor: Predictor) -> None:
    texts = {"premise": "The judge waits.", "hypothesis": "A judge waits."}
    explanation, (answer,) = predictor.explain(texts), predictor.answers([texts])
    assert (explanation.answer.label, dict(explanation.answer.scores)) == (answer["label"], answer["scores"])


def test_evaluation_of_a_split_is_what_training_watched(folder: Path) -> None:
    run = Run.open(folder / "run")
    measured = evaluate_split(run, "dev", corpora=folder)
    assert measured.report.metrics["accuracy"] == pytest.approx(run.record.best["value"])
    wrong = sum(map(sum, measured.report.confusion)) - sum(measured.report.confusion[i][i] for i in range(3))
    assert len(measured.report.mistakes) == wrong


def test_a_label_that_the_run_does_not_know_is_named(folder: Path, tmp_path: Path) -> None:
    file = tmp_path / "other.jsonl"
    file.write_text('{"premise": "a", "hypothesis": "b", "label": "maybe"}\n')
    with pytest.raises(InputError, match="maybe"):
        evaluate_file(Run.open(folder / "run"), file)
