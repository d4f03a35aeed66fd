"""The little of English spelling that the grammar needs: articles, plurals, lists, capital, full stop."""

from __future__ import annotations

from collections.abc import Sequence

IRREGULAR = {"person": "people", "mouse": "mice", "goose": "geese", "wolf": "wolves", "thief": "thieves"}
VOWELS = frozenset("aeiou")
SIBILANTS = ("s", "x", "z", "ch", "sh")
CONSONANT_AT_THE_EAR = ("uku", "uni", "euro")  # written with a vowel, spoken with a consonant


def words(text: str) -> tuple[str, ...]:
    """The words of a text, split at white space."""
    return tuple(text.split())


def plural(noun: str) -> str:
    """The plural of a noun or of a compound that ends in it."""
    *start, last = noun.split(" ")
    return " ".join([*start, IRREGULAR.get(last) or _regular_plural(last)])


def _regular_plural(noun: str) -> str:
    if noun.endswith(SIBILANTS):
        return noun + "es"
    if noun.endswith("y") and noun[-2] not in VOWELS:
        return noun[:-1] + "ies"
    return noun + "s"


def with_article(phrase: str) -> str:
    """The phrase behind `a` or `an`."""
    vowel = phrase[0] in VOWELS and not phrase.startswith(CONSONANT_AT_THE_EAR)
    return f"an {phrase}" if vowel else f"a {phrase}"


def listed(phrases: Sequence[str], conjunction: str) -> str:
    """`x`, `x and y`, or `x, y and z`."""
    *rest, last = phrases
    return f"{', '.join(rest)} {conjunction} {last}" if rest else last


def as_sentence(clause: str) -> str:
    """With a capital first and a full stop last."""
    return f"{clause[0].upper()}{clause[1:]}."
