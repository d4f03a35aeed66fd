"""What a phenomenon makes: a hypothesis, and premises that might go with it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from readhead.data.grammar.draw import Draw
from readhead.data.grammar.phrases import Clause
from readhead.data.grammar.style import Styles


class Puzzle(NamedTuple):
    """A hypothesis and an endless stream of premises, whose labels nobody knows yet.

    A phenomenon proposes premises without an eye to their label: it is the inference that gives it.
    """

    hypothesis: Clause
    premises: Iterator[Clause]


Phenomenon = Callable[[Draw, Styles], Puzzle]
