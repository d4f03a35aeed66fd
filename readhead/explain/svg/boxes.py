"""Words in boxes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from readhead.explain.svg.canvas import element
from readhead.explain.svg.flow import Spot, flowed
from readhead.explain.svg.lettering import SIZE, printed, text, width_of

TALL = 26.0  # a box, in pixels like all here
PAD = 5.0  # on either side of a word in its box
MARGIN = 3.0  # around all of them
_NARROWEST = 18.0


@dataclass(frozen=True, slots=True)
class Boxes:
    """A text's words, each in its box.

    words: printed.
    spots: where each stands in its line.
    tops: of the lines.
    """

    words: Sequence[str]
    spots: Sequence[Spot]
    tops: Sequence[float]

    def top(self, place: int) -> float:
        """Of the box of a word."""
        return self.tops[self.spots[place].line]

    def box(self, place: int) -> tuple[str, str]:
        """A word's box and the word."""
        spot = self.spots[place]
        ground = element("rect", x=spot.left, y=self.top(place), width=spot.width, height=TALL, rx=4)
        return ground, lettered(self.words[place], spot.middle, self.top(place))


def lettered(word: str, middle: float, top: float) -> str:
    """A printed word in the middle of a box."""
    return text(word, x=middle, y=baseline(top), anchor="middle")


def baseline(top: float) -> float:
    """What letters stand on in a box."""
    return top + TALL / 2 + SIZE * 0.36


def boxed(tokens: Sequence[str], width: float) -> tuple[list[str], list[Spot]]:
    """The words as they are printed, and where in lines of a width their boxes stand."""
    words = [printed(token) for token in tokens]
    widths = [max(width_of(word) + 2 * PAD, _NARROWEST) for word in words]
    return words, flowed(widths, width - MARGIN, left=MARGIN)
