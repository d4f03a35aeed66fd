"""Pictures of a memory: what was put together in it, and the reading that did so, step by step."""

from __future__ import annotations

from collections.abc import Sequence

from readhead.explain.attention_pictures import looks
from readhead.explain.compositions import Composition
from readhead.explain.links import by_row, strongest, written
from readhead.explain.picture import Numbers, Picture, Slot, arrowed, in_table, slug
from readhead.explain.record import Explanation, sides
from readhead.explain.svg.lettering import printed
from readhead.explain.svg.reading import Steps
from readhead.explain.svg.reading import reading as draw_reading
from readhead.explain.svg.states import MOST_STEPS
from readhead.explain.svg.states import states as draw_states


def states(explanation: Explanation, name: str, steps: Sequence[Composition]) -> Picture:
    """What the brackets of appendix A tell.

    steps: at least one.
    """
    columns = explanation.texts[sides(name)[1]].tokens
    few = f" Drawn are the first {MOST_STEPS} of {len(steps):,} steps." if len(steps) > MOST_STEPS else ""
    rows = [
        (
            str(step.row + 1),
            in_table(step.word),
            in_table(columns[step.slot]),
            written(step.weight),
            in_table(step.text),
        )
        for step in steps
    ]
    return Picture(
        f"states-{slug(name)}",
        f"{arrowed(name)}: what was put together in the memory",
        "Each word is put together with the slot that it read most and written back there; brackets tell in which "
        f"order.{few}",
        lambda width: draw_states(columns, steps, width=width, label=f"{len(steps)} steps"),
        Numbers(("step", "input", "slot", "weight", "now holds"), rows),
    )


def reading(explanation: Explanation, name: str, written_to: Sequence[Composition]) -> Picture:
    """The current word and the activity of the memory.

    written_to: the steps of a memory that is rewritten.
    """
    row_name, column_name = sides(name)
    rows, columns = (explanation.texts[side].tokens for side in (row_name, column_name))
    weights, memory = explanation.attention[name], explanation.memory[name]
    links = by_row(strongest(weights), len(rows))
    told = [
        f"{step} of {len(rows)}: {printed(word)} → {looks(own, columns)}"
        for step, (word, own) in enumerate(zip(rows, links, strict=True), start=1)
    ]
    steps, last = Steps.of(weights, memory, told), len(rows) - 1
    where = "each slot of the memory" if written_to else "each word before it"
    held = " Below stands what each slot was put together from." if written_to else ""
    return Picture(
        f"reading-{slug(name)}",
        f"{arrowed(name)}: reading, step by step",
        f"In the red frame is the word that is read, here the last one; the bluer, the more it looks at {where}. The "
        f"bar below tells how much the memory holds there: the norm of its state.{held}",
        lambda width: draw_reading(
            rows,
            None if row_name == column_name else columns,
            steps,
            step=last,
            width=width,
            label=f"The last step: {told[last]}",
        ),
        None,
        steps=len(rows),
        readout=told[last],
        slots=_slots(rows, columns, written_to) if written_to else (),
    )


def _slots(rows: Sequence[str], columns: Sequence[str], written_to: Sequence[Composition]) -> list[Slot]:
    found = []
    for place, column in enumerate(columns):
        writes = tuple(step.row for step in written_to if step.slot == place)
        holds = word = printed(column)
        for row in writes:
            holds = f"({printed(rows[row])} {holds})"
        found.append(Slot(word, writes, holds))
    return found
