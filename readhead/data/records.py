"""JSONL, CSV, TSV and plain text as streams of records that know their line; a `Problem` is one that is wrong.

All are UTF-8 (a byte-order mark and CRLF are accepted). JSONL: one object a line. CSV: a header line,
commas, quotes as in RFC 4180; semicolons, as spreadsheets write in half of Europe, where the header has those and no
comma. TSV: a header line, and quotes are plain characters, so a field holds no tab
and no line break. Blank lines at the end of a file count for nothing; elsewhere they are a problem: a row
may be missing there. Plain text: a text a line, which is all its record holds; blank lines part texts and count
for nothing. Parquet has no lines: its rows are counted, from 1.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path
from typing import BinaryIO

from readhead.counted import counted
from readhead.data.problem import Problem
from readhead.errors import InputError

BLANK = "blank line"
ROWS_AT_ONCE = 1024  # of a Parquet file, whose row groups may be larger than memory
_TO_DO = {
    ".gz": "unpack it first",
    ".zip": "unpack it first",
    ".xz": "unpack it first",
    ".xlsx": "in the spreadsheet, save the sheet as 'CSV UTF-8'",
    ".xls": "in the spreadsheet, save the sheet as 'CSV UTF-8'",
    ".ods": "in the spreadsheet, save the sheet as CSV, in UTF-8",
    ".json": "JSONL holds one object a line",
}
"""What helps with a file that is read in no form of its own."""
_ADVICE = "save the file as UTF-8 (in a spreadsheet: 'CSV UTF-8')"


@dataclass(frozen=True, slots=True)
class Record:
    """One row or one JSON object.

    line: where it starts, counted from 1.
    values: by column name or key.
    """

    line: int
    values: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class _Line:
    number: int
    text: str


@dataclass(frozen=True, slots=True)
class _Row:
    line: int
    cells: Sequence[str]


Parse = Callable[[BinaryIO], Iterator[Record | Problem]]


def read_records(path: Path) -> Iterator[Record | Problem]:
    """Streams a file by its ending, which is one of `FORMATS`.

    Raises:
        InputError: the file cannot be opened, or its ending is another one.
    """
    suffix = path.suffix.lower()
    if suffix not in FORMATS and not path.is_dir():
        advice = f"; {_TO_DO[suffix]}" if suffix in _TO_DO else ""
        raise InputError(f"unknown ending '{path.suffix}'; expected {', '.join(FORMATS)}{advice}", file=path)
    return read_as(FORMATS.get(suffix, read_text), path)


def read_as(parse: Parse, path: Path) -> Iterator[Record | Problem]:
    """Streams a file as one format, whatever it is called; one without any record is a problem.

    parse: `read_jsonl`, `read_csv`, `read_tsv`, `read_text` or `read_parquet`.

    Raises:
        InputError: the file cannot be opened.
    """
    empty = True
    with _open(path) as stream:
        for record in parse(stream):
            empty = False
            yield record
    if empty:
        yield Problem("empty file", "nothing to read here; expected at least one row of data")


def read_jsonl(stream: BinaryIO) -> Iterator[Record | Problem]:
    """One object a line; a line that is none comes as a `Problem` and the next is read all the same."""
    return _without_trailing_blanks(
        line if isinstance(line, Problem) else _parse_object(line) for line in _lines(stream)
    )


def read_csv(stream: BinaryIO) -> Iterator[Record | Problem]:
    """Comma-separated rows below a header; a record's line is the one it starts on, however many it spans."""
    lines = _lines(stream)
    header = list(islice(lines, 1))
    semicolons = any(isinstance(line, _Line) and ";" in line.text and "," not in line.text for line in header)
    rows = _csv_rows(chain(header, lines), ";" if semicolons else ",")
    return _below_header(rows, separator="semicolon" if semicolons else "comma", optional=0)


def read_tsv(stream: BinaryIO, *, optional: int = 0) -> Iterator[Record | Problem]:
    """Tab-separated rows below a header.

    optional: how many of the last columns a row may leave out.
    """
    return _below_header(_tsv_rows(_lines(stream)), separator="tab", optional=optional)


