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
class Form:
    """What a record must hold.

    fields: names of the texts that are read together.
    several: the one of them that there is a list of, under its plural (`candidates`), each of which is read with the
        others; None where a record holds one of each.
    """

    fields: Sequence[str]
    several: str | None = None

    @property
    def names(self) -> list[str]:
        """The keys that hold texts."""
        return [self.key(field) for field in self.fields]

    def key(self, field: str) -> str:
        """Where a field's text or texts stand."""
        return f"{field}s" if field == self.several else field

    def readings(self, record: Mapping[str, Any]) -> list[dict[str, Any]]:
        """The texts of a good record, by field name: one set of them, or one for each text in its list."""
        if self.several is None:
            return [{field: record[field] for field in self.fields}]
        shared = {field: record[field] for field in self.fields if field != self.several}
        return [{**shared, self.several: text} for text in record[self.key(self.several)]]


@dataclass(frozen=True, slots=True)
class Asked:
    """One line of input.

    line: its number, from 1.
    texts: what is to be read, by field name: one set of texts, or as many as the record lists; None if the line is bad.
    error: why it is bad; empty if it is not.
    asked: what else the object holds, by name; who answers looks at what he knows.
    """

    line: int
    texts: Sequence[Mapping[str, str]] | None
    error: str = ""
    asked: Mapping[str, Any] = field(default_factory=dict)


def parse(line: str, number: int, form: Form) -> Asked:
    """One JSON line checked: an object with a string for every field, or a list of strings where there are several.

    line: decoded with `errors="surrogateescape"`.
    """
    if undecoded := _UNDECODED.search(line):
        return Asked(number, None, f"not UTF-8: byte 0x{ord(undecoded[0]) - 0xDC00:02x}")
    try:
        value = json.loads(line)
    except (ValueError, RecursionError) as error:  # a number of over 4,300 digits is a plain ValueError
        return Asked(number, None, f"not valid JSON: {error}")
    if wrong := what_is_wrong(value, form):
        return Asked(number, None, wrong)
    return Asked(number, form.readings(value), asked={k: v for k, v in value.items() if k not in form.names})


def what_is_wrong(value: Any, form: Form) -> str:
    """Why a record can't be answered, in one sentence; empty if it can."""
    expected = "expected an object with " + ", ".join(f'"{name}"' for name in form.names)
    if not isinstance(value, dict):
        return expected
    for one in form.fields:
        name = form.key(one)
        if name not in value:
            return f'the field "{name}" is missing; {expected}'
        if wrong := _not_listed(value[name]) if one == form.several else _no_string(value[name]):
            return f'the field "{name}" must be {wrong}'
    return ""


def _no_string(value: Any) -> str:
    return "" if isinstance(value, str) else f"a string, not {json_word(value)}"


def _not_listed(value: Any) -> str:
    if not isinstance(value, list):
        return f"a list of strings, not {json_word(value)}"
    wrong = next((place for place, text in enumerate(value) if not isinstance(text, str)), None)
    return "" if wrong is None else f"a list of strings, but its entry {wrong + 1} is {json_word(value[wrong])}"


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


def read_lines(chunks: Iterable[Sequence[bytes]], form: Form) -> Iterator[list[Asked]]:
    """Every line that is not blank, checked, in order and in its chunk; a byte-order mark is let pass."""
    number = 0
    for chunk in chunks:
        asked = []
        for raw in chunk:
            number += 1
            line = (raw.removeprefix(codecs.BOM_UTF8) if number == 1 else raw).decode(errors="surrogateescape")
            if line.strip():
                asked.append(parse(line, number, form))
        yield asked


def error_record(asked: Asked) -> dict[str, Any]:
    """What stands in the answers where a line is bad."""
    return {"error": asked.error, "line": asked.line}
