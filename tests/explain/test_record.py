from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from readhead.errors import InputError
from readhead.explain.ranking import RankingExplained
from readhead.explain.record import Answer, Attributed, Explanation, Relevance, Surprise, TextRead, sides
from tests.explain.readings import SCORES, marked, pair, words

EXPLANATION = pair(marked("two dogs bark"), words("dogs sleep"), truncated=("premise",))


OLD = """{"format": 1, "texts": {"text": {"text": "A dog", "tokens": ["a", "dog"], "offsets": [[0, 1], [2, 5]]}},
 "attention": {"text->text": [[1.0, 0.0], [0.5, 0.5]]}, "answer": {"score": 0.9}, "truncated": []}"""


def record() -> Any:
    return json.loads(EXPLANATION.to_json())


def attributed(**changes: Any) -> Explanation:
    """The pair, with all that a record can hold."""
    four, two = len(EXPLANATION.texts["premise"].tokens), len(EXPLANATION.texts["hypothesis"].tokens)
    given: dict[str, Any] = {
        "memory": {"hypothesis->premise": np.full((two, four), 2.5)},
        "attribution": {"premise": np.array([0.5, -0.25, 0.125, 0.0]), "hypothesis": np.array([1.0, -0.5])},
        "attributed": Attributed("entailment", -0.5, -1.5),
    }
    return replace(EXPLANATION, **given | changes)


def test_the_format_is_fixed() -> None:
    small = Explanation(
        {"text": TextRead("A dog", ("∅", "a", "dog"), (None, (0, 1), (2, 5)))},
        {"text->text": np.array([[1, 0, 0], [1 / 3, 2 / 3, 0], [0.3, 0.3, 0.4]], dtype=np.float32)},
        Answer("calm", {"calm": 2 / 3, "loud": 1 / 3}),
    )
    assert json.loads(small.to_json()) == {
        "format": 2,
        "texts": {
            "text": {"text": "A dog", "tokens": ["∅", "a", "dog"], "offsets": [None, [0, 1], [2, 5]]},
        },
        "attention": {"text->text": [[1.0, 0.0, 0.0], [0.3333, 0.6667, 0.0], [0.3, 0.3, 0.4]]},
        "answer": {"label": "calm", "scores": {"calm": 0.666667, "loud": 0.333333}},
        "truncated": [],
    }


def test_the_format_of_all_that_there_can_be() -> None:
    told = json.loads(attributed().to_json())
    assert list(told) == ["format", "texts", "attention", "memory", "answer", "attribution", "truncated"]
    assert told["memory"] == {"hypothesis->premise": [[2.5] * 4] * 2}
    assert told["attribution"] == {
        "of": "entailment",
        "score": -0.5,
        "baseline": -1.5,
        "texts": {"premise": [0.5, -0.25, 0.125, 0.0], "hypothesis": [1.0, -0.5]},
    }
    assert attributed().gap == pytest.approx(1 - 0.875)
    assert EXPLANATION.gap == 0


def test_format_1_is_read() -> None:
    old = Explanation.from_json(OLD)
    assert old.answer == Relevance(0.9)
    assert (old.memory, old.attribution, old.attributed) == ({}, {}, None)
    with pytest.raises(InputError, match="its 'memory' is no part of format 1"):
        Explanation.from_json(OLD.replace('"truncated"', '"memory": {}, "truncated"'))


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"memory": {"premise->premise": np.full((4, 4), -0.1)}}, "'premise->premise' holds what is no norm"),
        ({"memory": {"premise->premise": np.full((4, 4), np.inf)}}, "'premise->premise' holds what is no norm"),
        ({"attribution": {"premise": np.zeros(4)}}, r"\['premise'\]; expected \['premise', 'hypothesis'\]"),
        ({"attribution": {"premise": np.zeros(4), "hypothesis": np.zeros(3)}}, r"to 'hypothesis' has shape \[3\]"),
        ({"attribution": {"premise": np.full(4, np.nan), "hypothesis": np.zeros(2)}}, "to 'premise' holds numbers"),
        ({"attributed": None}, "expected none, since it says not of what"),
    ],
)
def test_what_fits_no_text_is_told_by_name(change: dict[str, Any], told: str) -> None:
    with pytest.raises(ValueError, match=told):
        attributed(**change)
    with pytest.raises(ValueError, match="not both finite"):
        Attributed("neutral", 0.0, float("nan"))


