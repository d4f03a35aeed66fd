"""How much is said beside the matter: the probabilities of modifiers, and the number of scenery phrases."""

from __future__ import annotations

from typing import NamedTuple


class Style(NamedTuple):
    """Probabilities of what a phrase need not have.

    trait, tail, look, manner, place: that a noun, a noun, a thing, an action, an action gets one.
    second: that a noun with one trait or tail gets another.
    scenes: numbers of scenery phrases, one of which is drawn.
    """

    trait: float
    tail: float
    look: float
    manner: float
    place: float
    second: float
    scenes: tuple[int, ...]


class Styles(NamedTuple):
    """One for the hypothesis, one for what its premises add to it."""

    hypothesis: Style
    premise: Style


USUAL = Styles(
    hypothesis=Style(trait=0.2, tail=0.05, look=0.25, manner=0.2, place=0.35, second=0.0, scenes=(0,)),
    premise=Style(trait=0.35, tail=0.2, look=0.35, manner=0.3, place=0.5, second=0.1, scenes=(0, 1, 1)),
)
LONG = Styles(
    hypothesis=Style(trait=0.4, tail=0.2, look=0.4, manner=0.4, place=0.5, second=0.2, scenes=(0,)),
    premise=Style(trait=0.9, tail=0.9, look=0.8, manner=0.7, place=0.9, second=0.6, scenes=(1, 2, 3)),
)
