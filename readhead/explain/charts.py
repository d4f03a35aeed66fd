"""Small pictures as inline SVG, in the colours of the page that they stand in."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

SIDE, LEFT, TOP = 320, 52, 12  # of the square that a reliability diagram is drawn in
STRIP = 56  # height of the bars below it
SPAN = 140  # width of an interval's picture

Bin = tuple[float, float, int, float, float]
"""From, to, answers, their mean probability, the share of them that is right."""


def reliability_diagram(bins: Sequence[Bin], *, title: str) -> str:
    """How often answers are right (up) that claim to be right with a probability (across), and how many there are.

    A calibrated reader's bars end on the dashed line; a red line is what one is off by.
    """
    ticks = "".join(_ticks(value / 4) for value in range(5))
    most = max(n for _, _, n, _, _ in bins)
    base = TOP + SIDE + 44 + STRIP
    bars = "".join(_bar(one, most, base) for one in bins)
    width, height = LEFT + SIDE + 16, base + 22
    middle = LEFT + SIDE / 2
    return (
        f'<svg class="chart" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img" '
        f'aria-labelledby="reliability"><title id="reliability">{escape(title)}</title>{ticks}{bars}'
        f'<path class="ideal" d="M{_x(0):.1f} {_y(0):.1f}L{_x(1):.1f} {_y(1):.1f}"/>'
        f'<rect class="axis" x="{LEFT}" y="{TOP}" width="{SIDE}" height="{SIDE}"/>'
        f'<text x="{middle}" y="{TOP + SIDE + 34}" text-anchor="middle">probability of the answer</text>'
        f'<text transform="translate(14 {TOP + SIDE / 2}) rotate(-90)" text-anchor="middle">share that is right</text>'
        f'<path class="axis" d="M{LEFT} {base}h{SIDE}"/>'
        f'<text x="{middle}" y="{base + 16}" text-anchor="middle">how many answers (at most {most:,})</text></svg>'
    )


def span(value: float, low: float, high: float, *, least: float, most: float) -> str:
    """A value as a dot on a track from `least` to `most`, with its interval as a line; the numbers stand beside it."""
    at = [
        8 + (SPAN - 16) * (min(max(point, least), most) - least) / ((most - least) or 1) for point in (value, low, high)
    ]
    return (
        f'<svg class="chart" viewBox="0 0 {SPAN} 16" width="{SPAN}" height="16" aria-hidden="true">'
        f'<rect class="track" x="4" y="7" width="{SPAN - 8}" height="2"/>'
        f'<path class="span" d="M{at[1]:.1f} 8H{at[2]:.1f}"/>'
        f'<circle class="dot" cx="{at[0]:.1f}" cy="8" r="4.5"/></svg>'
    )


def _bar(one: Bin, most: int, base: int) -> str:
    low, high, n, sureness, accuracy = one
    left, width = _x(low) + 1, _x(high) - _x(low) - 2
    tall = STRIP * n / most
    tip = f"{low:.2f} to {high:.2f}: {n:,} answers, right {accuracy:.1%}, claimed {sureness:.1%}"
    return (
        f"<g><title>{tip}</title>"
        f'<rect class="bar" x="{left:.1f}" y="{_y(accuracy):.1f}" width="{width:.1f}" height="{accuracy * SIDE:.1f}"/>'
        f'<path class="gap" d="M{_x(sureness):.1f} {_y(accuracy):.1f}V{_y(sureness):.1f}"/>'
        f'<rect class="bar" x="{left:.1f}" y="{base - tall:.1f}" width="{width:.1f}" height="{tall:.1f}"/></g>'
    )


def _ticks(value: float) -> str:
    name = f"{value:.2f}".rstrip("0").rstrip(".")
    return (
        f'<path class="ruled" d="M{LEFT} {_y(value):.1f}h{SIDE}M{_x(value):.1f} {TOP}v{SIDE}"/>'
        f'<text x="{LEFT - 6}" y="{_y(value) + 4:.1f}" text-anchor="end">{name}</text>'
        f'<text x="{_x(value):.1f}" y="{TOP + SIDE + 16}" text-anchor="middle">{name}</text>'
    )


def _x(share: float) -> float:
    return LEFT + SIDE * share


def _y(share: float) -> float:
    return TOP + SIDE * (1 - share)
