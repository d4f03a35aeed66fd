from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from readhead.errors import InputError
from readhead.explain.record import Answer, Explanation, TextRead, sides
from tests.explain.readings import SCORES, marked, pair, words

EXPLANATION = pair(marked("two dogs bark"), words("dogs sleep"), truncated=("premise",))


def record() -> Any:
    return json.loads(EXPLANATION.to_json())


def test_the_format_is_fixed() -> None:
    small = Explanation(
        {"text": TextRead("A dog", ("∅", "a", "dog"), (None, (0, 1), (2, 5)))},
        {"text->text": np.array([[1, 0, 0], [1 / 3, 2 / 3, 0], [0.3, 0.3, 0.4]], dtype=np.float32)},
        Answer("calm", {"calm": 2 / 3, "loud": 1 / 3}),
    )
    assert json.loads(small.to_json()) == {
        "format": 1,
        "texts": {
            "text": {"text": "A dog", "tokens": ["∅", "a", "dog"], "offsets": [None, [0, 1], [2, 5]]},
        },
        "attention": {"text->text": [[1.0, 0.0, 0.0], [0.3333, 0.6667, 0.0], [0.3, 0.3, 0.4]]},
        "answer": {"label": "calm", "scores": {"calm": 0.666667, "loud": 0.333333}},
        "truncated": [],
    }


def test_a_record_survives_the_way_there_and_back() -> None:
    again = Explanation.from_json(EXPLANATION.to_json())
    assert again.to_json() == EXPLANATION.to_json()
    assert again.texts == EXPLANATION.texts
    assert again.truncated == ("premise",)
    for name, weights in EXPLANATION.attention.items():
        np.testing.assert_allclose(again.attention[name], weights, atol=5e-5)


@pytest.mark.parametrize("premise", ["", "one"])
@pytest.mark.parametrize("hypothesis", ["", "one"])
def test_texts_without_a_word_survive_too(premise: str, hypothesis: str) -> None:
    empty = pair(words(premise), words(hypothesis))
    shapes = {name: weights.shape for name, weights in empty.attention.items()}
    again = Explanation.from_json(empty.to_json())
    assert {name: weights.shape for name, weights in again.attention.items()} == shapes


def test_any_text_can_be_written_to_any_file() -> None:
    assert pair(words("\ud800 \x00 שלום"), words("日本")).to_json().isascii()


def test_sides() -> None:
    assert sides("premise->hypothesis") == sides("premise->hypothesis (memory)") == ("premise", "hypothesis")


@pytest.mark.parametrize(
    ("name", "shape", "told"),
    [
        (
            "premise->hypothesis",
            (2, 4),
            r"'premise->hypothesis' has shape \[2, 4\], its tokens ask for \[4, 2\]",
        ),
        ("premise->hypothesis", (8,), r"has shape \[8\]"),
        ("premise->memory", (4, 2), r"'premise->memory': expected .* \['premise', 'hypothesis'\]"),
        ("premise", (4, 4), "expected 'rows->columns'"),
    ],
)
def test_a_matrix_that_fits_no_text_is_told_by_name(name: str, shape: tuple[int, ...], told: str) -> None:
    with pytest.raises(ValueError, match=told):
        Explanation(EXPLANATION.texts, {name: np.full(shape, 0.5)}, EXPLANATION.answer)


@pytest.mark.parametrize("weight", [np.nan, -0.1, 1.1])
def test_weights_are_weights(weight: float) -> None:
    with pytest.raises(ValueError, match="'hypothesis->hypothesis' holds weights outside 0 to 1"):
        Explanation(EXPLANATION.texts, {"hypothesis->hypothesis": np.full((2, 2), weight)}, EXPLANATION.answer)


@pytest.mark.parametrize("offsets", [((0, 1),), ((0, 1), (2, 6)), ((0, 1), (3, 2)), ((-1, 1), (2, 5))])
def test_tokens_stand_in_their_text(offsets: tuple[tuple[int, int], ...]) -> None:
    with pytest.raises(ValueError, match="token"):
        TextRead("A dog", ("a", "dog"), offsets)


def test_the_answer_is_one_of_the_labels() -> None:
    with pytest.raises(ValueError, match="'perhaps' is none of"):
        Answer("perhaps", SCORES)
    with pytest.raises(ValueError, match="not all finite"):
        Answer("neutral", {"neutral": float("nan")})


def test_truncated_names_a_text() -> None:
    with pytest.raises(ValueError, match=r"truncated texts \['conclusion'\]"):
        Explanation(EXPLANATION.texts, {}, EXPLANATION.answer, ("conclusion",))


def test_there_is_a_text() -> None:
    with pytest.raises(ValueError, match="no text"):
        Explanation({}, {}, EXPLANATION.answer)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"format": 2}, "format is 2"),
        ({"texts": []}, "not an explanation"),
        ({"texts": {"premise": {"text": "A dog"}}}, "missing"),
        ({"texts": {"text": {"text": "A", "tokens": [1], "offsets": [None]}}}, "not all strings"),
        ({"attention": {"premise->hypothesis": [[0.5, 0.5]]}}, r"shape \[1, 2\]"),
        ({"attention": {"premise->hypothesis": [[1], [0.5, 0.5]]}}, "not an explanation"),
        ({"answer": {"label": "neutral"}}, "scores"),
        ({"answer": {"label": "neutral", "scores": {"neutral": "high"}}}, "not an explanation"),
    ],
)
def test_a_foreign_record_is_refused(change: dict[str, Any], told: str) -> None:
    with pytest.raises(InputError, match=told):
        Explanation.from_json(json.dumps(record() | change))


@pytest.mark.parametrize("key", ["format", "texts", "attention", "answer", "truncated"])
def test_a_missing_key_is_named(key: str) -> None:
    incomplete = record()
    del incomplete[key]
    with pytest.raises(InputError, match=f"it has no '{key}'"):
        Explanation.from_json(json.dumps(incomplete))


@pytest.mark.parametrize("line", ["", "{", "[]", "1", "null", '"text"'])
def test_what_is_no_record_is_refused(line: str) -> None:
    with pytest.raises(InputError, match="not an explanation"):
        Explanation.from_json(line)
