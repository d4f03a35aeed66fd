from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from readhead.data.problem import Problem
from readhead.data.records import Record, read_csv, read_jsonl, read_records, read_tsv
from readhead.errors import InputError


def csv(data: bytes) -> list[Record | Problem]:
    return list(read_csv(io.BytesIO(data)))


def jsonl(data: bytes) -> list[Record | Problem]:
    return list(read_jsonl(io.BytesIO(data)))


def tsv(data: bytes, optional: int = 0) -> list[Record | Problem]:
    return list(read_tsv(io.BytesIO(data), optional=optional))


def problem(record: Record | Problem) -> Problem:
    assert isinstance(record, Problem)
    return record


def test_a_csv_record_stands_on_the_line_where_it_starts() -> None:
    records = csv(b'text,label\n"one\ntwo\n\nthree",a\nfour,b\n')
    assert records == [
        Record(2, {"text": "one\ntwo\n\nthree", "label": "a"}),
        Record(6, {"text": "four", "label": "b"}),
    ]


@pytest.mark.parametrize("read", [csv, tsv])
def test_byte_order_mark_and_crlf_leave_no_trace(read) -> None:  # type: ignore[no-untyped-def]
    separator = "," if read is csv else "\t"
    data = f"\ufefftext{separator}label\r\nnaïve{separator}a\r\n".encode()
    assert read(data) == [Record(2, {"text": "naïve", "label": "a"})]


def test_semicolons_part_fields_below_a_header_that_has_no_comma() -> None:
    assert csv(b'text;label\n"x; y, z";a\n') == [Record(2, {"text": "x; y, z", "label": "a"})]
    assert csv(b"a;b,label\nx,y\n") == [Record(2, {"a;b": "x", "label": "y"})]
    assert "expected one semicolon between" in problem(csv(b"text;label\nx,a\n")[0]).message


def test_quotes_are_plain_characters_in_tsv() -> None:
    assert tsv(b'text\tlabel\n"so, "he" said\ta\n') == [Record(2, {"text": '"so, "he" said', "label": "a"})]


def test_a_lone_carriage_return_or_other_separator_breaks_no_line() -> None:
    record = Record(2, {"text": "a\rb\x0bc\u2028d\x85e", "label": "x"})
    assert tsv("text\tlabel\na\rb\x0bc\u2028d\x85e\tx\n".encode()) == [record]


def test_columns_that_may_be_left_out_are_absent() -> None:
    assert tsv(b"a\tb\tc\n1\n", optional=2) == [Record(2, {"a": "1"})]
    assert problem(tsv(b"a\tb\tc\n1\n", optional=1)[0]).line == 2


@pytest.mark.parametrize(
    ("data", "line", "kind", "words"),
    [
        (b"text,label\nx,a\ny\n", 3, "field count", "1 field where the header has 2"),
        (b"text,label\nx,a,b\n", 2, "field count", "3 fields where the header has 2"),
        (b"text,label\n\nx,a\n", 2, "blank line", "blank line"),
        (b"text,text\nx,a\n", 1, "header", "two columns are called 'text'"),
        (b"text,label\n", 1, "no rows", "only a header"),
        (b"\ntext,label\n", 1, "header", "expected a header"),
        (b'text,label\nx,a\n"never closed,b\nz,c\n', 3, "broken CSV", "still open"),
        (b'text,label\n"a"b,c\n', 2, "broken CSV", "expected commas"),
        (b"text,label\nx\ry,c\n", 2, "broken CSV", "a carriage return stands alone, outside quotes"),
        (b"text,label\n" + b"x" * 200_000 + b",a\n", 2, "broken CSV", "a field is longer than 131,072 characters"),
        (b'text,label\n"' + b"x\n" * 99_999 + b'",a\n', 2, "broken CSV", "still open at line 65538, after 131,072 ch"),
        ("text,label\nx,a\nn\u00e4h,b\n".encode("latin-1"), 3, "encoding", "byte 0xe4 at offset 16 "),
        ("text,label\n".encode("utf-16"), 1, "encoding", "UTF-16"),
        (b"text,label\nx\0y,a\n", 2, "encoding", "a NUL byte at offset 12 "),
    ],
)
def test_what_is_wrong_in_a_csv_is_told_with_its_line(data: bytes, line: int, kind: str, words: str) -> None:
    first = next(record for record in csv(data) if isinstance(record, Problem))
    assert (first.line, first.kind) == (line, kind)
    assert words in first.message
    assert "\n" not in first.message


