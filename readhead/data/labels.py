"""The order of labels that a corpus does not fix."""

from __future__ import annotations

import re
from collections.abc import Iterable

_NUMBER = re.compile(r"[+-]?\d+(\.\d+)?")


def are_numbers(labels: Iterable[str]) -> bool:
    """Whether every label is a number, so that its value tells where it stands."""
    return all(_NUMBER.fullmatch(label) for label in labels)


def sort_labels(labels: Iterable[str]) -> tuple[str, ...]:
    """Every label once: numbers first, by value ("2" before "10"), then the others by name."""

    def key(label: str) -> tuple[bool, float, str]:
        return (False, float(label), label) if _NUMBER.fullmatch(label) else (True, 0.0, label)

    return tuple(sorted(set(labels), key=key))
