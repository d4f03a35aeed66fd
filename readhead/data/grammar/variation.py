"""A phrase changed a little: more general, more special, a rival in its place, dropped, or more said."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from enum import Enum

from readhead.data.grammar.concept import Concept, Tree
from readhead.data.grammar.draw import Draw
from readhead.data.grammar.drawing import PERSON
from readhead.data.grammar.lexicon import actions, beings, things
from readhead.data.grammar.meaning import Concepts
from readhead.data.grammar.phrases import Action, Being

_ANIMAL_VERBS = frozenset(actions.ANIMAL_VERBS)


def _by_parent(concepts: Tree) -> dict[Concept, Tree]:
    """By concept, those beside it: of the same attribute and parent, or else beside its parent."""
    beside: dict[Concept, Tree] = {}
    for concept in concepts:
        rivals = tuple(
            other
            for other in concepts
            if (other.attribute, other.parent) == (concept.attribute, concept.parent) and other is not concept
        )
        beside[concept] = rivals or (beside[concept.parent] if concept.parent else ())
    return beside


def _beside_verbs() -> dict[Concept, Tree]:
    groups = (actions.MOTIONS, actions.RESTS, actions.VOICES, actions.WORKS)
    beside = _by_parent(tuple(verb for verbs in groups for verb in verbs))
    return beside | _by_parent(actions.MEALS) | _by_parent(actions.HANDLINGS)


_OTHERS: tuple[Tree, ...] = (
    beings.KINDS, beings.TRAITS, beings.ANIMAL_TRAITS, beings.TAILS, beings.COLLARS,
    things.FOOD, things.OBJECTS, things.COLOURS, *things.LOOKS, *things.FOOD_LOOKS[1:],
    actions.PLACES, *dict.fromkeys(actions.MANNERS_OF.values()),
)  # fmt: skip
_RIVALS = _beside_verbs() | {c: rivals for tree in _OTHERS for c, rivals in _by_parent(tree).items()}


class Way(Enum):
    """Where a concept is moved to: below it, above it, or beside it."""

    SPECIAL, GENERAL, RIVAL = range(3)


def ways(draw: Draw) -> Iterator[Way]:
    """The three by turns, endlessly: one after another finds all labels sooner than draws at random."""
    order = list(Way)
    draw.shuffle(order)
    return itertools.cycle(order)


def shifted(draw: Draw, concept: Concept, way: Way) -> Concept:
    """A child, the parent, or a rival of the concept; the concept itself where there is none."""
    if way is Way.SPECIAL:
        return draw.one(concept.children) if concept.children and draw.chance(0.35) else concept
    if way is Way.GENERAL:
        return concept.parent or concept
    rivals = _RIVALS[concept]
    return draw.one(rivals) if rivals else concept


def varied_modifier(draw: Draw, concept: Concept, way: Way) -> Concept | None:
    """The modifier shifted or, as the most general of all, None: dropped."""
    if way is Way.GENERAL and (not concept.parent or draw.chance(0.6)):
        return None
    return shifted(draw, concept, way)


def varied_modifiers(draw: Draw, concepts: Concepts, way: Way) -> Concepts:
    """One of the modifiers shifted or dropped."""
    chosen = draw.one(concepts)
    changed = varied_modifier(draw, chosen, way)
    return tuple(c for c in (changed if concept is chosen else concept for concept in concepts) if c)


def varied_being(draw: Draw, being: Being, way: Way) -> Being:
    """Its kind shifted, or one of its modifiers."""
    traits, kind, tails = being
    if tails and draw.chance(0.35):
        return Being(traits, kind, varied_modifiers(draw, tails, way))
    if traits and draw.chance(0.45):
        return Being(varied_modifiers(draw, traits, way), kind, tails)
    other = shifted(draw, kind, way)
    suits = (other in PERSON) is (kind in PERSON)
    return Being(traits, other if suits else kind, tails)


def varied_action(draw: Draw, action: Action, way: Way) -> Action:
    """One of its parts shifted or, where it can be missed, dropped."""
    verb, looks, thing, manner, place = action
    part = draw.one([name for name, value in zip(Action._fields, action, strict=True) if value])
    if part == "place" and place:
        return Action(verb, looks, thing, manner, varied_modifier(draw, place, way))
    if part == "manner" and manner:
        return Action(verb, looks, thing, varied_modifier(draw, manner, way), place)
    if part == "looks":
        return Action(verb, varied_modifiers(draw, looks, way), thing, manner, place)
    if part == "thing" and thing:
        return Action(verb, looks, shifted(draw, thing, way), manner, place)
    other = varied_verb(draw, verb, way)
    return Action(other, looks, thing, manner if manner in actions.MANNERS_OF[other] else None, place)


def varied_verb(draw: Draw, verb: Concept, way: Way) -> Concept:
    """The verb shifted; one that animals do too stays one."""
    other = shifted(draw, verb, way)
    if verb in _ANIMAL_VERBS and other not in _ANIMAL_VERBS:
        return verb
    return other
