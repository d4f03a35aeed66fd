"""The decision: does the premise entail the hypothesis, contradict it, or neither?

    entailment     no world makes the premise true and the hypothesis false
    contradiction  no world makes both true
    neutral        neither

Ground formulas are brought into cases (a disjunction of conjunctions of literals). A case is possible
unless two of its concepts at one individual rule each other out, or what it denies follows from what it
affirms: since there is always an unnamed child more of every concept, no concept follows from a denial, and
no denials add up. Quantified statements are decided by how their restrictors and their scopes lie to each
other, and by counting.
"""

from __future__ import annotations

from readhead.data.grammar.counting import SetRelation, compatible
from readhead.data.grammar.meaning import (
    Atom,
    Concepts,
    Counted,
    Either,
    Formula,
    Holds,
    Not,
    Related,
)

ENTAILMENT, NEUTRAL, CONTRADICTION = LABELS = ("entailment", "neutral", "contradiction")

Case = tuple[tuple[Atom, ...], tuple[Atom, ...]]  # what it affirms, what it denies
Masks = tuple[int, int, int]  # bits of concepts themselves, of all they imply, of all they exclude
Tie = tuple[str, str, str, bool]  # relation, first, second, and whether the relation is a strict order


class Hypothesis:
    """A hypothesis, ready to be judged against many premises."""

    def __init__(self, main: Formula | Counted) -> None:
        self._main = main
        if not isinstance(self._main, Counted):
            self._true, self._false = worlds(self._main, True), worlds(self._main, False)

    def judge(self, premise: Formula | Counted) -> str:
        """One of `LABELS`.

        A premise's scene has no part in it: it speaks of individuals and of attributes that no hypothesis
        speaks of, and can be true in any world.
        """
        if isinstance(self._main, Counted):
            assert isinstance(premise, Counted), "a phenomenon's premises and hypotheses are of one kind"
            return _judge_counts(premise, self._main)
        assert not isinstance(premise, Counted), "a phenomenon's premises and hypotheses are of one kind"
        given = worlds(premise, True)
        if not _any_agree(given, self._true):
            return CONTRADICTION
        return NEUTRAL if _any_agree(given, self._false) else ENTAILMENT


def cases(formula: Formula, truth: bool) -> tuple[Case, ...]:
    """The ways in which the formula can have this truth value."""
    if isinstance(formula, (Holds, Related)):
        return (((formula,), ()),) if truth else (((), (formula,)),)
    if isinstance(formula, Not):
        return cases(formula.part, not truth)
    parts = [cases(part, truth) for part in formula.parts]
    if isinstance(formula, Either) is truth:
        return tuple(case for part in parts for case in part)
    product = parts[0]
    for part in parts[1:]:
        product = tuple((a + c, b + d) for a, b in product for c, d in part)
    return product


class World:
    """A case that is possible, as far as it goes.

    known: by individual, what holds of it; denied: concepts (their bits) that don't hold of it together.
    ties: who stands to whom; broken: who does not.
    """

    __slots__ = ("broken", "denied", "known", "ties")

    def __init__(
        self,
        known: dict[str, Masks],
        denied: list[tuple[str, int]],
        ties: frozenset[Tie],
        broken: frozenset[Tie],
    ) -> None:
        self.known, self.denied, self.ties, self.broken = known, denied, ties, broken

    def agrees(self, other: World) -> bool:
        """Whether both can be the case at once."""
        known = self.known
        for who, there in other.known.items():
            if who in known and there[0] & known[who][2]:
                return False
        denied = self.denied + other.denied
        if denied and _follows(denied, known, other.known):
            return False
        if self.ties or other.ties:
            return _possible_ties(self.ties | other.ties, self.broken | other.broken)
        return True


def _follows(denied: list[tuple[str, int]], one: dict[str, Masks], other: dict[str, Masks]) -> bool:
    """Whether what is denied of somebody follows from what is known of him."""
    for who, own in denied:
        implied = (one[who][1] if who in one else 0) | (other[who][1] if who in other else 0)
        if not own & ~implied:
            return True
    return False


def _possible_ties(ties: frozenset[Tie], broken: frozenset[Tie]) -> bool:
    """Whether these ties and no broken one can be: strict orders are transitive."""
    chained = ties
    while True:
        more = {
            (name, a, d, True)
            for name, a, b, ordered in chained
            if ordered
            for other, c, d, _ in chained
            if other == name and c == b
        }
        if more <= chained:
            break
        chained |= more
    return chained.isdisjoint(broken) and not any(a == b for _, a, b, _ in chained)


def worlds(formula: Formula, truth: bool) -> list[World]:
    """The possible ones of the ways in which the formula can have this truth value."""
    possible = (_world(*case) for case in cases(formula, truth))
    return [world for world in possible if world]


def _world(affirmed: tuple[Atom, ...], denied: tuple[Atom, ...]) -> World | None:
    known: dict[str, Masks] = {}
    ties: list[Tie] = []
    for atom in affirmed:
        if isinstance(atom, Related):
            ties.append(_tie(atom))
            continue
        own, implied, excluded = masks(atom.concepts)
        if atom.who in known:
            before = known[atom.who]
            own, implied, excluded = own | before[0], implied | before[1], excluded | before[2]
        if own & excluded:
            return None
        known[atom.who] = own, implied, excluded
    apart: list[tuple[str, int]] = []
    broken: list[Tie] = []
    for atom in denied:
        if isinstance(atom, Related):
            broken.append(_tie(atom))
        else:
            apart.append((atom.who, masks(atom.concepts)[0]))
    world = World(known, apart, frozenset(ties), frozenset(broken))
    return world if world.agrees(_NOTHING) else None


_NOTHING = World({}, [], frozenset(), frozenset())


def _tie(atom: Related) -> Tie:
    """The same for both ways of saying the same: of two converses the one first in the alphabet is named."""
    relation, first, second = atom.relation, atom.first, atom.second
    if relation.symmetric:
        return relation.words, min(first, second), max(first, second), False
    if relation.converse and relation.converse < relation.words:
        return relation.converse, second, first, True
    return relation.words, first, second, bool(relation.converse)


def _any_agree(ones: list[World], others: list[World]) -> bool:
    for one in ones:
        for other in others:
            if one.agrees(other):
                return True
    return False


def masks(concepts: Concepts) -> Masks:
    """The concepts' own bits, the bits of all they imply, and of all they exclude."""
    own = implied = excluded = 0
    for concept in concepts:
        own |= concept.bit
        implied |= concept.implied
        excluded |= concept.excluded
    return own, implied, excluded


def _judge_counts(premise: Counted, hypothesis: Counted) -> str:
    restrictors = relation(premise.restrictor, hypothesis.restrictor)
    scopes = relation(premise.scope, hypothesis.scope)
    one, other = premise.quantifier, hypothesis.quantifier
    if not compatible(one, other, True, restrictors, scopes):
        return CONTRADICTION
    return NEUTRAL if compatible(one, other, False, restrictors, scopes) else ENTAILMENT


def relation(one: Concepts, other: Concepts) -> SetRelation:
    """How the things with all of `one`'s concepts lie to those with all of `other`'s."""
    own, implied, excluded = masks(one)
    other_own, other_implied, _ = masks(other)
    if other_own & excluded:
        return SetRelation.APART
    narrower, wider = not other_own & ~implied, not own & ~other_implied
    if narrower:
        return SetRelation.EQUAL if wider else SetRelation.NARROWER
    return SetRelation.WIDER if wider else SetRelation.FREE
