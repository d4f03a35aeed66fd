"""Modifiers: a tall nurse is a nurse, a nurse need not be tall, a short one is not."""

from __future__ import annotations

from collections.abc import Iterator

from readhead.data.grammar.concept import Concept
from readhead.data.grammar.draw import Draw
from readhead.data.grammar.drawing import (
    LEAVES,
    adorned,
    elaborated,
    person_or_animal,
    some_action,
    some_being,
)
from readhead.data.grammar.meaning import Concepts
from readhead.data.grammar.phenomena.puzzle import Puzzle
from readhead.data.grammar.phrases import Action, Being, Clause, Someone, Statement
from readhead.data.grammar.style import Style, Styles
from readhead.data.grammar.variation import Way, varied_modifier, ways


def modifiers(draw: Draw, styles: Styles) -> Puzzle:
    """The same noun and verb on both sides, and modifiers kept, dropped, added, shifted or replaced."""
    person = person_or_animal(draw)
    being, action = _modified(draw, person, styles.hypothesis)
    asked = frozenset(being.concepts + action.concepts)
    fuller_being = adorned(draw, being, styles.premise)
    fuller_action = elaborated(draw, action, styles.premise)

    def premises() -> Iterator[Clause]:
        for way in ways(draw):
            subject = Someone.known(_varied_being(draw, fuller_being, asked, way))
            yield Statement(subject, _varied_action(draw, fuller_action, asked, way))

    return Puzzle(Statement(Someone.known(being), action), premises())


def _modified(draw: Draw, person: bool, style: Style) -> tuple[Being, Action]:
    """Who and what, with at least one modifier."""
    style = style._replace(trait=0.5, tail=0.15, look=0.6, manner=0.4, place=0.6)
    while True:
        being, action = some_being(draw, LEAVES[person], style), some_action(draw, person, style)
        if being.traits or being.tails or action.looks or action.manner or action.place:
            return being, action


def _varied(draw: Draw, concepts: Concepts, asked: frozenset[Concept], way: Way) -> Concepts:
    """Of the modifiers that the hypothesis asks for some as they are, some dropped or changed; all others."""
    varied = [
        varied_modifier(draw, concept, way) if concept in asked and draw.chance(0.45) else concept
        for concept in concepts
    ]
    return tuple([concept for concept in varied if concept])


def _varied_being(draw: Draw, being: Being, asked: frozenset[Concept], way: Way) -> Being:
    traits, kind, tails = being
    return Being(_varied(draw, traits, asked, way), kind, _varied(draw, tails, asked, way))


def _varied_action(draw: Draw, action: Action, asked: frozenset[Concept], way: Way) -> Action:
    verb, looks, thing, manner, place = action
    if manner and manner in asked and draw.chance(0.45):
        manner = varied_modifier(draw, manner, way)
    if place and place in asked and draw.chance(0.45):
        place = varied_modifier(draw, place, way)
    return Action(verb, _varied(draw, looks, asked, way), thing, manner, place)
