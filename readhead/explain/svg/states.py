"""What stands in a memory, step by step: Munkhdalai and Yu 2017 (arXiv:1607.04315v3), appendix A."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from readhead.explain.compositions import Composition
from readhead.explain.svg.boxes import PAD, TALL, baseline
from readhead.explain.svg.canvas import drawing, element, shade
from readhead.explain.svg.lettering import cut, printed, text, width_of

MOST_STEPS = 60  # that are drawn
_STEP = 30.0  # width of a step's number, in pixels like all here
_ROW = TALL + 4
_HEAD = 24.0  # height of what stands above the columns
_APART = 12.0


@dataclass(frozen=True, slots=True)
class _Table:
    """Where its columns begin, and where the last one ends."""

    word: float
    slot: float
    holds: float
    end: float

    def head(self) -> str:
        """What the columns are."""
        places = {"step": 0.0, "input": self.word, "slot": self.slot + PAD, "now holds": self.holds}
        return "".join(text(name, x=x, y=14, class_="small faint") for name, x in places.items())

    def row(self, step: Composition, slot: str, top: float) -> str:
        """A step."""
        base = baseline(top)
        ground = element(
            "rect",
            x=self.slot,
            y=top,
            width=width_of(slot) + 2 * PAD,
            height=TALL,
            rx=4,
            class_="cell",
            fill_opacity=shade(step.weight),
        )
        return (
            text(str(step.row + 1), x=0, y=base, class_="faint")
            + text(printed(step.word), x=self.word, y=base, class_="current")
            + ground
            + text(slot, x=self.slot + PAD, y=base)
            + text(cut(step.text, self.end - self.holds), x=self.holds, y=base)
        )


def states(columns: Sequence[str], steps: Sequence[Composition], *, width: float, label: str) -> str:
    """A line for each step: the word that is read, the slot that it was composed with, and what then stands there.

    columns: tokens, each the slot's first content.
    steps: at most `MOST_STEPS` of them are drawn.
    width: beyond which brackets are cut.
    """
    drawn = steps[:MOST_STEPS]
    slots = [printed(columns[step.slot]) for step in drawn]
    slot = _STEP + _widest(["input", *(printed(step.word) for step in drawn)])
    table = _Table(_STEP, slot, slot + _widest(["slot", *slots]) + 2 * PAD, width)
    rows = [
        table.row(step, name, _HEAD + place * _ROW) for place, (step, name) in enumerate(zip(drawn, slots, strict=True))
    ]
    return drawing("states", table.head(), *rows, width=width, height=_HEAD + len(rows) * _ROW, label=label)


def _widest(words: Sequence[str]) -> float:
    return max(map(width_of, words)) + _APART
