"""Mean average precision and reciprocal rank, by hand and as trec_eval has them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from ir_measures import AP, RR, Qrel, ScoredDoc, calc_aggregate

from readhead.data.batch import Candidates
from readhead.data.encoded import EncodedSplit
from readhead.data.example import Example
from readhead.data.tokenizer import Tokenizer
from readhead.data.vocabulary import Vocabulary
from readhead.tasks.trec import Rankings, rank

Row = tuple[str, str, bool, float]
"""Question, id of the candidate, whether it is right, score."""


def ranked(rows: list[Row]) -> Rankings:
    """As a split and a score would have it: ids become numbers on the way."""
    examples = [Example({"text": "a"}, "x", "here:1", group=group, id=name) for group, name, _, _ in rows]
    vocabulary = Vocabulary(words=["a"], oov_rows=1)
    tokenizer = Tokenizer(lowercase=True)
    split = EncodedSplit.encode(
        examples, fields=("text",), tokenizer=tokenizer, vocabulary=vocabulary, labels=None, max_tokens=3
    )
    candidates = split.batch(np.arange(len(rows))).candidates
    assert candidates is not None
    return rank(np.array([score for *_, score in rows]), np.array([right for _, _, right, _ in rows]), candidates)


def figures(rows: list[Row]) -> tuple[float, float]:
    rankings = ranked(rows)
    return float(rankings.average_precision.mean()), float(rankings.reciprocal_rank.mean())


def trec_eval(rows: list[Row]) -> tuple[float, float]:
    """What trec_eval says of the questions that have a right candidate."""
    answered = {group for group, _, right, _ in rows if right}
    judged = [Qrel(group, name, int(right)) for group, name, right, _ in rows if group in answered]
    run = [ScoredDoc(group, name, score) for group, name, _, score in rows if group in answered]
    told = calc_aggregate([AP, RR], judged, run)
    return told[AP], told[RR]


def test_by_hand() -> None:
    # Ranked: wrong, right, wrong, right: (1/2 + 2/4) / 2, and 1/2. Alone and right: 1, and 1.
    rows = [("p", "1", True, 0.1), ("p", "2", False, 0.9), ("p", "3", True, 0.6), ("p", "4", False, 0.2)]
    rankings = ranked([*rows, ("q", "1", True, -5.0)])
    assert rankings.average_precision.tolist() == [0.5, 1.0]
    assert rankings.reciprocal_rank.tolist() == [0.5, 1.0]
    assert rankings.best.tolist() == [1, 4]
    assert rankings.left_out == 0


@pytest.mark.parametrize(
    ("names", "first"),
    [(("D1-0", "D1-1"), 1), (("D1-2", "D1-10"), 0), (("b", "B"), 0), (("é", "z"), 0), (("10", "9"), 1)],
)
def test_of_two_equal_scores_the_id_that_comes_last_as_a_string_goes_first(names: tuple[str, str], first: int) -> None:
    rows = [("q", name, place == first, 0.25) for place, name in enumerate(names)]
    assert figures(rows) == trec_eval(rows) == (1.0, 1.0)


def test_scores_that_are_equal_in_float32_are_equal() -> None:
    rows = [("q", "1", True, 0.1 + 1e-12), ("q", "2", False, 0.1)]
    assert figures(rows) == trec_eval(rows) == (0.5, 0.5)


def test_questions_without_a_right_candidate_are_left_out() -> None:
    rows = [("p", "1", False, 0.9), ("p", "2", False, 0.1), ("q", "1", True, 0.1), ("q", "2", False, 0.9)]
    assert ranked(rows).left_out == 1
    assert figures(rows) == (0.5, 0.5)


def test_all_right_is_all_right() -> None:
    rows = [("q", str(n), True, score) for n, score in enumerate([0.5, 0.5, -3.0])]
    assert figures(rows) == trec_eval(rows) == (1.0, 1.0)


def test_rows_of_a_question_need_not_stand_together() -> None:
    rows = [("p", "1", True, 0.1), ("q", "1", True, 0.9), ("p", "2", False, 0.2), ("q", "2", False, 0.3)]
    assert figures(rows) == trec_eval(rows) == (0.75, 0.75)


SCORES = st.one_of(st.sampled_from([0.0, -0.0, 0.5, 1.0]), st.floats(-30, 30, width=32), st.floats(-1, 1))
ROWS = st.lists(
    st.tuples(st.sampled_from("pqrs"), st.text("019-D", min_size=1, max_size=4), st.booleans(), SCORES),
    min_size=1,
    max_size=40,
    unique_by=lambda row: row[:2],
)


@given(ROWS)
def test_it_is_what_trec_eval_says(rows: list[Row]) -> None:
    if not any(right for _, _, right, _ in rows):
        assert len(ranked(rows).best) == 0
        return
    assert figures(rows) == pytest.approx(trec_eval(rows), abs=1e-6)


def test_the_numbers_of_candidates_are_as_good_as_their_names() -> None:
    rows = rank(np.zeros(2), np.array([True, False]), Candidates(np.array([7, 7]), np.array([3, 5])))
    assert rows.reciprocal_rank.tolist() == [0.5]
