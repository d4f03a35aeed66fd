"""A user's own questions: their candidates row by row or in lists, each with its question's id."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from readhead.counted import counted
from readhead.data.example import Example
from readhead.data.problem import Problem
from readhead.data.records import Record, json_word

CANDIDATES, LABELS = "candidates", "labels"
"""What a question with all its candidates in one record is written with."""

WRONG, RIGHT = "0", "1"
"""The labels of candidates."""

RELEVANCE: Mapping[str, str] = {WRONG: WRONG, RIGHT: RIGHT, "false": WRONG, "true": RIGHT}
"""How right and wrong are written."""


def one_each(records: Iterable[Record | Problem]) -> Iterator[Record | Problem]:
    """Records with one candidate each, as `candidate`, `label` and `candidate_id`; those that have one stay as is."""
    for record in records:
        if isinstance(record, Problem) or CANDIDATES not in record.values:
            yield record
        elif problem := _what_is_wrong(record):
            yield problem
        else:
            yield from _unlisted(record)


def _what_is_wrong(record: Record) -> Problem | None:
    lists = {}
    for name in (CANDIDATES, LABELS):
        value = record.values.get(name)
        if not isinstance(value, list):
            found = f"'{name}' is {json_word(value)}" if name in record.values else f"no '{name}'"
            return Problem("list", f"{found}; expected a list, one entry for each candidate", record.line, name)
        lists[name] = len(value)
    if lists[CANDIDATES] != lists[LABELS]:
        told = f"{counted(lists[CANDIDATES], 'candidate')} with {counted(lists[LABELS], 'label')}"
        message = f"{told}; expected a label for each candidate"
        return Problem("list", message, record.line, LABELS)
    if not lists[CANDIDATES]:
        return Problem("list", "an empty list of candidates; expected at least one", record.line, CANDIDATES)
    return None


def _unlisted(record: Record) -> Iterator[Record]:
    candidates, labels = (record.values[name] for name in (CANDIDATES, LABELS))
    assert isinstance(candidates, list) and isinstance(labels, list)
    rest = {name: value for name, value in record.values.items() if name not in (CANDIDATES, LABELS)}
    for place, (candidate, label) in enumerate(zip(candidates, labels, strict=True)):
        name = f"{record.line:09d}.{place:06d}"
        yield Record(record.line, {**rest, "candidate": candidate, "label": label, "candidate_id": name})


class Questions:
    """The questions of a file as its rows come: each row is given its question's id and its own."""

    def __init__(self) -> None:
        self._texts: dict[str, int] = {}  # hashes, since a file may have many

    def place(self, row: Example, line: int, *, group: str | None, name: str | None) -> Example | Problem:
        """A row with its question.

        row: with texts `question` and `candidate`.
        line: of the file.
        group: what stands in the column of question ids; None if there is none, and the question's text is its id.
        name: what stands in the column of candidate ids; None if there is none, and the line is its id.
        """
        question = str(row.texts["question"])
        if not question.strip():
            return Problem("empty question", "no question; candidates without one can't be ranked", line, "question")
        if row.label is None or row.label not in RELEVANCE:
            return Problem("label", f"the label is '{row.label}'; expected 1 for right or 0 for wrong", line)
        known = question if group is None else group
        if not known:
            return Problem("question id", "no question id; expected one in every row, or no such column", line)
        if self._texts.setdefault(known, hash(question)) != hash(question):
            return Problem("question id", f"the question id '{known}' had another question before", line)
        return replace(row, label=RELEVANCE[row.label], group=known, id=f"{line:09d}" if name is None else name)
