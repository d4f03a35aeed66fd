"""Quantifiers and monotonicity: what every person does every nurse does; what no nurse does an artist may."""

from __future__ import annotations

from collections.abc import Iterator
from math import inf

from readhead.data.grammar.draw import Draw
from readhead.data.grammar.drawing import NESTED, elaborated, person_or_animal, some_action, some_being
from readhead.data.grammar.meaning import Amount, Quantifier
from readhead.data.grammar.phenomena.puzzle import Puzzle
from readhead.data.grammar.phrases import Clause, QuantifiedStatement
from readhead.data.grammar.style import Styles
from readhead.data.grammar.variation import varied_action, varied_being, ways

_ALL_INSIDE = (Amount(inside=(1, inf), outside=(0, 0)),)  # and there is one
_ONE_INSIDE, _NONE_INSIDE = (Amount(inside=(1, inf)),), (Amount(inside=(0, 0)),)
_ONE_OUTSIDE = (Amount(outside=(1, inf)),)
# `inside > outside` as a union of ranges. No other quantifier here names a number above one, so that nothing
# depends on what happens beyond these few.
_MORE_INSIDE = tuple(Amount(inside=(k + 1, inf), outside=(0, k)) for k in range(4))
_MORE_OUTSIDE = tuple(Amount(inside=(0, k), outside=(max(k, 1), inf)) for k in range(4))

EVERY = Quantifier("every", False, _ALL_INSIDE, _ONE_OUTSIDE)
ALL = Quantifier("all", True, _ALL_INSIDE, _ONE_OUTSIDE)
A = Quantifier("a", False, _ONE_INSIDE, _NONE_INSIDE)
SOME = Quantifier("some", True, _ONE_INSIDE, _NONE_INSIDE)
NO = Quantifier("no", False, _NONE_INSIDE, _ONE_INSIDE)
NOT_EVERY = Quantifier("not every", False, _ONE_OUTSIDE, _ALL_INSIDE)
NOT_ALL = Quantifier("not all", True, _ONE_OUTSIDE, _ALL_INSIDE)
MOST = Quantifier("most", True, _MORE_INSIDE, _MORE_OUTSIDE)
QUANTIFIERS = (EVERY, ALL, A, SOME, NO, NOT_EVERY, NOT_ALL, MOST, NO)


def quantifiers(draw: Draw, styles: Styles) -> Puzzle:
    """A quantified statement and others, with the restrictor or the scope wider, narrower or rival."""
    person = person_or_animal(draw)
    quantifier = draw.one(QUANTIFIERS)
    being = some_being(draw, NESTED[person], styles.hypothesis)
    action = some_action(draw, person, styles.hypothesis)

    def premises() -> Iterator[Clause]:
        for way in ways(draw):
            other_being = varied_being(draw, being, way) if draw.chance(0.4) else being
            other_action = varied_action(draw, action, way) if draw.chance(0.3) else action
            if draw.chance(0.3):
                other_action = elaborated(draw, other_action, styles.premise)
            yield QuantifiedStatement(draw.one(QUANTIFIERS), other_being, other_action)

    return Puzzle(QuantifiedStatement(quantifier, being, action), premises())
