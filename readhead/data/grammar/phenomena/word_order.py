"""Word order: who does what to whom.

The three premises of a hypothesis are made of the very same words: a reader that sees no order gives them
the same answer, and can be right on one of three.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import NamedTuple

from readhead.data.grammar.draw import Draw
from readhead.data.grammar.drawing import LEAVES, person_or_animal, traits_of
from readhead.data.grammar.lexicon import beings, relations, things
from readhead.data.grammar.lexicon.relations import CONVERSE, Relation
from readhead.data.grammar.meaning import Both, Formula, Holds, Not, Related
from readhead.data.grammar.phenomena.puzzle import Puzzle
from readhead.data.grammar.phrases import Being, Clause, Someone
from readhead.data.grammar.style import Style, Styles

Three = tuple[Someone, Someone, Someone]


class Said(NamedTuple):
    """A clause given by its words and its formula."""

    wording: str
    formula: Formula

    def words(self) -> str:
        """Its words."""
        return self.wording

    def says(self) -> Formula:
        """Its logical form."""
        return self.formula


class Told(NamedTuple):
    """Two facts about three individuals, in words and as a formula."""

    wording: str
    formula: Both


Frame = Callable[[Relation, Someone, Someone, Someone], Told]


def _holds(relation: Relation, first: Someone, second: Someone) -> Formula:
    return Related(relation, first.who, second.who)


def _but_not(relation: Relation, x: Someone, y: Someone, z: Someone) -> Told:
    wording = f"{x.words}, but not {y.words}, is {relation.words} {z.words}"
    return Told(wording, Both((_holds(relation, x, z), Not(_holds(relation, y, z)))))


def _one_but_not(relation: Relation, x: Someone, y: Someone, z: Someone) -> Told:
    wording = f"{x.words} is {relation.words} {z.words} but not {y.words}"
    return Told(wording, Both((_holds(relation, x, z), Not(_holds(relation, x, y)))))


def _by_one_but_not(relation: Relation, x: Someone, y: Someone, z: Someone) -> Told:
    wording = f"{z.words} is being {relation.passive} by {x.words} but not by {y.words}"
    return Told(wording, Both((_holds(relation, x, z), Not(_holds(relation, y, z)))))


def _both_first(relation: Relation, x: Someone, y: Someone, z: Someone) -> Told:
    wording = f"{x.words} and {y.words} are {relation.many} {z.words}"
    return Told(wording, Both((_holds(relation, x, z), _holds(relation, y, z))))


def _both_second(relation: Relation, x: Someone, y: Someone, z: Someone) -> Told:
    wording = f"{x.words} is {relation.words} {y.words} and {z.words}"
    return Told(wording, Both((_holds(relation, x, y), _holds(relation, x, z))))


def _whom_does_not(relation: Relation, x: Someone, y: Someone, z: Someone) -> Told:
    wording = f"{z.words} that {x.words} is {relation.words} is not {relation.words} {y.words}"
    return Told(wording, Both((_holds(relation, x, z), Not(_holds(relation, z, y)))))


def _who_does_not(relation: Relation, x: Someone, y: Someone, z: Someone) -> Told:
    wording = f"{z.words} that is {relation.words} {x.words} is not {relation.words} {y.words}"
    return Told(wording, Both((_holds(relation, z, x), Not(_holds(relation, z, y)))))


def _whom_not_does(relation: Relation, x: Someone, y: Someone, z: Someone) -> Told:
    wording = f"{z.words} that {x.words} is not {relation.words} is {relation.words} {y.words}"
    return Told(wording, Both((Not(_holds(relation, x, z)), _holds(relation, z, y))))


def _who_not_does(relation: Relation, x: Someone, y: Someone, z: Someone) -> Told:
    wording = f"{z.words} that is not {relation.words} {x.words} is {relation.words} {y.words}"
    return Told(wording, Both((Not(_holds(relation, z, x)), _holds(relation, z, y))))


# Frames of one group are made of the same words.
_EXCEPTIONS: tuple[tuple[Frame, ...], ...] = ((_but_not,), (_one_but_not,))
_PASSIVE: tuple[tuple[Frame, ...], ...] = ((_by_one_but_not,),)
_RELATIVE: tuple[tuple[Frame, ...], ...] = ((_whom_does_not, _who_does_not, _whom_not_does, _who_not_does),)
_SHARED: tuple[tuple[Frame, ...], ...] = ((_both_first,), (_both_second,))


def word_order(draw: Draw, styles: Styles) -> Puzzle:
    """A relation between two, and three individuals that play its parts in every order."""
    relation, people = draw.one((_plain, _plain, _symmetric, _order, _place))(draw)
    adorned = tuple(_adorned(draw, someone, styles.premise) for someone in people)
    group = draw.one(_groups(relation, people))
    facts = tuple(Holds(someone.who, someone.facts) for someone in adorned if someone.facts)
    told = CONVERSE[relation.words] if relation.converse and draw.chance(0.3) else relation

    def premises() -> Iterator[Clause]:
        orders = list(itertools.product(group, itertools.permutations(adorned)))
        draw.shuffle(orders)
        for frame, (x, y, z) in orders:
            said = frame(told, x, y, z)
            yield Said(said.wording, Both(facts + said.formula.parts))

    return Puzzle(_hypothesis(draw, relation, people[0], people[1]), premises())


def _hypothesis(draw: Draw, relation: Relation, first: Someone, second: Someone) -> Said:
    """In the active or the passive voice, denied or not."""
    formula, deny = _holds(relation, first, second), draw.chance(0.35)
    negation = "not " if deny else ""
    wording = f"{first.words} is {negation}{relation.words} {second.words}"
    if relation.passive and draw.chance(0.35):
        wording = f"{second.words} is {negation}being {relation.passive} by {first.words}"
    return Said(wording, Not(formula) if deny else formula)


def _groups(relation: Relation, people: Three) -> tuple[tuple[Frame, ...], ...]:
    """The groups of frames in which the relation and the individuals can be told."""
    if relation.converse:
        return _EXCEPTIONS + _SHARED + _SHARED
    if not relation.passive:
        return _EXCEPTIONS
    known = all(someone.facts for someone in people)
    return _EXCEPTIONS + _PASSIVE + (_RELATIVE if known else ())


def _plain(draw: Draw) -> tuple[Relation, Three]:
    if person_or_animal(draw):
        return draw.one(relations.PLAIN), _people(draw)
    return draw.one(relations.ANIMAL_PLAIN), _known(draw, person=False)


def _symmetric(draw: Draw) -> tuple[Relation, Three]:
    return draw.one(relations.SYMMETRIC), _people(draw)


def _order(draw: Draw) -> tuple[Relation, Three]:
    return draw.one(relations.ORDERS), _people(draw)


def _place(draw: Draw) -> tuple[Relation, Three]:
    bearing = draw.chance(0.5)
    nouns = things.BUILDINGS if bearing else draw.one((things.VEHICLES, things.FURNITURE))
    one, two, three = (Someone.named(f"the {noun}") for noun in draw.some(nouns, 3))
    return draw.one(relations.BEARINGS if bearing else relations.SIDES), (one, two, three)


def _people(draw: Draw) -> Three:
    if draw.chance(0.5):
        return _known(draw, person=True)
    one, two, three = (Someone.named(name) for name in draw.some(beings.NAMES, 3))
    return one, two, three


def _known(draw: Draw, *, person: bool) -> Three:
    one, two, three = (Someone.known(Being((), kind)) for kind in draw.some(LEAVES[person], 3))
    return one, two, three


def _adorned(draw: Draw, someone: Someone, style: Style) -> Someone:
    """With an adjective, where the style gives one to a being told by its kind."""
    if not someone.facts or not draw.chance(style.trait):
        return someone
    (kind,) = someone.facts
    return Someone.known(Being((draw.one(traits_of(kind)),), kind))
