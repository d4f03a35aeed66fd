"""An oracle for labels: builds all small worlds that the lexicon's axioms allow, and looks.

It reads logical forms, the trees and the properties of relations, and shares no code with the inference it
checks: no bit masks, no cases, no counting argument; what a quantifier means it reads off its words.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator
from functools import cache

from readhead.data.grammar.concept import Concept
from readhead.data.grammar.lexicon.relations import Relation
from readhead.data.grammar.meaning import Both, Counted, Either, Formula, Holds, Meaning, Not, Related

Facts = frozenset[Concept]
NUMERALS = {w: n for n, w in enumerate(["two", "three", "four", "five", "six", "seven", "eight", "nine"], start=2)}


def label(premise: Meaning, hypothesis: Meaning) -> str:
    seen = set(_truths(premise, hypothesis))
    if (True, False) not in seen:
        assert (True, True) in seen, "a premise that cannot be true"
        return "entailment"
    return "neutral" if (True, True) in seen else "contradiction"


def _truths(premise: Meaning, hypothesis: Meaning) -> Iterator[tuple[bool, bool]]:
    """The truth values of both, in every world."""
    if isinstance(premise.main, Counted):
        assert isinstance(hypothesis.main, Counted)
        return counted_truths(premise.main, hypothesis.main)
    assert not isinstance(hypothesis.main, Counted)
    return _ground_truths(Both((premise.main, *premise.scene)), hypothesis.main)


# Individuals and what holds of them


def possible_facts(mentioned: set[Concept]) -> list[Facts]:
    """Every way in which the mentioned concepts can hold or not hold of one individual."""
    by_attribute = itertools.groupby(sorted(mentioned, key=lambda c: c.attribute), key=lambda c: c.attribute)
    ways = [_possible_of_one_attribute(set(concepts)) for _, concepts in by_attribute]
    return [frozenset().union(*choice) for choice in itertools.product(*ways)]


def _possible_of_one_attribute(mentioned: set[Concept]) -> set[Facts]:
    if next(iter(mentioned)).exclusive:
        tops = {list(concept.ancestors())[-1] for concept in mentioned}
        tree = [concept for top in tops for concept in top.descendants()]
        # An individual is of one of these kinds (an unnamed kind of it, for all we know) or of none.
        return {frozenset(mentioned.intersection(concept.ancestors())) for concept in tree} | {frozenset()}
    subsets = itertools.chain.from_iterable(itertools.combinations(mentioned, n) for n in range(len(mentioned) + 1))
    return {
        frozenset(subset)
        for subset in subsets
        if all(above in subset for c in subset for above in c.ancestors() if above in mentioned)
    }


# Ground formulas


def _atoms(formula: Formula) -> Iterator[Holds | Related]:
    if isinstance(formula, Holds | Related):
        yield formula
    elif isinstance(formula, Not):
        yield from _atoms(formula.part)
    else:
        for part in formula.parts:
            yield from _atoms(part)


def _is_true(formula: Formula, true_atoms: frozenset[Holds | Related]) -> bool:
    if isinstance(formula, Holds | Related):
        return formula in true_atoms
    if isinstance(formula, Not):
        return not _is_true(formula.part, true_atoms)
    if isinstance(formula, Both):
        return all(_is_true(part, true_atoms) for part in formula.parts)
    assert isinstance(formula, Either)
    return any(_is_true(part, true_atoms) for part in formula.parts)


def _ground_truths(premise: Formula, hypothesis: Formula) -> Iterator[tuple[bool, bool]]:
    atoms = {*_atoms(premise), *_atoms(hypothesis)}
    individuals = {atom.who for atom in atoms if isinstance(atom, Holds)}
    choices = [_true_of({a for a in atoms if isinstance(a, Holds) and a.who == who}) for who in individuals]
    choices.append(_true_relations({atom for atom in atoms if isinstance(atom, Related)}))
    for world in itertools.product(*choices):
        true_atoms = frozenset().union(*world)
        yield _is_true(premise, true_atoms), _is_true(hypothesis, true_atoms)


def _true_of(atoms: set[Holds]) -> set[frozenset[Holds]]:
    mentioned = {concept for atom in atoms for concept in atom.concepts}
    return {frozenset(atom for atom in atoms if facts.issuperset(atom.concepts)) for facts in possible_facts(mentioned)}


def _true_relations(atoms: set[Related]) -> set[frozenset[Related]]:
    if not atoms:
        return {frozenset()}
    individuals = sorted({who for atom in atoms for who in (atom.first, atom.second)})
    first = next(iter(atoms)).relation
    pairs = list(itertools.permutations(individuals, 2))
    extensions = itertools.chain.from_iterable(itertools.combinations(pairs, n) for n in range(len(pairs) + 1))
    worlds = [frozenset(extension) for extension in extensions if _respects_axioms(first, set(extension))]
    return {frozenset(atom for atom in atoms if _is_in(atom, first, world)) for world in worlds}


def _respects_axioms(relation: Relation, extension: set[tuple[str, str]]) -> bool:
    if relation.symmetric:
        return all((b, a) in extension for a, b in extension)
    if relation.converse:
        chained = {(a, d) for a, b in extension for c, d in extension if b == c}
        return chained <= extension and all((b, a) not in extension for a, b in extension)
    return True


def _is_in(atom: Related, told: Relation, extension: frozenset[tuple[str, str]]) -> bool:
    if atom.relation is told:
        return (atom.first, atom.second) in extension
    assert atom.relation.words == told.converse, "two unrelated relations in one pair"
    return (atom.second, atom.first) in extension


# Quantified statements


def meaning_of(words: str) -> tuple[Callable[[int, int], bool], bool]:
    """The truth by the numbers inside and outside the scope, and whether there must be any at all."""
    simple: dict[str, tuple[Callable[[int, int], bool], bool]] = {
        "every": (lambda i, o: o == 0, True), "all": (lambda i, o: o == 0, True),
        "not every": (lambda i, o: o != 0, True), "not all": (lambda i, o: o != 0, True),
        "most": (lambda i, o: 2 * i > i + o, True), "no": (lambda i, o: i == 0, False),
        "a": (lambda i, o: i != 0, False), "some": (lambda i, o: i != 0, False),
    }  # fmt: skip
    if words in simple:
        return simple[words]
    *how, numeral = words.split()
    n = NUMERALS[numeral]
    compare: dict[str, Callable[[int, int], bool]] = {
        "": lambda i, o: i >= n, "at least": lambda i, o: i >= n, "at most": lambda i, o: i <= n,
        "more than": lambda i, o: i > n, "fewer than": lambda i, o: i < n, "exactly": lambda i, o: i == n,
    }  # fmt: skip
    return compare[" ".join(how)], False


def largest_number(words: str) -> int:
    found = re.findall("|".join(NUMERALS), words)
    return NUMERALS[found[0]] if found else 1


def counted_truths(premise: Counted, hypothesis: Counted) -> Iterator[tuple[bool, bool]]:
    mentioned = {concept for part in (premise, hypothesis) for concept in (*part.restrictor, *part.scope)}
    kinds = {(_counts(premise, facts), _counts(hypothesis, facts)) for facts in possible_facts(mentioned)}
    kinds.discard(((0, 0), (0, 0)))
    return iter(all_truths(premise.quantifier.words, hypothesis.quantifier.words, frozenset(kinds)))


def _counts(statement: Counted, facts: Facts) -> tuple[int, int]:
    """What an individual adds to the numbers inside and outside."""
    if not facts.issuperset(statement.restrictor):
        return 0, 0
    return (1, 0) if facts.issuperset(statement.scope) else (0, 1)


Kind = tuple[tuple[int, int], tuple[int, int]]


@cache
def all_truths(premise: str, hypothesis: str, kinds: frozenset[Kind]) -> frozenset[tuple[bool, bool]]:
    """The truth values of both in all worlds with few individuals, where what is taken for granted is so."""
    (one, one_takes), (other, other_takes) = meaning_of(premise), meaning_of(hypothesis)
    most = largest_number(premise) + largest_number(hypothesis) + 2
    truths = set()
    for size in range(most + 1):
        for world in itertools.combinations_with_replacement(sorted(kinds), size):
            a, b = sum(k[0][0] for k in world), sum(k[0][1] for k in world)
            c, d = sum(k[1][0] for k in world), sum(k[1][1] for k in world)
            if (a + b or not one_takes) and (c + d or not other_takes):
                truths.add((one(a, b), other(c, d)))
        if len(truths) == 4:
            break
    return frozenset(truths)
