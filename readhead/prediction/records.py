"""JSON lines in, JSON lines out: the records that predict answers, and the errors that stand in for bad ones."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Asked:
    """One line of input.

    line: its number, from 1.
    texts: by field name; None if the line is bad.
    error: why it is bad; empty if it is not.
    """

    line: int
    texts: Mapping[str, str] | None
    error: str = ""


def parse(line: str, number: int, fields: Sequence[str]) -> Asked:
    """One JSON line checked: an object with a string for every field."""
    try:
        value = json.loads(line)
    except (json.JSONDecodeError, RecursionError) as error:
        return Asked(number, None, f"not valid JSON: {error}")
    wrong = what_is_wrong(value, fields)
    return Asked(number, None, wrong) if wrong else Asked(number, {field: value[field] for field in fields})


def what_is_wrong(value: Any, fields: Sequence[str]) -> str:
    """Why a record can't be answered, in one sentence; empty if it can."""
    expected = "expected an object with " + ", ".join(f'"{field}"' for field in fields)
    if not isinstance(value, dict):
        return expected
    for field in fields:
        if field not in value:
            return f'the field "{field}" is missing; {expected}'
        if not isinstance(value[field], str):
            return f'the field "{field}" must be a string, not {json.dumps(value[field])[:40]}'
    return ""


def read_lines(lines: Iterable[str], fields: Sequence[str]) -> Iterator[Asked]:
    """Every line that is not blank, checked, in order."""
    for number, line in enumerate(lines, start=1):
        if line.strip():
            yield parse(line, number, fields)


def error_record(asked: Asked) -> dict[str, Any]:
    """What stands in the answers where a line is bad."""
    return {"error": asked.error, "line": asked.line}
