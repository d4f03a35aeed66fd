"""What was put together in a memory, as lines of a terminal: a step a line, with its brackets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.cells import cell_len
from rich.text import Text

from readhead.explain.compositions import Composition
from readhead.explain.links import written
from readhead.explain.printable import brief, isolate, pad, shorten

_LONGEST_WORD = 14  # in cells, like every width here
_MARGIN = 2
_NARROWEST = 12  # that brackets are worth a column


def brackets(columns: Sequence[str], steps: Sequence[Composition], width: int) -> Iterator[Text]:
    """The step's number, the word that is read, the slot it is written to with its weight, and what then stands there.

    columns: tokens, each the slot's first content. steps: at least one.
    width: of the terminal.
    """
    longest = min(_LONGEST_WORD, max(4, width // 5))
    rows = [
        (str(step.row + 1), brief(step.word, longest), brief(columns[step.slot], longest), written(step.weight))
        for step in steps
    ]
    places = [max(map(cell_len, column)) for column in zip(("", "input", "slot", ""), *rows, strict=True)]
    left = width - _MARGIN - sum(places) - 2 * len(places)
    head = (" " * places[0], pad("input", places[1]), pad("slot", places[2]), " " * places[3], "now holds")
    yield Text(shorten(" " * _MARGIN + "  ".join(head), width), style="dim")
    for (number, *told), step in zip(rows, steps, strict=True):
        line = Text(f"{' ' * _MARGIN}{number:>{places[0]}}  {pad(told[0], places[1])}  ")
        line.append(f"{pad(told[1], places[2])}  {told[2]:<{places[3]}}", style="cyan")
        if left >= _NARROWEST:
            line.append(f"  {isolate(brief(step.text, left))}")
        yield line
        if left < _NARROWEST:
            yield Text(f"{' ' * 2 * _MARGIN}{isolate(brief(step.text, width - 2 * _MARGIN))}")
