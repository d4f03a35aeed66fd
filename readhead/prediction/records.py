"""JSON lines in, JSON lines out: the records that predict answers, and the errors that stand in for bad ones."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from readhead.data.records import json_word

# How a file that is read with `errors="surrogateescape"` shows a byte that is no UTF-8.
_UNDECODED = re.compile("[\udc80-\udcff]")


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
    """One JSON line checked: an object with a string for every field.

    line: decoded with `errors="surrogateescape"`.
    """
    if undecoded := _UNDECODED.search(line):
        return Asked(number, None, f"not UTF-8: byte 0x{ord(undecoded[0]) - 0xDC00:02x}")
    try:
        value = json.loads(line)
    except (ValueError, RecursionError) as error:  # a number of over 4,300 digits is a plain ValueError
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
            return f'the field "{field}" must be a string, not {json_word(value[field])}'
    return ""


def read_lines(lines: Iterable[str], fields: Sequence[str]) -> Iterator[Asked]:
    """Every line that is not blank, checked, in order."""
    for number, line in enumerate(lines, start=1):
        if line.strip():
            yield parse(line, number, fields)


def error_record(asked: Asked) -> dict[str, Any]:
    """What stands in the answers where a line is bad."""
    return {"error": asked.error, "line": asked.line}
