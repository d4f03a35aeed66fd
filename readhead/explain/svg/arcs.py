"""Words and arcs between them: Cheng et al. 2016 (arXiv:1601.06733v7), Fig. 4 and 5."""

from __future__ import annotations

from collections.abc import Sequence

from readhead.explain.links import Link, by_row, written
from readhead.explain.svg.boxes import MARGIN, TALL, Boxes, boxed
from readhead.explain.svg.canvas import drawing, element, number, share
from readhead.explain.svg.flow import Spot, lines

_LEAD = 12.0  # between a line's arcs and the line before, in pixels like all here
_LOWEST, _HIGHEST = 14.0, 92.0  # an arc over neighbours, and the highest
_SLOPE = 0.2  # how much higher an arc is for each pixel that it spans
_ASIDE = 4.0  # from the middle of a word: arcs to the left begin on the left
_BLOCKS = 56.0  # between two texts
_BENT = 40.0  # how long the handles of a line's ends are at most


def within(tokens: Sequence[str], links: Sequence[Link], *, width: float, label: str) -> str:
    """A text's words, and arcs from each to those that it looks at: the thicker, the more.

    tokens: in reading order.
    width: where lines end.
    """
    words, spots = boxed(tokens, width)
    tops, at = [], MARGIN
    for high in _rooms(spots, links):
        tops.append(at + high)
        at += high + TALL + _LEAD
    text = Boxes(words, spots, tops)
    own = by_row(links, len(words))
    arcs = [_bundle(row, [_arc(link, text) for link in found]) for row, found in enumerate(own)]
    return _picture(arcs, [_visited(text, words, own, "Words")], width, at, label)


def across(
    rows: Sequence[str],
    columns: Sequence[str],
    links: Sequence[Link],
    *,
    names: tuple[str, str],
    width: float,
    label: str,
) -> str:
    """Two texts, one below the other, and lines from each word of the upper one to those that it looks at.

    rows, columns: tokens of the text that looks, and of the one that is looked at.
    names: of the two.
    """
    words, spots = boxed(rows, width)
    upper = Boxes(words, spots, [MARGIN + line * (TALL + _LEAD) for line in range(lines(spots))])
    base = MARGIN + lines(spots) * (TALL + _LEAD) + _BLOCKS
    words, spots = boxed(columns, width)
    lower = Boxes(words, spots, [base + line * (TALL + _LEAD) for line in range(lines(spots))])
    own = by_row(links, len(rows))
    arcs = [_bundle(row, [_line(link, upper, lower) for link in found]) for row, found in enumerate(own)]
    seen = [element("g", *lower.box(place), class_="word", data_c=str(place)) for place in range(len(words))]
    parts = [_visited(upper, words, own, names[0]), element("g", *seen, class_="looked-at", aria_hidden="true")]
    return _picture(arcs, parts, width, base + lines(spots) * (TALL + _LEAD), label)


def _picture(arcs: Sequence[str], parts: Sequence[str], width: float, height: float, label: str) -> str:
    links = element("g", *arcs, class_="links", aria_hidden="true") if any(arcs) else ""
    front = element("g", class_="front", aria_hidden="true")  # where a script puts the links of a word that is visited
    return drawing("arcs", links, front, *parts, width=width, height=height, label=label, role="group")


def _bundle(row: int, arcs: Sequence[str]) -> str:
    return element("g", *arcs, data_r=str(row)) if arcs else ""


def _visited(text: Boxes, others: Sequence[str], own: Sequence[Sequence[Link]], name: str) -> str:
    """The words, which can be visited, each telling its links to the others."""
    told = [
        element(
            "g",
            *text.box(place),
            class_="word",
            role="option",
            tabindex="-1" if place else "0",
            data_w=str(place),
            aria_label=f"{word}: {_looks(found, others)}",
        )
        for place, (word, found) in enumerate(zip(text.words, own, strict=True))
    ]
    return element("g", *told, role="listbox", aria_label=name, aria_orientation="horizontal") if told else ""


def _looks(own: Sequence[Link], others: Sequence[str]) -> str:
    return ", ".join(f"{others[link.column]} {written(link.weight)}" for link in own) or "no strong link"


def _high(span: float) -> float:
    return min(_LOWEST + _SLOPE * span, _HIGHEST)


def _rooms(spots: Sequence[Spot], links: Sequence[Link]) -> list[float]:
    """The room above each line that the arcs within it take."""
    room = [_LEAD] * lines(spots)
    for link in links:
        one, other = spots[link.row], spots[link.column]
        if one.line == other.line:
            room[one.line] = max(room[one.line], _high(abs(one.middle - other.middle)) + 4)
    return room


def _arc(link: Link, text: Boxes) -> str:
    one, other = text.spots[link.row], text.spots[link.column]
    if one.line != other.line:
        return _line(link, text, text)
    top = text.top(link.row)
    if link.row == link.column:
        return _loop(link, one.middle, top)
    aside = _ASIDE if other.left > one.left else -_ASIDE
    start, end = one.middle + aside, other.middle - aside
    peak = top - _high(abs(end - start)) * 4 / 3  # a cubic curve rises to three quarters of its handles
    return _curve(link, (start, top), (start, peak), (end, peak), (end, top))


def _loop(link: Link, middle: float, top: float) -> str:
    """From a word to itself."""
    peak = top - _LOWEST * 4 / 3
    return _curve(link, (middle - 5, top), (middle - 12, peak), (middle + 12, peak), (middle + 5, top))


def _line(link: Link, text: Boxes, other: Boxes) -> str:
    """From a word to one in another line, from edge to edge."""
    x, to_x = text.spots[link.row].middle, other.spots[link.column].middle
    top, to_top = text.top(link.row), other.top(link.column)
    y, to_y = (top, to_top + TALL) if to_top < top else (top + TALL, to_top)
    bent = max(min((to_y - y) / 2, _BENT), -_BENT)
    return _curve(link, (x, y), (x, y + bent), (to_x, to_y - bent), (to_x, to_y))


def _curve(link: Link, *points: tuple[float, float]) -> str:
    start, *others = (f"{number(x)} {number(y)}" for x, y in points)
    return element(
        "path",
        d=f"M{start}C{' '.join(others)}",
        stroke_width=0.8 + 5.2 * link.weight,
        stroke_opacity=share(0.25 + 0.75 * link.weight),
        data_c=str(link.column),
    )
