"""Hypernyms: a sprinter is an athlete, no athlete is a baker; who scrubs a pear washes a fruit."""

from __future__ import annotations

from collections.abc import Iterator

from readhead.data.grammar.concept import Concept, Tree
from readhead.data.grammar.draw import Draw
from readhead.data.grammar.drawing import (
    NESTED,
    adorned,
    elaborated,
    person_or_animal,
    presented,
    some_action,
    some_looks,
    some_subject,
)
from readhead.data.grammar.english import words
from readhead.data.grammar.lexicon import beings, things
from readhead.data.grammar.lexicon.actions import MANNERS_OF
from readhead.data.grammar.phenomena.puzzle import Puzzle
from readhead.data.grammar.phrases import Action, Being, Clause, Someone, Statement
from readhead.data.grammar.style import Style, Styles
from readhead.data.grammar.variation import Way, shifted, varied_verb, ways

_THINGS: tuple[Tree, Tree] = (
    tuple(thing for thing in things.OBJECTS if thing.parent),
    tuple(food for food in things.FOOD if food.parent),
)
_HOLDERS = words("basket box drawer bag cupboard suitcase parcel crate chest bucket")


def hypernyms(draw: Draw, styles: Styles) -> Puzzle:
    """What somebody is or does, or what a thing is; in the premise more general, more special, or another."""
    return draw.one((_being, _thing, _action, _action))(draw, styles)


def _being(draw: Draw, styles: Styles) -> Puzzle:
    person = person_or_animal(draw)
    name = draw.one(beings.NAMES if person else beings.PET_NAMES)
    subject = Someone.named(name)
    being = adorned(draw, Being((), draw.one(NESTED[person])), styles.hypothesis)

    def premises() -> Iterator[Clause]:
        for way in ways(draw):
            other = Being(being.traits, shifted(draw, being.kind, way), being.tails)
            yield Statement(subject, adorned(draw, other, styles.premise))

    return Puzzle(Statement(subject, being), premises())


def _thing(draw: Draw, styles: Styles) -> Puzzle:
    subject = Someone.named(f"the thing in the {draw.one(_HOLDERS)}")
    kind = draw.one(draw.one(_THINGS))

    def looking(style: Style) -> tuple[Concept, ...]:
        return some_looks(draw, kind, style.second) if draw.chance(style.look) else ()

    looks = looking(styles.hypothesis)

    def premises() -> Iterator[Clause]:
        for way in ways(draw):
            yield Statement(subject, Being(looks or looking(styles.premise), shifted(draw, kind, way)))

    return Puzzle(Statement(subject, Being(looks, kind)), premises())


def _action(draw: Draw, styles: Styles) -> Puzzle:
    person = person_or_animal(draw)
    subject = some_subject(draw, person)
    action = some_action(draw, person, styles.hypothesis._replace(place=0.0))
    while not action.verb.parent and not (action.thing and action.thing.parent):
        action = some_action(draw, person, styles.hypothesis._replace(place=0.0))
    called = presented(draw, subject, styles.premise)

    def premises() -> Iterator[Clause]:
        for way in ways(draw):
            yield Statement(called, elaborated(draw, _reclassified(draw, action, way), styles.premise))

    return Puzzle(Statement(subject, action), premises())


def _reclassified(draw: Draw, action: Action, way: Way) -> Action:
    """Another verb, another thing, or both."""
    verb, looks, thing, manner, place = action
    both = draw.chance(0.25)
    if thing and (both or draw.chance(0.6)):
        thing = shifted(draw, thing, way)
    if both or thing is action.thing:
        verb = varied_verb(draw, verb, way)
        manner = manner if manner in MANNERS_OF[verb] else None
    return Action(verb, looks, thing, manner, place)