def test_a_csv_is_read_on_after_a_problem() -> None:
    records = csv(b'text,label\ngood,a\n"bad"x,a\n\xff\xfe,a\nonly\ngood,b\n')
    assert [r.line if isinstance(r, Record) else r.kind for r in records] == [
        2,
        "broken CSV",
        "encoding",
        "field count",
        6,
    ]


def test_a_line_that_is_not_utf8_inside_quotes_spoils_its_row_alone() -> None:
    records = csv(b'text,label\n"one\n\xff\ntwo",a\ngood,b\n')
    assert [(type(r), r.line) for r in records] == [(Problem, 3), (Record, 5)]


@pytest.mark.parametrize(
    ("line", "kind", "words"),
    [
        (b'{"text": "a"', "broken JSON", "at column 13"),
        (b'["a"]', "not an object", "a list, not an object"),
        (b"null", "not an object", "null, not an object"),
        (b'{"text": "\\ud83d"}', "broken JSON", "surrogate"),
        (b'{"text": ' + b"[" * 100_000, "broken JSON", "recursion"),
        (b'{"text": ' + b"9" * 5_000 + b"}", "broken JSON", "digits"),
        (b'{"text": "\xe4"}', "encoding", "0xe4"),
        (b"   ", "blank line", "blank line"),
    ],
)
def test_a_bad_line_of_jsonl_is_told_and_the_next_is_read(line: bytes, kind: str, words: str) -> None:
    bad, good = jsonl(line + b'\n{"text": "b"}\n')
    assert (problem(bad).line, problem(bad).kind) == (1, kind)
    assert words in problem(bad).message
    assert good == Record(2, {"text": "b"})


def test_a_whole_surrogate_pair_is_fine() -> None:
    assert jsonl(b'{"text": "\\ud83d\\ude00"}') == [Record(1, {"text": "\U0001f600"})]


@pytest.mark.parametrize("ending", [b"", b"\n", b"\n\n \r\n"])
def test_blank_lines_at_the_end_count_for_nothing(ending: bytes) -> None:
    assert jsonl(b'{"a": 1}' + ending) == [Record(1, {"a": 1})]


def test_jsonl_streams() -> None:
    class Endless(io.RawIOBase):
        def readline(self, size: int | None = -1, /) -> bytes:
            return b'{"a": 1}\n'

    endless = read_jsonl(Endless())  # type: ignore[arg-type]
    assert [next(endless).line for _ in range(3)] == [1, 2, 3]


@given(st.lists(st.dictionaries(st.text(max_size=5), st.text() | st.integers() | st.none(), max_size=3), max_size=5))
def test_jsonl_gives_back_what_was_written(objects: list[dict[str, object]]) -> None:
    data = "".join(json.dumps(value) + "\n" for value in objects)
    assert [r.values for r in jsonl(data.encode()) if isinstance(r, Record)] == objects


@given(st.lists(st.binary(max_size=40), max_size=6))
def test_no_bytes_make_a_reader_crash(lines: list[bytes]) -> None:
    for read in (jsonl, csv, tsv):
        for record in read(b"\n".join(lines)):
            assert record.line is not None and record.line <= len(lines) + 1


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("missing.csv", "no such file"),
        ("folder.csv", "a directory"),
        ("notes.docx", "expected .csv, .tsv, .jsonl"),
    ],
)
def test_a_file_that_cannot_be_read_is_named(name: str, words: str, tmp_path: Path) -> None:
    (tmp_path / "folder.csv").mkdir()
    with pytest.raises(InputError, match=words) as caught:
        list(read_records(tmp_path / name))
    assert str(caught.value).startswith(str(tmp_path / name))


@pytest.mark.parametrize("name", ["empty.csv", "empty.tsv", "empty.jsonl"])
def test_an_empty_file_is_a_problem(name: str, tmp_path: Path) -> None:
    (tmp_path / name).touch()
    assert [problem(record).kind for record in read_records(tmp_path / name)] == ["empty file"]
