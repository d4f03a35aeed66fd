"""Numbers: four nurses are at least three; exactly three are neither two nor more than three."""

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

_NUMERALS = ("two", "three", "four", "five", "six", "seven", "eight", "nine")


def _from(n: int) -> tuple[Amount, ...]:
    return (Amount(inside=(n, inf)),)


def _to(n: int) -> tuple[Amount, ...]:
    return (Amount(inside=(0, n)),)


def _about(numeral: str, n: int) -> tuple[Quantifier, ...]:
    return (
        Quantifier(numeral, True, _from(n), _to(n - 1)),
        Quantifier(f"at least {numeral}", True, _from(n), _to(n - 1)),
        Quantifier(f"more than {numeral}", True, _from(n + 1), _to(n)),
        Quantifier(f"exactly {numeral}", True, (Amount(inside=(n, n)),), _to(n - 1) + _from(n + 1)),
        Quantifier(f"at most {numeral}", True, _to(n), _from(n + 1)),
        Quantifier(f"fewer than {numeral}", True, _to(n - 1), _from(n)),
    )


QUANTITIES: tuple[tuple[Quantifier, ...], ...] = tuple(
    _about(numeral, n) for n, numeral in enumerate(_NUMERALS, start=2)
)


def numbers(draw: Draw, styles: Styles) -> Puzzle:
    """So many are doing something; in the premise about as many, now and then of a wider or narrower kind."""
    person = person_or_animal(draw)
    size = int(draw.one(range(len(QUANTITIES))))
    being = some_being(draw, NESTED[person], styles.hypothesis)
    action = some_action(draw, person, styles.hypothesis)

    def premises() -> Iterator[Clause]:
        for way in ways(draw):
            near = min(max(size + draw.one((-3, -2, -1, -1, 0, 0, 0, 1, 1, 2, 3)), 0), len(QUANTITIES) - 1)
            other_being = varied_being(draw, being, way) if draw.chance(0.15) else being
            other_action = varied_action(draw, action, way) if draw.chance(0.1) else action
            if draw.chance(0.25):
                other_action = elaborated(draw, other_action, styles.premise)
            yield QuantifiedStatement(draw.one(QUANTITIES[near]), other_being, other_action)

    return Puzzle(QuantifiedStatement(draw.one(QUANTITIES[size]), being, action), premises())
