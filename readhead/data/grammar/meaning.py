"""What a sentence says: logical forms, and nothing of how they are decided or worded.

A sentence is a formula over ground facts about named individuals, or a quantified statement about two
descriptions; both may stand in a conjunction with the scene they happen in.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING, NamedTuple

from readhead.data.grammar.concept import Concept

if TYPE_CHECKING:
    from readhead.data.grammar.lexicon.relations import Relation

Concepts = tuple[Concept, ...]


@dataclass(frozen=True, slots=True)
class Holds:
    """All of these concepts hold of this individual."""

    who: str
    concepts: Concepts


@dataclass(frozen=True, slots=True)
class Related:
    """`first` stands in this relation to `second`."""

    relation: Relation
    first: str
    second: str


@dataclass(frozen=True, slots=True)
class Not:
    """The part is false."""

    part: Formula


@dataclass(frozen=True, slots=True)
class Both:
    """Every part is true."""

    parts: tuple[Formula, ...]


@dataclass(frozen=True, slots=True)
class Either:
    """At least one part is true."""

    parts: tuple[Formula, ...]


Atom = Holds | Related
Formula = Holds | Related | Not | Both | Either


Range = tuple[int, float]  # from this number to that, both included
ANY: Range = (0, inf)


class Amount(NamedTuple):
    """How many members of the restrictor are inside the scope, and how many outside it."""

    inside: Range = ANY
    outside: Range = ANY


@dataclass(frozen=True, slots=True, eq=False)
class Quantifier:
    """A relation between two sets, by how many of the first are in the second; compared by identity.

    words: how it is said.
    plural: whether the noun and the verb that follow are plural.
    true, false: the amounts, any of which makes it so. Amounts of neither kind are against its
        presupposition.
    """

    words: str
    plural: bool
    true: tuple[Amount, ...]
    false: tuple[Amount, ...]


@dataclass(frozen=True, slots=True)
class Counted:
    """So many (`quantifier`) of those with the restrictor's concepts have the scope's concepts too."""

    quantifier: Quantifier
    restrictor: Concepts
    scope: Concepts


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a whole sentence says: its main clause and, beside it, facts of the scene it is set in."""

    main: Formula | Counted
    scene: tuple[Holds, ...] = ()
