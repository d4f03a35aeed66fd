"""Words in reading order, from left to right and line by line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

GAP = 4.0  # between two words, in pixels


@dataclass(frozen=True, slots=True)
class Spot:
    """Where a word stands: its line, and in it where it begins and how wide it is, in pixels."""

    line: int
    left: float
    width: float

    @property
    def middle(self) -> float:
        """Where its middle is."""
        return self.left + self.width / 2


def flowed(widths: Sequence[float], width: float, *, left: float = 0.0) -> list[Spot]:
    """A spot for each word; a new line begins where one does not fit any more.

    widths: of the words, in pixels.
    width: that a line ends at; left: that it begins at.
    """
    spots: list[Spot] = []
    line, at = 0, left
    for wide in widths:
        if at > left and at + wide > width:
            line, at = line + 1, left
        spots.append(Spot(line, at, wide))
        at += wide + GAP
    return spots


def lines(spots: Sequence[Spot]) -> int:
    """How many lines they fill."""
    return spots[-1].line + 1 if spots else 0
