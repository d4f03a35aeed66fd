"""A word and its place in the lexicon: what it implies and what it rules out.

Concepts of one attribute (kind, activity, place, colour, ...) form a tree. A concept implies its ancestors.
In an exclusive attribute two concepts that are not ancestor and descendant rule each other out; in a free
one (pets, instruments played) they don't. No concept is the union of its children: there is always an
unnamed child more. Sets of concepts are bit masks, so that a decision costs a few integer operations.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator

_bits = itertools.count()


class Concept:
    """One concept of the lexicon; compared by identity.

    word: as it stands in a sentence about one; plural: as it stands in a sentence about many.
    attribute: the name of its tree.
    parent: the next more general concept of the tree; None at its top.
    children: the next more special ones.
    exclusive: whether incomparable concepts of the attribute rule each other out.
    bit: a mask of this concept alone; implied: of it and its ancestors; excluded: of all it rules out.
    """

    bit: int
    implied: int
    excluded: int
    parent: Concept | None
    children: list[Concept]

    def __init__(self, word: str, plural: str, attribute: str, parent: Concept | None, *, exclusive: bool) -> None:
        self.word, self.plural, self.attribute = word, plural, attribute
        self.parent, self.exclusive = parent, exclusive
        self.children = []
        self.bit = self.implied = 1 << next(_bits)
        if parent:
            self.implied |= parent.implied
        self.excluded = 0
        if parent:
            parent.children.append(self)

    def __repr__(self) -> str:
        return f"<{self.attribute}: {self.word}>"

    def ancestors(self) -> Iterator[Concept]:
        """This concept, its parent, and so on to the top of the tree."""
        concept: Concept | None = self
        while concept:
            yield concept
            concept = concept.parent

    def descendants(self) -> Iterator[Concept]:
        """This concept and all below it."""
        yield self
        for child in self.children:
            yield from child.descendants()


Tree = tuple[Concept, ...]


def grow(attribute: str, drawing: str, *, plural: Callable[[str], str] = str, exclusive: bool = True) -> Tree:
    """Reads a tree of concepts from its drawing.

    attribute: the tree's name.
    drawing: a line holds concepts separated by commas; a line indented deeper holds children of the last
        concept of the line above it that is indented less.
    plural: how a concept's word changes in a sentence about many.
    exclusive: whether incomparable concepts rule each other out.

    Returns all concepts, in the order of the drawing.
    """
    concepts: list[Concept] = []
    above: list[tuple[int, Concept]] = []  # the last concept of each open line, with the line's indent
    for line in filter(str.strip, drawing.splitlines()):
        indent = len(line) - len(line.lstrip())
        while above and above[-1][0] >= indent:
            above.pop()
        parent = above[-1][1] if above else None
        for word in map(str.strip, line.split(",")):
            concepts.append(Concept(word, plural(word), attribute, parent, exclusive=exclusive))
        above.append((indent, concepts[-1]))
    if exclusive:
        _exclude_incomparable(concepts)
    return tuple(concepts)


def _exclude_incomparable(concepts: Iterable[Concept]) -> None:
    concepts = tuple(concepts)
    everything = mask(concepts)
    for concept in concepts:
        comparable = concept.implied | mask(concept.descendants())
        concept.excluded = everything & ~comparable


def mask(concepts: Iterable[Concept]) -> int:
    """The concepts' own bits."""
    bits = 0
    for concept in concepts:
        bits |= concept.bit
    return bits
