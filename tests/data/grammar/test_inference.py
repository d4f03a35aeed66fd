"""The conventions of reading, one by one, on sentences made by hand."""

from __future__ import annotations

import pytest

from readhead.data.grammar.concept import Concept
from readhead.data.grammar.inference import Hypothesis
from readhead.data.grammar.lexicon import actions, beings, relations
from readhead.data.grammar.meaning import Both, Counted, Either, Formula, Holds, Not, Related
from readhead.data.grammar.phenomena.numbers import QUANTITIES
from readhead.data.grammar.phenomena.quantifiers import QUANTIFIERS

BY_WORD: dict[str, Concept] = {
    concept.word: concept
    for tree in (beings.KINDS, beings.TRAITS, beings.TAILS, actions.MOTIONS, actions.PLACES)
    for concept in tree
}
QUANTIFIER = {q.words: q for q in (*QUANTIFIERS, *(q for about in QUANTITIES for q in about))}
RELATION = {r.words: r for r in (*relations.PLAIN, *relations.SYMMETRIC, *relations.ORDERS)}


def anna(*words: str) -> Holds:
    return Holds("Anna", tuple(BY_WORD[word] for word in words))


def how_many(quantifier: str, restrictor: str, scope: str) -> Counted:
    return Counted(QUANTIFIER[quantifier], (BY_WORD[restrictor],), (BY_WORD[scope],))


def stands(relation: str, first: str, second: str) -> Related:
    return Related(RELATION[relation], first, second)


def judged(premise: Formula | Counted, hypothesis: Formula | Counted) -> str:
    return Hypothesis(hypothesis).judge(premise)


running, walking, sprinting = anna("running"), anna("walking"), anna("sprinting")


@pytest.mark.parametrize(
    ("premise", "hypothesis", "label"),
    [
        (sprinting, running, "entailment"),
        (running, sprinting, "neutral"),
        (running, walking, "contradiction"),
        (Not(running), sprinting, "contradiction"),
        (Not(sprinting), running, "neutral"),
        (Not(running), Not(sprinting), "entailment"),
        (walking, Not(sprinting), "entailment"),
        (Not(anna("tall")), anna("short"), "neutral"),
        (anna("running", "in the park"), anna("running", "outdoors"), "entailment"),
        (Not(anna("running", "in the park")), Not(running), "neutral"),
        (anna("running", "in the attic"), Not(anna("running", "in the park")), "entailment"),
        (anna("who owns a dog"), anna("who owns a cat"), "neutral"),
        (anna("who owns a poodle"), anna("who owns a mammal"), "entailment"),
        (Both((running, Not(sprinting))), sprinting, "contradiction"),
        (Either((running, walking)), running, "neutral"),
        (Either((sprinting, running)), running, "entailment"),
        (Either((walking, anna("crawling"))), running, "contradiction"),
        (running, Either((running, walking)), "entailment"),
    ],
)
def test_ground_formulas(premise: Formula, hypothesis: Formula, label: str) -> None:
    assert judged(premise, hypothesis) == label


@pytest.mark.parametrize(
    ("premise", "hypothesis", "label"),
    [
        (stands("chasing", "Ida", "Max"), stands("chasing", "Max", "Ida"), "neutral"),
        (stands("related to", "Ida", "Max"), stands("related to", "Max", "Ida"), "entailment"),
        (stands("taller than", "Ida", "Max"), stands("taller than", "Max", "Ida"), "contradiction"),
        (stands("taller than", "Ida", "Max"), stands("shorter than", "Max", "Ida"), "entailment"),
        (Not(stands("taller than", "Ida", "Max")), stands("shorter than", "Ida", "Max"), "neutral"),
        (
            Both((stands("taller than", "Ida", "Max"), stands("shorter than", "Leo", "Max"))),
            stands("taller than", "Ida", "Leo"),
            "entailment",
        ),
        (
            Both((stands("taller than", "Ida", "Max"), Not(stands("taller than", "Ida", "Leo")))),
            stands("taller than", "Max", "Leo"),
            "contradiction",
        ),
    ],
)
def test_relations(premise: Formula, hypothesis: Formula, label: str) -> None:
    assert judged(premise, hypothesis) == label


@pytest.mark.parametrize(
    ("premise", "hypothesis", "label"),
    [
        (("every", "athlete", "running"), ("every", "sprinter", "moving"), "entailment"),
        (("every", "sprinter", "running"), ("every", "athlete", "running"), "neutral"),
        (("every", "athlete", "running"), ("some", "sprinter", "running"), "neutral"),
        (("every", "sprinter", "running"), ("a", "athlete", "running"), "entailment"),
        (("every", "athlete", "running"), ("no", "athlete", "walking"), "entailment"),
        (("every", "athlete", "running"), ("no", "athlete", "sprinting"), "neutral"),
        (("no", "athlete", "moving"), ("not every", "sprinter", "running"), "entailment"),
        (("no", "athlete", "running"), ("most", "sprinter", "sprinting"), "contradiction"),
        (("most", "athlete", "running"), ("not all", "athlete", "walking"), "entailment"),
        (("most", "athlete", "running"), ("most", "athlete", "walking"), "contradiction"),
        (("most", "athlete", "running"), ("all", "athlete", "running"), "neutral"),
        (("four", "sprinter", "running"), ("three", "athlete", "moving"), "entailment"),
        (("four", "sprinter", "running"), ("exactly four", "sprinter", "running"), "neutral"),
        (("exactly four", "sprinter", "running"), ("more than four", "sprinter", "running"), "contradiction"),
        (("at most two", "athlete", "moving"), ("fewer than three", "sprinter", "running"), "entailment"),
        (("exactly two", "athlete", "running"), ("at least three", "sprinter", "sprinting"), "contradiction"),
        (("five", "athlete", "running"), ("at most three", "sprinter", "running"), "neutral"),
    ],
)
def test_quantifiers(premise: tuple[str, str, str], hypothesis: tuple[str, str, str], label: str) -> None:
    assert judged(how_many(*premise), how_many(*hypothesis)) == label
