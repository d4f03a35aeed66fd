"""/v1/stream: a reading word by word."""

from __future__ import annotations

from pathlib import Path

import pytest

from readhead.errors import InputError
from readhead.prediction.predictor import Predictor
from readhead.prediction.word_by_word import word_by_word
from readhead.run import Run
from readhead.serve.load.texts import agree
from tests.serve.running import Running
from tests.serve.small_runs import TEXT


def test_a_language_models_surprisal_comes_word_by_word(served: Running) -> None:
    *words, (name, answer) = served.events({**TEXT, "model": "lm"})
    right = served.ask("/v1/predict?model=lm", TEXT).json
    assert ({told for told, _ in words}, name) == ({"word"}, "answer")
    assert agree(answer, right)
    assert [word["token"] for _, word in words] == right["tokens"]
    assert [word["surprisal"] for _, word in words] == pytest.approx(right["surprisal"], abs=1e-4)
    assert words[-1][1]["perplexity"] == pytest.approx(right["perplexity"], rel=1e-4)
    assert [place for place, (_, word) in enumerate(words) if "unknown" in word] == right["unknown"]


def test_a_classifier_says_what_it_thinks_so_far(served: Running) -> None:
    *words, (_, answer) = served.events({**TEXT, "model": "text"})
    begun = [TEXT["text"][: word["offsets"][1]] for _, word in words]
    right = served.ask("/v1/predict?model=text", [{"text": text} for text in begun]).json
    for (_, word), expected in zip(words, right, strict=True):
        assert word["label"] == expected["label"]
        assert word["scores"] == pytest.approx(expected["scores"], abs=1e-5)
    assert agree(answer, served.ask("/v1/predict?model=text", TEXT).json)


def test_drawn_words_come_as_they_are_drawn(served: Running) -> None:
    asked = {"text": "the company said", "continue": 6, "seed": 2, "model": "lm"}
    *words, (_, answer) = served.events(asked)
    assert " ".join(word["word"] for _, word in words) == answer["continuation"]


def test_a_text_without_words_has_an_answer(served: Running) -> None:
    assert [name for name, _ in served.events({"text": "", "model": "text"})] == ["answer"]
    assert [name for name, _ in served.events({"text": "", "model": "lm"})] == ["word", "answer"]


def test_a_reader_that_looks_ahead_says_so(runs: dict[str, Path]) -> None:
    with pytest.raises(InputError, match="has to see a pair whole"):
        word_by_word(Predictor(run=Run.open(runs["pair"])), "a")