def read_text(stream: BinaryIO) -> Iterator[Record | Problem]:
    """A text a line, under the name `text`, without white space around it."""
    for line in _lines(stream):
        if isinstance(line, Problem):
            yield line
        elif text := line.text.strip():
            yield Record(line.number, {"text": text})


def read_parquet(stream: BinaryIO) -> Iterator[Record | Problem]:
    """Rows, counted from 1; pyarrow is imported only here. Raises: InputError where it is not installed."""
    try:
        from pyarrow import ArrowException
        from pyarrow.parquet import ParquetFile
    except ImportError:
        raise InputError("Parquet needs pyarrow: pip install 'readhead[parquet]'", file=stream.name) from None
    row = 0
    try:
        for batch in ParquetFile(stream).iter_batches(batch_size=ROWS_AT_ONCE):
            for values in batch.to_pylist():
                row += 1
                yield Record(row, values)
    except (ArrowException, OSError) as error:
        reason = str(error).splitlines()[0].rstrip(".")
        yield Problem("broken Parquet", f"this is no whole Parquet file: {reason}", line=row + 1 if row else None)


FORMATS: Mapping[str, Parse] = {
    ".csv": read_csv,
    ".tsv": read_tsv,
    ".jsonl": read_jsonl,
    ".parquet": read_parquet,
    ".txt": read_text,
}


def _open(path: Path) -> BinaryIO:
    try:
        return path.open("rb")
    except FileNotFoundError:
        raise InputError("no such file", file=path) from None
    except IsADirectoryError:
        raise InputError("this is a directory; expected a file", file=path) from None
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", file=path) from None


def _lines(stream: BinaryIO) -> Iterator[_Line | Problem]:
    # Bytes are split here, since text mode also breaks lines at a lone carriage return.
    start = 0
    for number, raw in enumerate(stream, start=1):
        if number == 1 and raw.startswith((b"\xff\xfe", b"\xfe\xff")):
            yield Problem("encoding", f"the file is UTF-16, not UTF-8; {_ADVICE}", line=1)
            return
        yield _decode(raw, number, start)
        start += len(raw)


def _decode(raw: bytes, number: int, start: int) -> _Line | Problem:
    try:
        text = raw.decode("utf-8-sig" if number == 1 else "utf-8")
    except UnicodeDecodeError as error:
        byte, offset = raw[error.start], start + error.start
        message = f"byte 0x{byte:02x} at offset {offset:,} of the file is not UTF-8; {_ADVICE}"
        return Problem("encoding", message, line=number)
    if "\0" in text:
        message = f"a NUL byte at offset {start + raw.index(0):,} of the file; if it is UTF-16, {_ADVICE}"
        return Problem("encoding", message, line=number)
    return _Line(number, text)


def _blank(line: int) -> Problem:
    return Problem(BLANK, "blank line; expected a row of data", line=line)


def _without_trailing_blanks(records: Iterable[Record | Problem]) -> Iterator[Record | Problem]:
    held: list[Problem] = []
    for record in records:
        if isinstance(record, Problem) and record.kind == BLANK:
            held.append(record)
            continue
        yield from held
        held.clear()
        yield record


def _parse_object(line: _Line) -> Record | Problem:
    if not line.text.strip():
        return _blank(line.number)
    try:
        value = json.loads(line.text.rstrip("\r\n"))
        if "\\ud" in line.text or "\\uD" in line.text:  # half a surrogate pair parses, but can never be written again
            json.dumps(value, ensure_ascii=False).encode()
    except (ValueError, RecursionError) as error:
        message = f"broken JSON ({_json_reason(error)}); expected one object a line"
        return Problem("broken JSON", message, line=line.number)
    if not isinstance(value, dict):
        message = f'this is {json_word(value)}, not an object; expected {{"name": value, ...}} on every line'
        return Problem("not an object", message, line=line.number)
    return Record(line.number, value)


