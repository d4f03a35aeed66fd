"""Phrases at random: who, what they do, and the scene."""

from __future__ import annotations

from typing import NamedTuple

from readhead.data.grammar.concept import Concept, Tree
from readhead.data.grammar.draw import Draw
from readhead.data.grammar.lexicon import actions, beings, scenery, things
from readhead.data.grammar.meaning import Concepts, Holds
from readhead.data.grammar.phrases import Action, Being, Someone
from readhead.data.grammar.style import Style

PERSON = frozenset(beings.PEOPLE)
PERSON_VERBS = (
    actions.MOTIONS, actions.RESTS, actions.VOICES, actions.WORKS,
    actions.MEALS, actions.HANDLINGS, actions.HANDLINGS,
)  # fmt: skip


def specific(kinds: Tree) -> Tree:
    """The kinds with nothing below them: those that `the` tells from all others."""
    return tuple(kind for kind in kinds if not kind.children)


LEAVES = {True: specific(beings.PEOPLE), False: specific(beings.ANIMALS)}
NESTED = {
    True: tuple(kind for kind in beings.PEOPLE if kind.parent),
    False: tuple(kind for kind in beings.ANIMALS if kind.parent),
}


def person_or_animal(draw: Draw) -> bool:
    """True for a person."""
    return draw.chance(0.75)


def traits_of(kind: Concept) -> Tree:
    """The adjectives that suit a kind."""
    return beings.TRAITS if kind in PERSON else beings.ANIMAL_TRAITS


def tails_of(kind: Concept) -> Tree:
    """What may follow the noun of a kind."""
    return beings.TAILS if kind in PERSON else beings.COLLARS


def add(draw: Draw, pool: Tree, before: Concepts, probability: float, second: float) -> Concepts:
    """`before` and perhaps one more, or, where it was empty, two; all of different attributes."""
    after = before
    for chance in (probability,) if before else (probability, second):
        if not draw.chance(chance):
            break
        chosen = draw.one(pool)
        if all(chosen.attribute != concept.attribute for concept in after):
            after = (*after, chosen)
    return after


def adorned(draw: Draw, being: Being, style: Style) -> Being:
    """The being, with more said of it."""
    traits = add(draw, traits_of(being.kind), being.traits, style.trait, style.second)
    tails = add(draw, tails_of(being.kind), being.tails, style.tail, style.second)
    if len(tails) > 1:
        tails = tuple(sorted(tails, key=_tail_order))
    return Being(traits, being.kind, tails)


def _tail_order(tail: Concept) -> bool:
    return tail.word.startswith("who")


def some_being(draw: Draw, kinds: Tree, style: Style) -> Being:
    """A being of one of these kinds."""
    return adorned(draw, Being((), draw.one(kinds)), style)


def some_action(draw: Draw, person: bool, style: Style) -> Action:
    """Something to do."""
    verb = draw.one(draw.one(PERSON_VERBS) if person else actions.ANIMAL_VERBS)
    thing = draw.one(actions.TAKES[verb]) if verb in actions.TAKES else None
    return elaborated(draw, Action(verb, thing=thing), style)


def elaborated(draw: Draw, action: Action, style: Style) -> Action:
    """The action, with more said of it."""
    verb, looks, thing, manner, place = action
    if thing and not looks and draw.chance(style.look):
        looks = some_looks(draw, thing, style.second)
    if not manner and draw.chance(style.manner):
        manner = draw.one(actions.MANNERS_OF[verb])
    if not place and draw.chance(style.place):
        place = draw.one(actions.PLACES)
    return Action(verb, looks, thing, manner, place)


def some_looks(draw: Draw, thing: Concept, second: float) -> Concepts:
    """One or two adjectives for a thing, a colour last."""
    if thing in _FOODS:
        return (draw.one(draw.one(things.FOOD_LOOKS)),)
    colour = (draw.one(things.COLOURS),) if draw.chance(0.5) else ()
    if colour and not draw.chance(second):
        return colour
    return (draw.one(draw.one(things.LOOKS)), *colour)


_FOODS = frozenset(things.FOOD)


def some_known(draw: Draw, person: bool) -> Someone:
    """The nurse, the beagle."""
    return Someone.known(Being((), draw.one(LEAVES[person])))


def some_subject(draw: Draw, person: bool) -> Someone:
    """Anna, the nurse, the beagle."""
    return Someone.named(draw.one(beings.NAMES)) if person and draw.chance(0.5) else some_known(draw, person)


def presented(draw: Draw, subject: Someone, style: Style) -> Someone:
    """The same individual, called by more words: Anna, a tall nurse; the nurse in a red coat."""
    if subject.facts:
        kind = next(concept for concept in subject.facts if concept.attribute == "kind")
        return Someone.known(adorned(draw, Being((), kind), style))
    if not draw.chance(style.trait):
        return subject
    return Someone.introduced(subject.who, some_being(draw, LEAVES[True], style))


class Scene(NamedTuple):
    """What is said before and behind a clause, and the facts it adds."""

    before: str = ""
    behind: str = ""
    facts: tuple[Holds, ...] = ()


def some_scene(draw: Draw, style: Style) -> Scene:
    """A time, the weather, a sight: as many of them as the style draws."""
    before, behind, facts = "", "", []
    kinds = draw.some(("time", "weather", "sight"), draw.one(style.scenes))
    if "sight" in kinds:
        subject, states = draw.one(scenery.SIGHTS)
        state = draw.one(states)
        facts.append(Holds(f"the {subject}", (state,)))
        are = "are" if subject == "stairs" else "is"
        behind = f", and the {subject} {are} {state.word}"
    if "weather" in kinds:
        weather = draw.one(scenery.WEATHER)
        facts.append(Holds("the weather", (weather,)))
        before = f"{weather.word}, and "
    if "time" in kinds:
        time = draw.one(scenery.TIMES)
        facts.append(Holds("the time", (time,)))
        before = f"{time.word} {before}" if before else f"{time.word}, "
    return Scene(before, behind, tuple(facts))
