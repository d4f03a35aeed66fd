"""Answers: alone as in a batch, in order, truncation told, any text answered."""

from __future__ import annotations

import io
import json
import os
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from readhead.errors import InputError
from readhead.prediction.evaluation import evaluate_file, evaluate_split
from readhead.prediction.predictor import Predictor
from readhead.prediction.records import CHUNK, Form, line_chunks, parse, read_lines
from readhead.run import Run
from readhead.training.request import Request
from readhead.training.start import train
from tests.tiny import pairs, tiny_recipe

FIELDS = ("premise", "hypothesis")
FORM = Form(FIELDS)


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


LINE = json.dumps({"premise": "The baker sings.", "hypothesis": "A baker sings."}).encode()


def test_a_bad_line_yields_an_error_in_its_place(predictor: Predictor) -> None:
    lines = [LINE, b"nonsense", b'{"premise": "x"}', b'{"premise": 3, "hypothesis": "y"}', b"[1]", b"", LINE]
    for chunks in ([lines], [[line] for line in lines]):
        answers = [answer for part in predictor.stream(read_lines(chunks, FORM)) for answer in part]
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
    assert parse("[" * 100_000, 7, FORM).error.startswith("not valid JSON")


class Endless(io.BytesIO):
    """A stream that never ends, and remembers how much was taken."""

    taken = 0

    def read1(self, size: int | None = -1, /) -> bytes:
        assert size is not None and size > 0
        self.taken += size
        return (LINE + b"\n") * (size // len(LINE) + 1)


def test_streaming_reads_no_further_than_it_answers(predictor: Predictor) -> None:
    stream = Endless()
    answers = predictor.stream(read_lines(line_chunks(stream), FORM))
    assert len(next(answers)) > 100
    assert stream.taken == CHUNK


def test_a_line_is_there_as_soon_as_it_is_written() -> None:
    reading, writing = os.pipe()
    with os.fdopen(reading, "rb") as stream, os.fdopen(writing, "wb", buffering=0) as sink:
        chunks = line_chunks(stream)
        sink.write(b"one\n")
        assert next(chunks) == [b"one"]
        sink.write(b"two\nthree\nfo")
        assert next(chunks) == [b"two", b"three"]
        sink.write(b"ur\n\nfive")
        assert next(chunks) == [b"four", b""]
        sink.close()
        assert list(chunks) == [[b"five"]]


class InPieces(io.BytesIO):
    """Bytes that come so many at a time."""

    piece = 1

    def read1(self, size: int | None = -1, /) -> bytes:
        return super().read1(self.piece)


@given(st.binary(max_size=60).map(lambda data: data.replace(b"\x00", b"\n")), st.integers(1, 70))
def test_lines_do_not_depend_on_how_they_come(data: bytes, piece: int) -> None:
    stream = InPieces(data)
    stream.piece = piece
    lines = [line for chunk in line_chunks(stream) for line in chunk]
    assert lines == [line.removesuffix(b"\n") for line in io.BytesIO(data)]


def test_long_records_are_read_by_fewer_at_once(predictor: Predictor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("readhead.prediction.predictor.TOKENS", 30)
    texts = [{field: row[field] for field in FIELDS} for row in pairs()]
    sizes: list[int] = []
    read = Predictor._read
    monkeypatch.setattr(Predictor, "_read", lambda self, encoded: sizes.append(len(encoded)) or read(self, encoded))
    bounded = predictor.answers(texts)
    monkeypatch.undo()
    assert max(sizes) * 10 <= 30  # five tokens each: an article, a noun, a verb, a full stop, and the NULL in front
    for one, other in zip(bounded, predictor.answers(texts), strict=True):
        assert one["scores"] == pytest.approx(other["scores"], abs=1e-6)


def test_an_explanation_shows_tokens_places_and_attention(predictor: Predictor) -> None:
    explanation = predictor.explain({"premise": "The baker sings.", "hypothesis": "No baker"})
    premise = explanation.texts["premise"]
    assert premise.tokens == ("∅", "the", "baker", "sings", ".")
    assert premise.offsets == (None, (0, 3), (4, 9), (10, 15), (15, 16))
    weights = explanation.attention["premise->hypothesis"]
    assert weights.shape == (5, 3)
    assert np.allclose(weights.sum(axis=1), 1, atol=1e-5)


def test_many_are_explained_as_one_is(predictor: Predictor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("readhead.prediction.predictor.READ_AHEAD", 7)
    texts = [{field: row[field] for field in FIELDS} for row in pairs()[:20]]
    texts[3] = {"premise": "", "hypothesis": "The nurse and the judge and the baker sing."}
    explained = list(predictor.explanations(iter(texts)))
    assert len(explained) == 20
    for text, together in zip(texts, explained, strict=True):
        alone = predictor.explain(text)
        assert (together.texts, together.answer.label) == (alone.texts, alone.answer.label)
        for name, weights in alone.attention.items():
            np.testing.assert_allclose(together.attention[name], weights, atol=1e-6)


def test_an_explanation_answers_as_predict_does(predictor: Predictor) -> None:
    texts = {"premise": "The judge waits.", "hypothesis": "A judge waits."}
    explanation, (answer,) = predictor.explain(texts), predictor.answers([texts])
    assert (explanation.answer.label, dict(explanation.answer.scores)) == (answer["label"], answer["scores"])


def test_evaluation_of_a_split_is_what_training_watched(folder: Path) -> None:
    run = Run.open(folder / "run")
    measured = evaluate_split(run, "dev", corpora=folder)
    assert measured.report.confusion is not None
    assert measured.report.metrics["accuracy"] == pytest.approx(run.record.best["value"])
    wrong = sum(map(sum, measured.report.confusion)) - sum(measured.report.confusion[i][i] for i in range(3))
    assert len(measured.report.mistakes) == wrong == list(measured.report.correct or ()).count(False)


def test_a_label_that_the_run_does_not_know_is_named(folder: Path, tmp_path: Path) -> None:
    file = tmp_path / "other.jsonl"
    file.write_text('{"premise": "a", "hypothesis": "b", "label": "maybe"}\n')
    with pytest.raises(InputError, match="maybe"):
        evaluate_file(Run.open(folder / "run"), file)
