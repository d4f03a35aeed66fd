"""Conjunction: both, one or the other, neither, or each doing something else."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from readhead.data.grammar.draw import Draw
from readhead.data.grammar.drawing import elaborated, person_or_animal, some_action, some_subject
from readhead.data.grammar.english import listed
from readhead.data.grammar.meaning import Both, Either, Formula, Holds, Not
from readhead.data.grammar.phenomena.puzzle import Puzzle
from readhead.data.grammar.phrases import Action, Clause, Someone, Statement
from readhead.data.grammar.style import Styles
from readhead.data.grammar.variation import varied_action, ways

People = tuple[Someone, ...]


class Coordination(NamedTuple):
    """Several do the same: Anna and Max are running; neither Anna nor Max is running.

    subjects: who; words: what is said of them together, up to the verb; combined: how the facts about each
        are put together.
    """

    subjects: People
    said: Callable[[list[str]], str]
    combined: Callable[[tuple[Formula, ...]], Formula]
    action: Action

    def words(self) -> str:
        """Its words."""
        return f"{self.said([subject.words for subject in self.subjects])} {self.action.words()}"

    def says(self) -> Formula:
        """Its logical form."""
        return self.combined(tuple(Holds(subject.who, self.action.concepts) for subject in self.subjects))


class Juxtaposition(NamedTuple):
    """Two statements: Anna is running, and Max is not sleeping."""

    first: Statement
    second: Statement

    def words(self) -> str:
        """Its words."""
        return f"{self.first.words()} and {self.second.words()}"

    def says(self) -> Formula:
        """Its logical form."""
        return Both((self.first.says(), self.second.says()))


def _all_of(people: People, action: Action) -> Clause:
    return Coordination(people, lambda names: f"{listed(names, 'and')} are", Both, action)


def _any_of(people: People, action: Action) -> Clause:
    return Coordination(people, lambda names: f"{listed(names, 'or')} is", Either, action)


def _none_of(people: People, action: Action) -> Clause:
    def said(names: list[str]) -> str:
        return f"neither {names[0]} nor {names[1]} is"

    return Coordination(people, said, lambda facts: Both(tuple(Not(fact) for fact in facts)), action)


def _one(people: People, action: Action) -> Clause:
    return Statement(people[0], action)


_HYPOTHESES = ((_one, 1), (_one, 1), (_all_of, 2), (_any_of, 2), (_none_of, 2))
_PREMISES = (*((_all_of, 2), (_any_of, 2), (_none_of, 2)) * 2, (_all_of, 3))


def conjunction(draw: Draw, styles: Styles) -> Puzzle:
    """Two or three who do the same or something else, put together in one way or another."""
    person = person_or_animal(draw)
    people = _three(draw, person)
    action = some_action(draw, person, styles.hypothesis)
    another = some_action(draw, person, styles.premise)
    form, count = draw.one(_HYPOTHESES)

    def premises() -> Iterator[Clause]:
        for way in ways(draw):
            others = list(people)
            if draw.chance(0.6):
                draw.shuffle(others)
            other_action = varied_action(draw, action, way) if draw.chance(0.3) else action
            if draw.chance(0.25):
                other_action = elaborated(draw, other_action, styles.premise)
            if draw.chance(0.35):
                yield _juxtaposed(draw, others, other_action, another)
            else:
                other_form, other_count = draw.one(_PREMISES)
                yield other_form(tuple(others[:other_count]), other_action)

    return Puzzle(form(people[:count], action), premises())


def _three(draw: Draw, person: bool) -> People:
    """Three individuals, different from each other."""
    people: dict[str, Someone] = {}
    while len(people) < 3:
        someone = some_subject(draw, person)
        people[someone.who] = someone
    return tuple(people.values())


def _juxtaposed(draw: Draw, people: list[Someone], action: Action, another: Action) -> Clause:
    """Of one the action, of the other another one, in either order, one of them perhaps denied."""
    statements = [
        Statement(people[0], action, draw.chance(0.3)),
        Statement(people[1], another, draw.chance(0.15)),
    ]
    draw.shuffle(statements)
    return Juxtaposition(statements[0], statements[1])
