"""The labels against an oracle that shares no code with the inference."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator

import pytest

from readhead.data.grammar.counting import SetRelation, compatible
from readhead.data.grammar.generate import Pair, pairs
from readhead.data.grammar.meaning import Counted
from readhead.data.grammar.phenomena import PHENOMENA
from readhead.data.grammar.phenomena.numbers import QUANTITIES
from readhead.data.grammar.phenomena.quantifiers import QUANTIFIERS
from tests.data.grammar import model_checker

SMALL = 3  # the largest number that a world is built for


def is_small(pair: Pair) -> bool:
    numbers = [
        model_checker.largest_number(meaning.main.quantifier.words)
        for meaning in pair.meanings
        if isinstance(meaning.main, Counted)
    ]
    return max(numbers, default=1) <= SMALL


def of(phenomenon: str, split: str) -> Iterator[Pair]:
    stream = pairs(split, seed=3, size=40_000)
    return (pair for pair in stream if pair.phenomenon == phenomenon and is_small(pair))


@pytest.mark.parametrize("split", ["train", "long"])
@pytest.mark.parametrize("phenomenon", PHENOMENA)
def test_labels_are_what_a_model_checker_finds(phenomenon: str, split: str) -> None:
    count = 150 if split == "train" else 50
    checked = Counter()
    for pair in itertools.islice(of(phenomenon, split), count):
        assert model_checker.label(*pair.meanings) == pair.label, (pair.premise, pair.hypothesis)
        checked[pair.label] += 1
    assert min(checked.values()) >= count / 5 and len(checked) == 3


def test_the_oracle_does_not_agree_with_everything() -> None:
    wrong = {"entailment": "neutral", "neutral": "contradiction", "contradiction": "entailment"}
    for pair in itertools.islice(of("negation", "train"), 30):
        assert model_checker.label(*pair.meanings) != wrong[pair.label]


def kinds_of(restrictors: SetRelation, scopes: SetRelation) -> frozenset[model_checker.Kind]:
    def counts(in_restrictor: bool, in_scope: bool) -> tuple[int, int]:
        return (int(in_scope), int(not in_scope)) if in_restrictor else (0, 0)

    kinds = {(counts(a, p), counts(b, q)) for (a, b), (p, q) in itertools.product(restrictors.value, scopes.value)}
    return frozenset(kinds - {((0, 0), (0, 0))})


@pytest.mark.parametrize("scopes", SetRelation)
@pytest.mark.parametrize("restrictors", SetRelation)
def test_counting_agrees_with_counting_out(restrictors: SetRelation, scopes: SetRelation) -> None:
    """Every two quantifiers of a phenomenon, numbers up to three, under this relation of their parts."""
    kinds = kinds_of(restrictors, scopes)
    small = [quantity for about in QUANTITIES[: SMALL - 1] for quantity in about]
    for family in (QUANTIFIERS, small):
        for first, second in itertools.product(family, repeat=2):
            truths = model_checker.all_truths(first.words, second.words, kinds)
            for truth in (True, False):
                found = compatible(first, second, truth, restrictors, scopes)
                assert found is ((True, truth) in truths), (first.words, second.words, truth)


def test_larger_numbers_of_the_same_beings_doing_the_same() -> None:
    kinds = kinds_of(SetRelation.EQUAL, SetRelation.EQUAL)
    large = [quantity for about in QUANTITIES[SMALL - 1 :] for quantity in about]
    for first, second in itertools.product(large, repeat=2):
        truths = model_checker.all_truths(first.words, second.words, kinds)
        found = {t for t in (True, False) if compatible(first, second, t, SetRelation.EQUAL, SetRelation.EQUAL)}
        assert found == {t for t in (True, False) if (True, t) in truths}, (first.words, second.words)
