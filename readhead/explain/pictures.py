"""Which pictures an explanation has, in the order they are shown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from readhead.explain.answer_pictures import answer, attribution
from readhead.explain.attention_pictures import alignment, arcs, composed
from readhead.explain.compositions import compositions, rewritten
from readhead.explain.memory_pictures import reading, states
from readhead.explain.picture import Picture
from readhead.explain.record import Explanation, sides


def pictures(explanation: Explanation) -> list[Picture]:
    """All pictures of an explanation: its answer, its attribution, then each attention with its memory."""
    found = [answer(explanation)]
    if explanation.attributed is not None:
        found.append(attribution(explanation))
    for name in explanation.attention:
        found += _attention(explanation, name)
    return list(_apart(found))


def _attention(explanation: Explanation, name: str) -> Iterator[Picture]:
    row_name, column_name = sides(name)
    if not all(explanation.texts[side].tokens for side in (row_name, column_name)):
        return
    steps = compositions(explanation, name) if rewritten(explanation, name) else []
    if row_name != column_name:
        yield alignment(explanation, name)
    elif steps:
        yield composed(explanation, name)
    else:
        yield arcs(explanation, name)
    if steps:
        yield states(explanation, name, steps)
    if name in explanation.memory:
        yield reading(explanation, name, steps)


def _apart(found: Sequence[Picture]) -> Iterator[Picture]:
    """The same with names that are all different: two texts' names may have the same letters a to z."""
    taken: set[str] = set()
    for picture in found:
        names = (picture.name, *(f"{picture.name}-{place}" for place in range(2, len(found) + 2)))
        name = next(name for name in names if name not in taken)
        taken.add(name)
        yield replace(picture, name=name)
