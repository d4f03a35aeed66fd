from __future__ import annotations

from readhead.data.labels import sort_labels


def test_numbers_by_value_then_names() -> None:
    assert sort_labels(["b", "10", "2", "-1", "2", "a", "1.5"]) == ("-1", "1.5", "2", "10", "a", "b")


def test_words_that_float_would_take_for_numbers_are_names() -> None:
    assert sort_labels(["nan", "inf", "1e5", "3"]) == ("3", "1e5", "inf", "nan")
