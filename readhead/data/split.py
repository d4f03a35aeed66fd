"""Setting a part of the data aside: seeded, stratified by label, whole groups at a time."""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence


def hold_out(labels: Sequence[str], groups: Sequence[str], *, fraction: float, seed: int) -> frozenset[int]:
    """Chooses the positions to set aside.

    Groups are visited in an order that hangs on the seed and their names alone, and one is set aside if
    that brings the counts by label nearer (in squares) to `fraction` of the whole, and to at least 1. A
    group that holds the last examples of a label stays, so that all that is asked can also be learnt.

    labels: [N], by example.
    groups: [N], by example: those of one group (one premise, one text) are never parted.
    fraction: of the examples, between 0 and 1.

    Returns the positions set aside; none where no group can be spared.
    """
    members: dict[str, list[int]] = defaultdict(list)
    for position, group in enumerate(groups):
        members[group].append(position)
    total = Counter(labels)
    target = {label: max(1.0, fraction * count) for label, count in total.items()}
    taken: Counter[str] = Counter()
    chosen: list[int] = []
    for group in sorted(members, key=lambda group: _shuffled(group, seed)):
        gain = Counter(labels[position] for position in members[group])
        if _nearer(taken, gain, target) and all(taken[label] + gain[label] < total[label] for label in gain):
            taken += gain
            chosen += members[group]
    return frozenset(chosen)


def hold_out_questions(
    right: Sequence[bool], questions: Sequence[str], *, fraction: float, seed: int
) -> frozenset[int]:
    """Chooses the questions to set aside, with all their candidates: those with a right one and those without alike.

    right: [N], whether a candidate answers its question.
    questions: [N], by candidate.
    fraction, seed: as for `hold_out`; the fraction is of the questions.

    Returns the positions set aside; none where no question can be spared.
    """
    answered: dict[str, bool] = {}
    for question, answers in zip(questions, right, strict=True):
        answered[question] = answers or answered.get(question, False)
    names = list(answered)
    chosen = hold_out([str(answered[name]) for name in names], names, fraction=fraction, seed=seed)
    held = {names[place] for place in chosen}
    return frozenset(position for position, question in enumerate(questions) if question in held)


def _shuffled(group: str, seed: int) -> bytes:
    return hashlib.sha256(f"{seed}\0{group}".encode()).digest()


def _nearer(taken: Counter[str], gain: Counter[str], target: Mapping[str, float]) -> bool:
    # (taken + gain - target)^2 < (taken - target)^2, summed over labels
    return sum(n * (n + 2 * (taken[label] - target[label])) for label, n in gain.items()) < 0