@st.composite
def explanations(draw: st.DrawFn) -> Explanation:
    """Any that there can be, of a classifier, a ranker or a language model."""
    random = np.random.default_rng(draw(st.integers(0, 2**32)))
    texts = {}
    for name in draw(st.sampled_from([("text",), ("premise", "hypothesis")])):
        tokens = draw(st.lists(st.text(max_size=4), min_size=1, max_size=3))
        offsets = draw(st.sampled_from([(None,), ((0, 0),)])) * len(tokens)
        texts[name] = TextRead("".join(tokens), tuple(tokens), offsets)
    sizes = {name: len(read.tokens) for name, read in texts.items()}
    pairs = [f"{rows}->{columns}{behind}" for rows in texts for columns in texts for behind in ("", " (one)")]

    def between(most: float) -> dict[str, np.ndarray]:
        names = draw(st.lists(st.sampled_from(pairs), unique=True, max_size=2))
        shapes = {name: tuple(sizes[side] for side in sides(name)) for name in names}
        return {name: random.choice([0, most, random.random() * most], shape) for name, shape in shapes.items()}

    answer: Answer | Relevance | Surprise = draw(
        st.sampled_from(
            [Answer("a", {"a": 1.0}), Relevance(0.25), Answer("b", {"a": 0.1, "b": 0.9}, {"c": 0.75, "d": 0.25})]
        )
    )
    if len(texts) == 1 and draw(st.booleans()):
        answer = Surprise(8.0, tuple(random.random(sizes["text"] - 1)))
    of = draw(st.none() | st.builds(Attributed, st.text(max_size=4), st.floats(-100, 100), st.floats(-100, 100)))
    shares = {name: random.normal(size=size) for name, size in sizes.items()} if of else {}
    cut = tuple(name for name in texts if draw(st.booleans()))
    return Explanation(texts, between(1), answer, cut, between(1000), shares, of)


@given(explanations())
def test_any_record_survives_the_way_there_and_back(explanation: Explanation) -> None:
    line = explanation.to_json()
    again = Explanation.from_json(line)
    assert again.to_json() == line
    assert (again.texts, again.truncated) == (explanation.texts, explanation.truncated)
    assert abs(again.gap - explanation.gap) < 1e-4
    for ours, theirs in ((explanation.attention, again.attention), (explanation.memory, again.memory)):
        assert list(ours) == list(theirs)
        for name, values in ours.items():
            np.testing.assert_allclose(theirs[name], values, rtol=1e-6, atol=5e-5)


CANDIDATE = replace(EXPLANATION, answer=Relevance(0.5))


def test_a_ranking_survives_the_way_there_and_back() -> None:
    for candidates, places in (((), ()), ((CANDIDATE, attributed(answer=Relevance(0.25))), (1, 0))):
        ranking = RankingExplained("who?", candidates, places)
        again = RankingExplained.from_json(ranking.to_json())
        assert again.to_json() == ranking.to_json()
        assert (again.question, again.places, len(again.candidates)) == ("who?", places, len(candidates))


def test_a_ranking_that_is_none_is_refused() -> None:
    with pytest.raises(ValueError, match=r"2 candidates at the places \[0, 2\]"):
        RankingExplained("who?", (CANDIDATE, CANDIDATE), (0, 2))
    with pytest.raises(ValueError, match="a candidate with another answer than how likely it is right"):
        RankingExplained("who?", (EXPLANATION,), (0,))
    told = RankingExplained("who?", (CANDIDATE,), (0,)).plain()
    with pytest.raises(InputError, match="not a ranking that was explained: it has no 'places'"):
        RankingExplained.from_json(json.dumps({name: told[name] for name in ("format", "question", "ranking")}))
    for change, message in (
        ({"format": 1}, "reads 2"),
        ({"ranking": [{"format": 2}]}, "no 'texts'"),
        ({"a": 1}, "'a'"),
    ):
        with pytest.raises(InputError, match=message):
            RankingExplained.from_json(json.dumps(told | change))


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
        ({"format": 3}, "format is 3, and this readhead reads 1 and 2"),
        ({"format": "2"}, "format is '2'"),
        ({"colour": "red"}, "its 'colour' is no part of format 2"),
        ({"memory": {"premise->premise": [[1, 0]]}}, r"memory 'premise->premise' has shape \[1, 2\]"),
        ({"memory": {"premise": [[1, 0]]}}, "memory 'premise': expected 'rows->columns'"),
        ({"attribution": {"of": "neutral", "score": 0, "baseline": 0, "texts": {}}}, r"to \[\]; expected \['premise'"),
        ({"attribution": {"of": "neutral", "score": 0, "texts": {}}}, "it has no 'baseline'"),
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
