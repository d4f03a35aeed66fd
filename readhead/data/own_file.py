"""A user's own file as examples: which columns are meant, and what is wrong in which line."""

from __future__ import annotations

import difflib
import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path

from readhead.counted import counted
from readhead.data.example import Example
from readhead.data.problem import Problem
from readhead.data.questions import Questions, one_each
from readhead.data.records import Record, json_word, read_records
from readhead.data.soft_labels import likeliest, soft_columns, soft_label
from readhead.errors import InputError

TEXT = ("text",)
PAIR = ("premise", "hypothesis")
RANKED = ("question", "candidate")
TASK_FIELDS: Mapping[str, tuple[str, ...]] = {"classify": TEXT, "pair": PAIR, "rank": RANKED, "language-model": TEXT}
"""The texts of an example, by the name of the task."""

UNLABELLED = frozenset({"language-model"})
"""Those tasks whose texts are their own answer."""

LABEL, RELEVANCE = "label", "relevance"
QUESTION_ID, CANDIDATE_ID = "question id", "candidate id"
NO_AGREED_LABEL = "-"
"""The label of a pair without one, as in SNLI's files."""

SYNONYMS: Mapping[str, tuple[str, ...]] = {
    "text": ("text", "sentence", "review", "content", "body", "message", "comment", "document"),
    "premise": ("premise", "sentence1", "text1", "question1", "sentence_a", "text_a", "context"),
    "hypothesis": ("hypothesis", "sentence2", "text2", "question2", "sentence_b", "text_b", "claim"),
    "question": ("question", "query"),
    "candidate": ("candidate", "answer", "sentence", "passage", "document"),
    QUESTION_ID: ("question_id", "questionid", "qid", "query_id", "queryid"),
    CANDIDATE_ID: ("candidate_id", "candidateid", "sentence_id", "sentenceid", "answer_id", "passage_id"),
    RELEVANCE: ("label", "relevance", "relevant", "correct", "is_correct"),
    LABEL: ("label", "gold_label", "class", "category", "sentiment", "target", "is_duplicate", "similarity"),
}
"""Column names, in any case, by what they are taken for. A column of the first name wins over the others."""

_SHOWN_COLUMNS, _SHOWN_CHARACTERS = 12, 40  # of a header, in a message
_WORDS_OF_A_NAME = 7  # a column's name of more is likely a text

_OPTIONS = dict.fromkeys((LABEL, RELEVANCE), "--label-column") | dict.fromkeys(TEXT + PAIR + RANKED, "--text-column")


class OwnFile:
    """One file of texts, labelled where the task asks for labels.

    path: its ending is one of `readhead.data.records.FORMATS`.
    task: a name in `TASK_FIELDS`.
    text_columns: the columns that hold the task's texts, in their order; empty to find them by `SYNONYMS`.
    label_column: the column that holds the label; None to find it likewise.
    soft_labels: whether a teacher's probabilities stand in the label's place, in columns `p_LABEL`.

    Raises:
        InputError: another task, a label's column for one without labels, or another number of text columns than
            the task has texts.
    """

    def __init__(
        self,
        path: Path,
        *,
        task: str,
        text_columns: Sequence[str] = (),
        label_column: str | None = None,
        soft_labels: bool = False,
    ) -> None:
        if task not in TASK_FIELDS:
            raise InputError(f"no task '{task}' for own files; expected one of {', '.join(TASK_FIELDS)}")
        self.path, self.fields = path, TASK_FIELDS[task]
        self.columns: Mapping[str, str] = {}  # by what it is taken for, once the header has been read
        self._ranked = self.fields == RANKED
        self._label = None if task in UNLABELLED else RELEVANCE if self._ranked else LABEL
        if text_columns and len(text_columns) != len(self.fields):
            expected = f"{len(self.fields)}, for {' and '.join(self.fields)}"
            raise InputError(f"{counted(len(text_columns), 'text column')} named; expected {expected}")
        if soft_labels and (self._label != LABEL or label_column is not None):
            told = f"--label-column {label_column}" if self._label == LABEL else f"the task {task}"
            raise InputError(f"{told}: soft labels stand in columns p_LABEL, for classify and pair")
        self._soft, self._label = soft_labels, None if soft_labels else self._label
        self._soft_columns: Mapping[str, str] = {}
        self._given = dict(zip(self.fields, text_columns, strict=False))
        if label_column is not None:
            if self._label is None:
                raise InputError(f"--label-column {label_column}: the task {task} has no labels")
            self._given[self._label] = label_column

    def examples(self) -> Iterator[Example]:
        """Streams the rows in order. A pair whose label is `-` has none.

        Raises:
            InputError: at the first thing that is wrong.
        """
        for row in self.rows():
            if isinstance(row, Problem):
                raise row.error(self.path)
            yield row

    def rows(self) -> Iterator[Example | Problem]:
        """The same, with a `Problem` in the place of every row that has one; after a wrong header, no more.

        Raises:
            InputError: the file cannot be opened, or its ending is another one.
        """
        columns: Mapping[str, str] | None = None
        records, questions = read_records(self.path), Questions()
        for record in one_each(records) if self._ranked else records:
            if isinstance(record, Problem):
                yield record
                continue
            if columns is None:
                columns, problems = self._find_columns(tuple(record.values))
                if problems:
                    yield from problems
                    return
                self.columns = columns
            row = self._example(record, columns)
            yield _asked(row, record, columns, questions) if self._ranked and isinstance(row, Example) else row

    def _find_columns(self, header: Sequence[str]) -> tuple[dict[str, str], list[Problem]]:
        columns: dict[str, str] = {}
        problems: list[Problem] = []
        for field in self.fields if self._label is None else (*self.fields, self._label):
            found = _column(field, header, self._given.get(field))
            if isinstance(found, Problem):
                problems.append(found)
            else:
                columns[field] = found
        if self._soft:
            found_soft = soft_columns(header)
            if isinstance(found_soft, Problem):
                problems.append(found_soft)
            else:
                self._soft_columns = found_soft
        for optional in (QUESTION_ID, CANDIDATE_ID):
            if named := _named(optional, header):
                columns[optional] = named[0]
        return columns, problems

    def _example(self, record: Record, columns: Mapping[str, str]) -> Example | Problem:
        label = None if self._label is None else _label(record, columns[self._label])
        soft = soft_label(record, self._soft_columns) if self._soft else None
        if isinstance(label, Problem):
            return label
        if isinstance(soft, Problem):
            return soft
        texts: dict[str, str] = {}
        for field in self.fields:
            column = columns[field]
            text = record.values.get(column)
            if not isinstance(text, str):
                found = f"'{column}' is {json_word(text)}" if column in record.values else f"no '{column}'"
                return Problem("no text", f"{found}; expected a string", record.line, column)
            texts[field] = text
        if soft is not None:
            return Example(texts, likeliest(soft), f"{self.path.name}:{record.line}", soft=soft)
        if self._label is None and not texts[self.fields[0]].strip():
            return Problem(
                "no text",
                f"'{columns[self.fields[0]]}' is empty; expected a text",
                record.line,
                columns[self.fields[0]],
            )
        known = None if label == NO_AGREED_LABEL and self.fields == PAIR else label
        return Example(texts, known, f"{self.path.name}:{record.line}")


