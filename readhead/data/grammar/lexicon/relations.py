"""Who stands how to whom: relations between two, and which of the other facts about the two they decide."""

from __future__ import annotations

from dataclasses import dataclass

from readhead.data.grammar.english import words


@dataclass(frozen=True, slots=True, eq=False)
class Relation:
    """A relation between two individuals; compared by identity.

    words: what stands between `is` and the second one.
    passive: what stands between `is being` and the first one; "" if there is no passive.
    many: what stands between `are` and the second one, where two first ones share it.
    symmetric: first to second implies second to first.
    converse: the relation that holds from second to first exactly when this one holds from first to second.
        Those that have one here are strict orders: asymmetric and transitive.
    """

    words: str
    passive: str
    many: str
    symmetric: bool = False
    converse: str = ""


def _plain(active: str, passive: str) -> Relation:
    return Relation(active, passive, active)


def _symmetric(one: str, many: str) -> Relation:
    return Relation(one, "", many, symmetric=True)


def _converses(one: str, other: str) -> tuple[Relation, Relation]:
    return Relation(one, "", one, converse=other), Relation(other, "", other, converse=one)


_PLAIN = """
chasing|chased  following|followed  helping|helped  watching|watched  pushing|pushed  hugging|hugged
calling|called  teaching|taught  greeting|greeted  insulting|insulted  praising|praised  scolding|scolded
tickling|tickled  blaming|blamed  rescuing|rescued  lifting|lifted  interviewing|interviewed  kissing|kissed
questioning|questioned  carrying|carried  kicking|kicked  visiting|visited  ignoring|ignored  trailing|trailed
comforting|comforted  warning|warned  threatening|threatened  thanking|thanked  mocking|mocked
guarding|guarded
"""
_SYMMETRIC = (
    ("a cousin of", "cousins of"),
    ("a neighbour of", "neighbours of"),
    ("a classmate of", "classmates of"),
    ("a colleague of", "colleagues of"),
    ("a rival of", "rivals of"),
    ("related to", "related to"),
    ("dancing with", "dancing with"),
    ("sitting next to", "sitting next to"),
    ("shaking hands with", "shaking hands with"),
    ("playing chess with", "playing chess with"),
)
_ORDERS = """
taller|shorter  older|younger  richer|poorer  stronger|weaker  faster|slower  happier|sadder  kinder|crueller
braver|more timid  thinner|stouter  louder|quieter
"""
_BEARINGS = "north of|south of  east of|west of"
_SIDES = "in front of|behind  to the left of|to the right of"
_OF_ANIMALS = words("chasing following watching pushing kicking guarding ignoring trailing greeting")


def _twins(pairs: str) -> list[tuple[str, str]]:
    cells = [pair.split("|") for line in pairs.splitlines() for pair in line.strip().split("  ") if pair]
    return [(one, other) for one, other in cells]


PLAIN = tuple(_plain(active, passive) for active, passive in _twins(_PLAIN))
ANIMAL_PLAIN = tuple(relation for relation in PLAIN if relation.words in _OF_ANIMALS)
SYMMETRIC = tuple(_symmetric(one, many) for one, many in _SYMMETRIC)
ORDERS = tuple(r for one, other in _twins(_ORDERS) for r in _converses(f"{one} than", f"{other} than"))
BEARINGS = tuple(r for one, other in _twins(_BEARINGS) for r in _converses(one, other))
SIDES = tuple(r for one, other in _twins(_SIDES) for r in _converses(one, other))
CONVERSE = {relation.converse: relation for relation in (*ORDERS, *BEARINGS, *SIDES)}
