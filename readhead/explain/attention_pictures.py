"""Pictures of attention: arcs within a text, the alignment of two, and which words were composed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from jaxtyping import Float

from readhead.explain.associations import associations
from readhead.explain.links import LEAST, MOST, Link, by_row, carried, strongest, written
from readhead.explain.picture import Numbers, Picture, arrowed, in_table, slug
from readhead.explain.printable import visible
from readhead.explain.record import Explanation, sides
from readhead.explain.svg.arcs import across, within
from readhead.explain.svg.associations import associations as draw_associations
from readhead.explain.svg.grid import MOST_CELLS, grid
from readhead.explain.svg.lettering import printed

VISIT = "Point at a {}, or go there with Tab and the arrow keys."
BOTH_WAYS = " Blue is what it looks at, brown what looks at it."
ELSEWHERE = "What a row lacks of 1 went to an empty place before the text."
_WHOLE = 0.99  # what a row sums to at least, but for rounding, if nothing of it went elsewhere


def arcs(explanation: Explanation, name: str) -> Picture:
    """Attention within a text."""
    words, weights = explanation.texts[sides(name)[0]].tokens, explanation.attention[name]
    links = strongest(weights)
    label = f"{len(words)} words with arcs between them"
    return Picture(
        f"attention-{slug(name)}",
        f"{arrowed(name)}: which words each word looks at",
        f"{_joined(weights)} The thicker it is, the more attention. {_drawn(weights, links)}{_elsewhere(weights)}",
        lambda width: within(words, links, width=width, label=label),
        _table(words, words, links),
        readout=VISIT.format("word") + BOTH_WAYS,
    )


def alignment(explanation: Explanation, name: str) -> Picture:
    """Attention from one text to another: as a grid, or as lines where that would have too many cells."""
    rows, columns = (explanation.texts[side].tokens for side in sides(name))
    weights = explanation.attention[name]
    looking = np.flatnonzero(weights.any(axis=1)).tolist()
    fits = 0 < len(looking) * len(columns) <= MOST_CELLS
    picture = (
        _grid(sides(name), rows, columns, weights, looking) if fits else _lines(sides(name), rows, columns, weights)
    )
    title = f"{arrowed(name)}: where each word of the {visible(sides(name)[0])} looks"
    return replace(picture, name=f"attention-{slug(name)}", title=title)


def _grid(
    names: tuple[str, str],
    rows: Sequence[str],
    columns: Sequence[str],
    weights: Float[np.ndarray, "T S"],
    looking: Sequence[int],
) -> Picture:
    some = [rows[place] for place in looking]
    silent = f" {len(rows) - len(some)} words look nowhere and have no row." if len(some) < len(rows) else ""
    label = f"A grid of {len(some)} by {len(columns)} weights"
    return Picture(
        "grid",
        "",
        f"A row for each word of the {visible(names[0])}, a column for each of the {visible(names[1])}; the bluer, the "
        f"more attention. Weights below {written(LEAST)} have no number.{silent}{_elsewhere(weights)}",
        lambda width: grid(some, columns, weights[looking], label=label),
        _table(rows, columns, strongest(weights)),
        flows=False,
        readout=VISIT.format("cell"),
    )


def _lines(
    names: tuple[str, str], rows: Sequence[str], columns: Sequence[str], weights: Float[np.ndarray, "T S"]
) -> Picture:
    above, below = (visible(name) for name in names)
    links = strongest(weights)
    label = f"Two texts of {len(rows)} and {len(columns)} words with lines between them"
    return Picture(
        "lines",
        "",
        f"Above the {above}, below the {below}; the thicker a line, the more attention. {_drawn(weights, links)}",
        lambda width: across(rows, columns, links, names=(above, below), width=width, label=label),
        _table(rows, columns, links),
        readout=VISIT.format("word"),
    )


def composed(explanation: Explanation, name: str) -> Picture:
    """Which slot of its own text's memory each word was composed with."""
    words = explanation.texts[sides(name)[0]].tokens
    links = associations(explanation, name)
    label = f"{len(words)} words, each with an arrow to the one whose slot it was composed with"
    return Picture(
        f"attention-{slug(name)}",
        f"{arrowed(name)}: which word was composed with which",
        "An arrow leads from each word to the slot of the memory that it read most, its own left aside; the thicker, "
        "the more of it. The bluer a word, the more arrows lead to its slot.",
        lambda width: draw_associations(words, links, width=width, label=label),
        _table(words, words, links),
    )


def looks(own: Sequence[Link], columns: Sequence[str]) -> str:
    """A word's links in words."""
    return ", ".join(f"{printed(columns[link.column])} {written(link.weight)}" for link in own) or "no strong link"


def _table(rows: Sequence[str], columns: Sequence[str], links: Sequence[Link]) -> Numbers:
    told = [(in_table(word), looks(own, columns)) for word, own in zip(rows, by_row(links, len(rows)), strict=True)]
    return Numbers(("word", "looks at"), told)


def _joined(weights: Float[np.ndarray, "T S"]) -> str:
    where = "" if np.triu(weights).any() else ", always before it"
    return f"An arc joins a word and one that it looks at{where}."


def _drawn(weights: Float[np.ndarray, "T S"], links: Sequence[Link]) -> str:
    return (
        f"Drawn are each word's {MOST} strongest links from {written(LEAST)} on: {len(links):,}, which carry "
        f"{carried(weights, links):.0%} of all attention."
    )


def _elsewhere(weights: Float[np.ndarray, "T S"]) -> str:
    sums = weights.sum(axis=1)
    return f" {ELSEWHERE}" if ((sums > 0) & (sums < _WHOLE)).any() else ""
