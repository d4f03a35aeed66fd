from __future__ import annotations

import pytest

from readhead.data.grammar.english import as_sentence, listed, plural, with_article


@pytest.mark.parametrize(
    ("noun", "many"),
    [
        ("nurse", "nurses"), ("fox", "foxes"), ("wrench", "wrenches"), ("pony", "ponies"), ("toy", "toys"),
        ("goose", "geese"), ("teddy bear", "teddy bears"), ("compass", "compasses"),
    ],
)  # fmt: skip
def test_plural(noun: str, many: str) -> None:
    assert plural(noun) == many


@pytest.mark.parametrize(
    ("phrase", "one"),
    [
        ("owl", "an owl"),
        ("red owl", "a red owl"),
        ("uniform", "a uniform"),
        ("unknown spy", "an unknown spy"),
    ],
)
def test_article(phrase: str, one: str) -> None:
    assert with_article(phrase) == one


def test_lists_and_sentences() -> None:
    assert listed(["Ida"], "and") == "Ida"
    assert as_sentence(f"{listed(['the owl', 'Max', 'Ida'], 'or')} is singing") == ("The owl, Max or Ida is singing.")
