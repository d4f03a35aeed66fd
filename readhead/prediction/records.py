"""JSON lines in, JSON lines out: the records that predict answers, and the errors that stand in for bad ones."""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from io import BufferedIOBase
from typing import Any

from readhead.data.records import json_word

CHUNK = 65_536  # bytes, which is what a pipe holds; of one-line records some hundreds

# How a line that is decoded with `errors="surrogateescape"` shows a byte that is no UTF-8.
_UNDECODED = re.compile("[\udc80-\udcff]")


@dataclass(frozen=True, slots=True)
class Asked:
    """One line of input.

    line: its number, from 1.
    texts: by field name; None if the line is bad.
    error: why it is bad; empty if it is not.
    asked: what else the object holds, by name; who answers looks at what he knows.
    """

    line: int
    texts: Mapping[str, str] | None
    error: str = ""
    asked: Mapping[str, Any] = field(default_factory=dict)


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
    if wrong := what_is_wrong(value, fields):
        return Asked(number, None, wrong)
    texts = {field: value.pop(field) for field in fields}
    return Asked(number, texts, asked=value)


def what_is_wrong(value: Any, fields: Sequence[str]) -> str:
    """Why a record can't be answered, in one sentence; empty if it can."""
    expected = "expected an object with " + ", ".join(f'"{field}"' for field in fields)
    if not isinstance(value, dict):
        return expected
    for name in fields:
        if name not in value:
            return f'the field "{name}" is missing; {expected}'
        if not isinstance(value[name], str):
            return f'the field "{name}" must be a string, not {json_word(value[name])}'
    return ""


def line_chunks(stream: BufferedIOBase) -> Iterator[list[bytes]]:
    """A stream's lines as they come: each list holds the whole lines that were there when it was asked for.

    So a line typed at a terminal stands alone, and of a file there are always `CHUNK` bytes. Nobody waits for lines
    that have not been written.

    Returns lines without their line feed; at most one read's worth at once, and a longer line alone.
    """
    begun: list[bytes] = []  # a line whose end has not come yet, in pieces
    while data := stream.read1(CHUNK):
        *whole, rest = data.split(b"\n")
        if whole:
            whole[0] = b"".join((*begun, whole[0]))
            begun.clear()
            yield whole
        begun.append(rest)
    if last := b"".join(begun):
        yield [last]


def read_lines(chunks: Iterable[Sequence[bytes]], fields: Sequence[str]) -> Iterator[list[Asked]]:
    """Every line that is not blank, checked, in order and in its chunk; a byte-order mark is let pass."""
    number = 0
    for chunk in chunks:
        asked = []
        for raw in chunk:
            number += 1
            line = (raw.removeprefix(codecs.BOM_UTF8) if number == 1 else raw).decode(errors="surrogateescape")
            if line.strip():
                asked.append(parse(line, number, fields))
        yield asked


def error_record(asked: Asked) -> dict[str, Any]:
    """What stands in the answers where a line is bad."""
    return {"error": asked.error, "line": asked.line}
