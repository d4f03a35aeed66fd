"""What was put together in a memory's slots, step by step: the brackets of Munkhdalai and Yu (2017, appendix A).

A neural semantic encoder composes each word with what it read, and writes that back to where it read it. Each slot
begins with its own word, `dog`; `(red dog)` stands there once `red` has read it, and `(saw (red dog))` after `saw`.
Every word reads and writes all slots a little: the brackets follow the one that it read most, and say how much. In a
memory that another text has left, slots begin with that text's words, without what it put together itself.
"""

from __future__ import annotations

from dataclasses import dataclass

from readhead.explain.associations import associations
from readhead.explain.record import Explanation, sides


@dataclass(frozen=True, slots=True)
class Composition:
    """One step.

    row: the place of the word that was read. word: that word.
    slot: the place of the slot that it was composed with. weight: how much of what it read came from there, 0 to 1.
    text: what then stands in the slot, `(word what-was-there)`.
    """

    row: int
    word: str
    slot: int
    weight: float
    text: str


def compositions(explanation: Explanation, name: str) -> list[Composition]:
    """The steps in the order of reading; a word that read nothing but its own slot composes nothing.

    name: of an attention to a memory that is rewritten; its columns are the slots.
    """
    rows, columns = (explanation.texts[side].tokens for side in sides(name))
    slots, steps = list(columns), []
    for link in associations(explanation, name):
        slots[link.column] = f"({rows[link.row]} {slots[link.column]})"
        steps.append(Composition(link.row, rows[link.row], link.column, link.weight, slots[link.column]))
    return steps


def rewritten(explanation: Explanation, name: str) -> bool:
    """Whether what stands in a slot of a memory changes again after it was written: a tape's never does.

    name: of an attention, whether it reads a memory or not.
    """
    memory = explanation.memory.get(name)
    return memory is not None and bool(((memory[:-1] > 0) & (memory[1:] != memory[:-1])).any())
