"""Words with at most one arrow each, as trees that can be laid out: which hangs on which, in which row it stands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from readhead.explain.links import Link


@dataclass(frozen=True, slots=True)
class Node:
    """A word in its cluster: its place in the text, how many arrows it is from the root, its row, counted from 0.

    A word stands in the middle of those that hang on it, so its row may be a half.
    """

    word: int
    depth: int
    row: float


@dataclass(frozen=True, slots=True)
class Cluster:
    """A tree of words: the root first, every other one with an arrow to a word before it.

    beyond: the word that the root's own arrow goes to, which is drawn elsewhere; None if it has no arrow.
    rows: how many it takes.
    """

    nodes: Sequence[Node]
    beyond: int | None
    rows: int


def clusters(count: int, links: Sequence[Link], *, deepest: int) -> list[Cluster]:
    """All words in clusters, the largest first.

    A circle is cut where the word is that most arrows lead to. What hangs more than `deepest` words deep on a root
    becomes the root of a cluster of its own.

    count: words. links: at most one a word.
    """
    target = {link.row: link.column for link in links}
    hanging: dict[int, list[int]] = {}
    for row, column in target.items():
        hanging.setdefault(column, []).append(row)
    waiting = _roots(count, target, hanging)
    for root in waiting:
        if root in target:
            hanging[target[root]].remove(root)
    found = []
    for root in waiting:  # which grows meanwhile
        tree = _tree(root, hanging, deepest)
        for word in [word for word, depth in tree.items() if depth == deepest - 1]:
            waiting += hanging.pop(word, [])
        rows = _rows(tree, hanging)
        nodes = [Node(word, depth, rows[word]) for word, depth in tree.items()]
        found.append(Cluster(nodes, target.get(root), sum(not hanging.get(word) for word in tree)))
    return sorted(found, key=lambda cluster: -len(cluster.nodes))


def _roots(count: int, target: Mapping[int, int], hanging: Mapping[int, Sequence[int]]) -> list[int]:
    """The words without an arrow, and of each circle the word that most arrows lead to, of equal ones the first."""
    roots: list[int] = []
    known: set[int] = set()
    for start in range(count):
        walk: dict[int, None] = {}  # in order
        at: int | None = start
        while at is not None and at not in known and at not in walk:
            walk[at] = None
            at = target.get(at)
        known |= walk.keys()
        steps = list(walk)
        if at is None:
            roots.append(steps[-1])
        elif at in walk:
            circle = steps[steps.index(at) :]
            roots.append(max(circle, key=lambda word: (len(hanging.get(word, ())), -word)))
    return roots


def _tree(root: int, hanging: Mapping[int, Sequence[int]], deepest: int) -> dict[int, int]:
    """The depth of each word of a tree, each word before those that hang on it."""
    depths, stack = {}, [(root, 0)]
    while stack:
        word, depth = stack.pop()
        depths[word] = depth
        if depth + 1 < deepest:
            stack += [(child, depth + 1) for child in reversed(hanging.get(word, ()))]
    return depths


def _rows(tree: Mapping[int, int], hanging: Mapping[int, Sequence[int]]) -> dict[int, float]:
    """A row for each leaf, from the top down; the other words stand in the middle of those that hang on them."""
    leaves = [word for word in tree if not hanging.get(word)]
    rows: dict[int, float] = {word: row for row, word in enumerate(leaves)}
    for word in reversed(list(tree)):
        if word not in rows:
            below = [rows[child] for child in hanging[word]]
            rows[word] = (min(below) + max(below)) / 2
    return rows