def _json_reason(error: Exception) -> str:
    if isinstance(error, json.JSONDecodeError):
        return f"{error.msg} at column {error.colno}"
    if isinstance(error, UnicodeEncodeError):
        return "half of a surrogate pair stands alone"
    return str(error)


def json_word(value: object) -> str:
    """What a parsed JSON value is called in a message: "a number", "null", ..."""
    words = {str: "a string", bool: "true or false", int: "a number", float: "a number", list: "a list"}
    return "null" if value is None else words.get(type(value), "an object")


def _csv_rows(lines: Iterable[_Line | Problem], delimiter: str) -> Iterator[_Row | Problem]:
    undecoded: list[Problem] = []

    def texts() -> Iterator[str]:
        for line in lines:
            if isinstance(line, Problem):
                undecoded.append(line)
            yield "\n" if isinstance(line, Problem) else line.text

    reader = csv.reader(texts(), strict=True, delimiter=delimiter)

    def next_row() -> _Row | Problem | None:
        start = reader.line_num + 1
        try:
            cells = next(reader, None)
        except csv.Error as error:
            return Problem("broken CSV", _csv_message(error, start, reader.line_num), line=start)
        return None if cells is None else _Row(start, cells) if cells else _blank(start)

    while (row := next_row()) is not None:
        if undecoded:  # a line that is not UTF-8 stands for the whole row that it is part of
            yield from undecoded
            undecoded.clear()
        else:
            yield row


def _csv_message(error: csv.Error, first_line: int, last_line: int) -> str:
    most = f"{csv.field_size_limit():,} characters"
    if "field limit" in str(error) and first_line == last_line:
        return f"a field is longer than {most}; expected shorter texts, or JSONL, where they may be as long"
    if "field limit" in str(error):
        told = f"a quoted field is still open at line {last_line}, after {most}"
        return f"{told}; expected its closing quote, or JSONL for texts that are as long"
    if "end of data" in str(error):
        return f"a quoted field is still open at line {last_line}; expected its closing quote"
    if "new-line character" in str(error):
        told = "broken CSV: a carriage return stands alone, outside quotes"
        return f"{told}; expected commas between fields, and lines that end in a line feed (LF or CRLF)"
    return f"broken CSV ({error}); expected commas between fields and double quotes around those that hold one"


def _tsv_rows(lines: Iterable[_Line | Problem]) -> Iterator[_Row | Problem]:
    for line in lines:
        if isinstance(line, Problem):
            yield line
            continue
        text = line.text.removesuffix("\n").removesuffix("\r")
        yield _Row(line.number, text.split("\t")) if text else _blank(line.number)


def _below_header(rows: Iterator[_Row | Problem], *, separator: str, optional: int) -> Iterator[Record | Problem]:
    header = next(rows, None)
    if header is None:
        return
    if isinstance(header, Problem):
        expected = "blank line; expected a header with the columns' names"
        yield Problem("header", expected, line=header.line) if header.kind == BLANK else header
        return
    names = [name.strip() for name in header.cells]
    twice = next((name for name in names if name and names.count(name) > 1), None)
    if twice is not None:
        message = f"two columns are called '{twice}'; expected every name once"
        yield Problem("header", message, line=header.line, column=twice)
        return
    records = (
        row if isinstance(row, Problem) else _record(row, names, separator=separator, optional=optional) for row in rows
    )
    first = next(checked := _without_trailing_blanks(records), None)
    if first is None:
        yield Problem("no rows", "only a header; expected rows of data below it", line=header.line)
        return
    yield first
    yield from checked


def _record(row: _Row, names: Sequence[str], *, separator: str, optional: int) -> Record | Problem:
    if not len(names) - optional <= len(row.cells) <= len(names):
        told = f"{counted(len(row.cells), 'field')} where the header has {len(names)}"
        message = f"{told}; expected one {separator} between fields"
        return Problem("field count", message, line=row.line)
    return Record(row.line, dict(zip(names, row.cells, strict=False)))
