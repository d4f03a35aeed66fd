"""Negation: who does not move does not run, who does not run may move."""

from __future__ import annotations

from collections.abc import Iterator

from readhead.data.grammar.draw import Draw
from readhead.data.grammar.drawing import (
    NESTED,
    adorned,
    elaborated,
    person_or_animal,
    presented,
    some_action,
    some_known,
    some_subject,
)
from readhead.data.grammar.lexicon import beings
from readhead.data.grammar.phenomena.puzzle import Puzzle
from readhead.data.grammar.phrases import Action, Being, Clause, Predicate, Quality, Someone, Statement
from readhead.data.grammar.style import Style, Styles
from readhead.data.grammar.variation import Way, shifted, varied_action, varied_being, ways


def negation(draw: Draw, styles: Styles) -> Puzzle:
    """A statement and statements about the same, each denied or not."""
    person = person_or_animal(draw)
    subject, predicate = draw.one((_does, _does, _is, _looks))(draw, person, styles.hypothesis)
    called = _called(draw, subject, predicate, styles.premise)

    def premises() -> Iterator[Clause]:
        for way in ways(draw):
            negated = draw.chance(0.5)
            other = _varied(draw, predicate, way)
            if draw.chance(0.2 if negated else 0.7):
                other = _extended(draw, other, styles.premise)
            yield Statement(called, other, negated)

    return Puzzle(Statement(subject, predicate, draw.chance(0.5)), premises())


def _does(draw: Draw, person: bool, style: Style) -> tuple[Someone, Predicate]:
    return some_subject(draw, person), some_action(draw, person, style)


def _is(draw: Draw, person: bool, style: Style) -> tuple[Someone, Predicate]:
    name = draw.one(beings.NAMES if person else beings.PET_NAMES)
    return Someone.named(name), adorned(draw, Being((), draw.one(NESTED[person])), style)


def _looks(draw: Draw, person: bool, style: Style) -> tuple[Someone, Predicate]:
    trait = draw.one(beings.TRAITS if person else beings.ANIMAL_TRAITS)
    return some_known(draw, person), Quality(trait)


def _varied(draw: Draw, predicate: Predicate, way: Way) -> Predicate:
    if isinstance(predicate, Action):
        return varied_action(draw, predicate, way)
    if isinstance(predicate, Being):
        return varied_being(draw, predicate, way)
    return Quality(shifted(draw, predicate.trait, way))


def _extended(draw: Draw, predicate: Predicate, style: Style) -> Predicate:
    if isinstance(predicate, Action):
        return elaborated(draw, predicate, style)
    return adorned(draw, predicate, style) if isinstance(predicate, Being) else predicate


def _called(draw: Draw, subject: Someone, predicate: Predicate, style: Style) -> Someone:
    """The subject by more words, unless these would speak of what the predicate speaks of."""
    if isinstance(predicate, Action):
        return presented(draw, subject, style)
    if isinstance(predicate, Quality):
        return presented(draw, subject, style._replace(trait=0.0, tail=0.8))
    return subject
