"""Phrases and clauses: each knows its words and what it says."""

from __future__ import annotations

from typing import NamedTuple, Protocol

from readhead.data.grammar.concept import Concept
from readhead.data.grammar.english import with_article
from readhead.data.grammar.meaning import Both, Concepts, Counted, Formula, Holds, Not, Quantifier


class Being(NamedTuple):
    """A nurse; a tall nurse in a red coat; a big red apple.

    traits: adjectives in front of the noun; kind: the noun; tails: what follows it.
    """

    traits: Concepts
    kind: Concept
    tails: Concepts = ()

    @property
    def concepts(self) -> Concepts:
        """All that is said of it."""
        return (*self.traits, self.kind, *self.tails)

    def bare(self, *, many: bool = False) -> str:
        """Without an article."""
        tails = [tail.plural if many else tail.word for tail in self.tails]
        noun = self.kind.plural if many else self.kind.word
        return " ".join([*(trait.word for trait in self.traits), noun, *tails])

    def words(self, *, many: bool = False) -> str:
        """As it stands behind `is` (or, if many, `are`)."""
        return self.bare(many=True) if many else with_article(self.bare())


class Quality(NamedTuple):
    """Tall: an adjective behind `is`."""

    trait: Concept

    @property
    def concepts(self) -> Concepts:
        """All that is said."""
        return (self.trait,)

    def words(self, *, many: bool = False) -> str:
        """As it stands behind `is` or `are`."""
        return self.trait.word


class Action(NamedTuple):
    """Running quickly in the park; holding a red basket."""

    verb: Concept
    looks: Concepts = ()
    thing: Concept | None = None
    manner: Concept | None = None
    place: Concept | None = None

    @property
    def concepts(self) -> Concepts:
        """All that is said: the action's place, manner and thing are those of who does it."""
        rest = (self.thing, self.manner, self.place)
        return (self.verb, *self.looks, *(concept for concept in rest if concept))

    def words(self, *, many: bool = False) -> str:
        """As it stands behind `is` or `are`."""
        words = self.verb.word
        if self.thing:
            words += " " + with_article(" ".join([*(look.word for look in self.looks), self.thing.word]))
        for concept in (self.manner, self.place):
            if concept:
                words += " " + concept.word
        return words


Predicate = Being | Quality | Action


class Someone(NamedTuple):
    """An individual that both sentences of a pair can name.

    who: the name that tells it from others; words: how a sentence calls it; facts: what calling it so
        asserts.
    """

    who: str
    words: str
    facts: Concepts = ()

    @classmethod
    def named(cls, name: str) -> Someone:
        """Anna; the taxi: called by nothing but its name."""
        return cls(name, name)

    @classmethod
    def known(cls, being: Being) -> Someone:
        """The (only) nurse: told from others by its noun alone, whatever else is said of it."""
        return cls(f"the {being.kind.word}", f"the {being.bare()}", being.concepts)

    @classmethod
    def introduced(cls, name: str, being: Being) -> Someone:
        """Anna, a tall nurse: told from others by name; a clause goes on behind."""
        return cls(name, f"{name}, {being.words()},", being.concepts)

    def also(self, formula: Formula) -> Formula:
        """The formula, and what calling this individual so asserts: outside of any negation."""
        return Both((Holds(self.who, self.facts), formula)) if self.facts else formula


class Clause(Protocol):
    """What a sentence is made of: its words, without capital and full stop, and what it says."""

    def words(self) -> str:
        """Its words."""
        ...

    def says(self) -> Formula | Counted:
        """Its logical form."""
        ...


class Statement(NamedTuple):
    """Anna is running; the nurse is not tall."""

    subject: Someone
    predicate: Predicate
    negated: bool = False

    def words(self) -> str:
        """Its words."""
        return f"{self.subject.words} is {'not ' if self.negated else ''}{self.predicate.words()}"

    def says(self) -> Formula:
        """Its logical form: the negation denies the predicate as a whole, and nothing of the subject."""
        who, _, facts = self.subject
        if self.negated:
            return self.subject.also(Not(Holds(who, self.predicate.concepts)))
        return Holds(who, facts + self.predicate.concepts)


class QuantifiedStatement(NamedTuple):
    """Every tall nurse is running; at most three dogs are sleeping."""

    quantifier: Quantifier
    being: Being
    predicate: Predicate

    def words(self) -> str:
        """Its words."""
        many = self.quantifier.plural
        noun = self.being.bare(many=many)
        subject = with_article(noun) if self.quantifier.words == "a" else f"{self.quantifier.words} {noun}"
        return f"{subject} {'are' if many else 'is'} {self.predicate.words(many=many)}"

    def says(self) -> Counted:
        """Its logical form."""
        return Counted(self.quantifier, self.being.concepts, self.predicate.concepts)
