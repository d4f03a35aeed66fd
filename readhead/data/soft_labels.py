"""What a teacher says of a text: a probability for every label, in columns called `p_LABEL`."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

from readhead.data.problem import Problem
from readhead.data.records import Record

PREFIX = "p_"
SLACK = 0.02
"""How far a row's probabilities may be from 1 together, since people write them rounded; they are divided by it."""


def soft_columns(header: Iterable[str]) -> dict[str, str] | Problem:
    """By label, the column of its probability; a problem where there are not at least two."""
    columns = {name.removeprefix(PREFIX): name for name in header if name.startswith(PREFIX) and name != PREFIX}
    if len(columns) < 2:
        found = ", ".join(f"'{name}'" for name in header)
        return Problem("column", f"expected at least two columns '{PREFIX}LABEL' for soft labels; found {found}", 1)
    return columns


def soft_label(record: Record, columns: Mapping[str, str]) -> dict[str, float] | Problem:
    """A row's probability by label, together 1."""
    said: dict[str, float] = {}
    for label, column in columns.items():
        number = _number(record.values.get(column))
        if not 0 <= number <= 1:
            found = record.values.get(column)
            return Problem(
                "probability", f"'{column}' is {found!r}; expected a number from 0 to 1", record.line, column
            )
        said[label] = number
    total = sum(said.values())
    if abs(total - 1) > SLACK:
        message = f"the probabilities {', '.join(columns.values())} add up to {total:.4g}; expected 1"
        return Problem("probabilities", message, record.line)
    return {label: number / total for label, number in said.items()}


def likeliest(said: Mapping[str, float]) -> str:
    """The label with the greatest probability; of equal ones the first."""
    return max(said, key=lambda label: said[label])


def _number(written: object) -> float:
    """NaN where it is no number."""
    if isinstance(written, str | int | float) and not isinstance(written, bool):
        try:
            return float(written)
        except ValueError:
            return math.nan
    return math.nan
