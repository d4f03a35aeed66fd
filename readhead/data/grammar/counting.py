"""Can two quantified statements be true together? By counting members, cell by cell."""

from __future__ import annotations

import itertools
from enum import Enum
from functools import cache
from typing import NamedTuple

from readhead.data.grammar.meaning import Amount, Quantifier, Range


class SetRelation(Enum):
    """How the things a description fits lie to those that another fits.

    value: for which (fits the first, fits the second) there can be a member.
    """

    EQUAL = frozenset({(True, True), (False, False)})
    NARROWER = frozenset({(True, True), (False, True), (False, False)})
    WIDER = frozenset({(True, True), (True, False), (False, False)})
    APART = frozenset({(True, False), (False, True), (False, False)})
    FREE = frozenset(itertools.product((True, False), repeat=2))

    __hash__ = object.__hash__  # members are singletons; Enum's own hash costs more than the cache saves


INSIDE, OUTSIDE, ELSEWHERE = range(3)  # in restrictor and scope; in the restrictor alone; not in it


class Cells(NamedTuple):
    """Which members there can be, by the part (INSIDE or OUTSIDE) of the two statements they count for.

    shared: (part of the first, part of the second) of those that count for both.
    first, second: the parts of those that count for the one alone.
    """

    shared: frozenset[tuple[int, int]]
    first: frozenset[int]
    second: frozenset[int]


@cache
def cells(restrictors: SetRelation, scopes: SetRelation) -> Cells:
    """The members there can be.

    Restrictors and scopes speak of different attributes, so that any way of fitting the restrictors can go
    with any of fitting the scopes.
    """
    there = {(_part(a, p), _part(b, q)) for (a, b), (p, q) in itertools.product(restrictors.value, scopes.value)}
    parts = (INSIDE, OUTSIDE)
    return Cells(
        frozenset(there & set(itertools.product(parts, parts))),
        frozenset(part for part in parts if (part, ELSEWHERE) in there),
        frozenset(part for part in parts if (ELSEWHERE, part) in there),
    )


def _part(fits_restrictor: bool, fits_scope: bool) -> int:
    if not fits_restrictor:
        return ELSEWHERE
    return INSIDE if fits_scope else OUTSIDE


@cache
def compatible(
    first: Quantifier, second: Quantifier, truth: bool, restrictors: SetRelation, scopes: SetRelation
) -> bool:
    """Whether a world exists where the first statement is true and the second has this truth value.

    What either presupposes (that its restrictor has members) is granted, whatever the truth values.
    """
    there = cells(restrictors, scopes)
    turned = Cells(frozenset((b, a) for a, b in there.shared), there.second, there.first)
    amounts = itertools.product(first.true, second.true if truth else second.false)
    return any(_met(one, other, there) and _met(other, one, turned) for one, other in amounts)


def _met(needed: Amount, allowed: Amount, there: Cells) -> bool:
    """Whether what the first statement needs at least can be had within what both allow at most.

    Hall's condition: parts that only shared members can fill must not need more than the parts these
    members also count for allow. If it holds for the one statement and for the other, it holds for both at
    once (Mendelsohn and Dulmage 1958).
    """
    for parts in ((INSIDE,), (OUTSIDE,), (INSIDE, OUTSIDE)):
        if there.first.isdisjoint(parts):
            others = {b for a, b in there.shared if a in parts}
            if _least(needed, parts) > sum(allowed[other][1] for other in others):
                return False
    return True


def _least(amount: Amount, parts: tuple[int, ...]) -> float:
    ranges: list[Range] = [amount[part] for part in parts]
    return sum(least for least, _ in ranges)
