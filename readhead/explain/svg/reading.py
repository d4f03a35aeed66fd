"""A machine reading: the current word, and how active its memory is. Cheng et al. 2016 (arXiv:1601.06733v7), Fig. 1.

The drawing shows one step. It carries what all others need, so that a script can go through them and draw nothing:
`data-z` of a word that is read holds the slots that it looks at, as "slot:percent slot:percent"; `data-m` in the same
way those whose content changed, in percent of the fullest that there ever is; `data-told` a sentence.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np
from jaxtyping import Float, Int

from readhead.explain.svg.boxes import MARGIN, TALL, Boxes, boxed, lettered
from readhead.explain.svg.canvas import drawing, element, shade
from readhead.explain.svg.flow import lines

_BAR = 14.0  # below a slot, the highest that tells how much stands in it; in pixels like all here
_PITCH = TALL + _BAR + 12  # from line to line
_BLOCKS = 24.0  # between two texts
_SMOOTH = 80  # words that may change gradually without stuttering


@dataclass(frozen=True, slots=True)
class Steps:
    """All that a reading shows, step by step.

    looks: [T, S], how much the word that is read looks at each slot, in percent.
    holds: [T, S], how much stands in each, in percent of the fullest.
    told: a sentence a step.
    """

    looks: Int[np.ndarray, "T S"]
    holds: Int[np.ndarray, "T S"]
    told: Sequence[str]

    @classmethod
    def of(cls, weights: Float[np.ndarray, "T S"], memory: Float[np.ndarray, "T S"], told: Sequence[str]) -> Steps:
        """weights: attention, from 0 to 1. memory: norms of the slots' states."""
        holds = np.rint(100 * memory / (memory.max(initial=0.0) or 1.0)).astype(int)
        return cls(np.rint(100 * weights).astype(int), holds, told)

    def carried(self, step: int) -> dict[str, str]:
        """What the word that is read in a step carries for the script."""
        before = self.holds[step - 1] if step else np.zeros_like(self.holds[0])
        return {
            "data_w": str(step),
            "data_told": self.told[step],
            "data_z": _pairs(self.looks[step], self.looks[step] > 0),
            "data_m": _pairs(self.holds[step], self.holds[step] != before),
        }


def reading(
    rows: Sequence[str], columns: Sequence[str] | None, steps: Steps, *, step: int, width: float, label: str
) -> str:
    """The T words that are read, the current one marked, and S slots, shaded by how much it looks at each.

    Shades follow the square root: of attention that is spread over a text, something would be seen too.

    rows: tokens that are read.
    columns: tokens of the text whose memory it is; None if the memory is of the text that is read.
    step: the one that is drawn.
    """
    read, height = _lines(rows, width, MARGIN)
    words = [
        _word(read, place, _activity(read, place, steps, step) if columns is None else None, _when(place, step))
        | steps.carried(place)
        for place in range(len(rows))
    ]
    if columns is not None:
        slots, height = _lines(columns, width, height + _BLOCKS)
        words += [_word(slots, place, _activity(slots, place, steps, step), "word") for place in range(len(columns))]
    parts = [element("g", word.pop("inside"), **word) for word in words]
    return drawing(
        "reading smooth" if len(parts) <= _SMOOTH else "reading", *parts, width=width, height=height, label=label
    )


def _lines(tokens: Sequence[str], width: float, top: float) -> tuple[Boxes, float]:
    """Words in their boxes from a height on, and where they end."""
    words, spots = boxed(tokens, width)
    tops = [top + line * _PITCH for line in range(lines(spots))]
    return Boxes(words, spots, tops), top + lines(spots) * _PITCH


def _when(place: int, step: int) -> str:
    return "word now" if place == step else "word ahead" if place > step else "word"


def _word(text: Boxes, place: int, activity: tuple[str, str] | None, kind: str) -> dict[str, str]:
    """A word's parts and its attributes; it is a slot too if it has an activity."""
    spot, top = text.spots[place], text.top(place)
    ground = element("rect", x=spot.left, y=top, width=spot.width, height=TALL, rx=4, class_="ground")
    heat, level = activity or ("", "")
    slot = {} if activity is None else {"data_c": str(place)}
    return {"inside": ground + heat + lettered(text.words[place], spot.middle, top) + level, "class_": kind} | slot


def _activity(text: Boxes, place: int, steps: Steps, step: int) -> tuple[str, str]:
    """How much a slot is looked at, and below it how much stands in it."""
    spot, top = text.spots[place], text.top(place)
    looked = shade(sqrt(steps.looks[step, place] / 100))
    heat = element("rect", x=spot.left, y=top, width=spot.width, height=TALL, rx=4, class_="heat", fill_opacity=looked)
    level = _BAR * steps.holds[step, place] / 100
    return heat, element("rect", x=spot.left + 2, y=top + TALL + 3, width=spot.width - 4, height=level, class_="level")


def _pairs(values: Int[np.ndarray, " S"], where: np.ndarray) -> str:
    """Those asked for, as "place:value place:value"."""
    return " ".join(f"{place}:{values[place]}" for place in np.flatnonzero(where).tolist())
