"""Which slot a word was composed with, and what then stands in it."""

from __future__ import annotations

import numpy as np
import pytest

from readhead.explain.associations import associations
from readhead.explain.compositions import Composition, compositions
from readhead.explain.links import Link
from readhead.explain.record import Explanation, Relevance
from tests.explain.readings import words

OWN, OTHER = words("saw red dog"), words("big cat")
KEYS = np.array([[0.1, 0.3, 0.6], [0.3, 0.2, 0.5], [0.2, 0.1, 0.7]])  # the last word reads its own slot most
ACROSS = np.array([[0.0, 1.0], [0.0, 0.0], [0.5, 0.5]])  # the second word reads nothing
READING = Explanation(
    {"text": OWN, "other": OTHER}, {"text->text": KEYS, "text->other (memory)": ACROSS}, Relevance(0.5)
)


def test_each_word_is_linked_to_the_slot_that_it_read_most_but_its_own() -> None:
    assert associations(READING, "text->text") == [Link(0, 2, 0.6), Link(1, 2, 0.5), Link(2, 0, 0.2)]
    assert associations(READING, "text->other (memory)") == [Link(0, 1, 1.0), Link(2, 0, 0.5)]
    assert KEYS[2, 2] == 0.7, "what was given stays as it was"


def test_brackets_grow_in_the_slot_that_was_read() -> None:
    steps = compositions(READING, "text->text")
    assert steps == [
        Composition(0, "saw", 2, 0.6, "(saw dog)"),
        Composition(1, "red", 2, 0.5, "(red (saw dog))"),
        Composition(2, "dog", 0, 0.2, "(dog saw)"),
    ]
    across = compositions(READING, "text->other (memory)")
    assert [(step.word, step.text) for step in across] == [("saw", "(saw cat)"), ("dog", "(dog big)")]


@pytest.mark.parametrize("text", ["", "alone"])
def test_a_text_without_another_word_composes_nothing(text: str) -> None:
    read = words(text)
    keys = np.ones((len(read.tokens), len(read.tokens)))
    assert compositions(Explanation({"text": read}, {"text->text": keys}, Relevance(0.5)), "text->text") == []