def _asked(row: Example, record: Record, columns: Mapping[str, str], questions: Questions) -> Example | Problem:
    def told(kind: str) -> str | None:
        if kind not in columns:
            return None
        value = record.values.get(columns[kind])
        return "" if value is None else str(value).strip()

    return questions.place(row, record.line, group=told(QUESTION_ID), name=told(CANDIDATE_ID))


def too_few_labels(labels: Collection[str]) -> Problem | None:
    """The problem of a training file whose rows do not have at least two different labels."""
    if len(labels) >= 2:
        return None
    found = "no row has a label" if not labels else f"every row has the label '{next(iter(labels))}'"
    return Problem("too few labels", f"{found}; expected at least two different labels")


def _column(field: str, header: Sequence[str], given: str | None) -> str | Problem:
    if given is not None:
        return given if given in header else _missing(f"column '{given}'", [given], field, header)
    names = SYNONYMS[field]
    found = _named(field, header)
    if not found:
        return _missing(f"{field} column (one of {', '.join(names)})", names, field, header)
    if len(found) > 1 and found[0].lower() != names[0]:
        message = f"'{found[0]}' and '{found[1]}' could both be the {field}; choose one with {_OPTIONS[field]}"
        return Problem("column", message, 1, found[0])
    return found[0]


def _named(field: str, header: Sequence[str]) -> list[str]:
    by_name = {column.lower(): column for column in header}
    return [by_name[name] for name in SYNONYMS[field] if name in by_name]


def _missing(what: str, names: Sequence[str], field: str, header: Sequence[str]) -> Problem:
    near = next((match for name in names for match in difflib.get_close_matches(name, header, n=1)), None)
    hint = _header_hint(header) or (f"did you mean '{near}'? " if near else "")
    found = ", ".join(f"'{_short(column)}'" for column in header[:_SHOWN_COLUMNS])
    if len(header) > _SHOWN_COLUMNS:
        found += f" and {counted(len(header) - _SHOWN_COLUMNS, 'more column')}"
    return Problem("column", f"no {what}; {hint}found {found}; {_OPTIONS[field]} NAME names it", 1, field)


def _header_hint(header: Sequence[str]) -> str:
    if len(header) == 1 and "\t" in header[0]:
        return "fields seem to be parted by tabs, for which the file must end in .tsv; "
    if len(header) == 1 and "," in header[0]:
        return "fields seem to be parted by commas, for which the file must end in .csv; "
    if any(len(column.split()) > _WORDS_OF_A_NAME for column in header):
        return "the first line seems to be data, expected the columns' names; "
    return ""


def _short(column: str) -> str:
    return column if len(column) <= _SHOWN_CHARACTERS else column[: _SHOWN_CHARACTERS - 1] + "…"


def _label(record: Record, column: str) -> str | Problem:
    value = record.values.get(column)
    if isinstance(value, bool | int):
        return json.dumps(value)
    if value is None or (isinstance(value, str) and not value.strip()):
        return Problem("empty label", f"no label in '{column}'; expected the name of a class", record.line, column)
    if not isinstance(value, str):
        message = f"the label in '{column}' is {json_word(value)}; expected a string or a whole number"
        return Problem("label", message, record.line, column)
    return value.strip()
