"""Everything that is wrong with a user's file, and what is in it, without training on it."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from readhead.data.example import Example
from readhead.data.labels import sort_labels
from readhead.data.own_file import OwnFile, too_few_labels
from readhead.data.problem import Problem
from readhead.data.questions import RIGHT, WRONG

SHOWN = 10
"""How many problems of a kind are kept; more are only counted."""


@dataclass(frozen=True, slots=True)
class Lengths:
    """How long one field's texts are, in words parted by white space."""

    shortest: int
    median: float
    longest: int
    empty: int


@dataclass(frozen=True, slots=True)
class QuestionCounts:
    """How many questions there are, and how many of them have only wrong or only right candidates."""

    total: int
    unanswered: int
    all_right: int


@dataclass(frozen=True, slots=True)
class Summary:
    """What the good rows of a file hold.

    rows: how many there are, with and without a label.
    unlabelled: pairs whose label is `-`, which training leaves out.
    labels: examples by label, in the order of `sort_labels`.
    lengths: by field; empty if there are no rows.
    duplicates: rows whose texts stand in an earlier row too.
    contradictions: those of them that have another label there.
    questions: what is known of the questions; None where nothing is ranked.
    """

    rows: int
    unlabelled: int
    labels: Mapping[str, int]
    lengths: Mapping[str, Lengths]
    duplicates: int
    contradictions: int
    questions: QuestionCounts | None = None


@dataclass(frozen=True, slots=True)
class Report:
    """What a check found.

    file: the file checked.
    problems: in the order of the file, the first ten of each kind.
    counts: by kind, all problems.
    summary: of the rows without a problem.
    """

    file: Path
    problems: tuple[Problem, ...]
    counts: Mapping[str, int]
    summary: Summary

    @property
    def usable(self) -> bool:
        """Whether training would take the file."""
        return not self.counts


def check_file(path: Path, task: str, *, text_columns: Sequence[str] = (), label_column: str | None = None) -> Report:
    """Reads a whole file as training would, without stopping at what is wrong.

    path: ends in .csv, .tsv or .jsonl.
    task: `classify`, `pair` or `rank`.
    text_columns, label_column: as in `OwnFile`.

    Raises:
        InputError: the file cannot be opened, its ending or the task is another one, or the columns do not
            fit it.
    """
    own_file = OwnFile(path, task=task, text_columns=text_columns, label_column=label_column)
    problems, rows = _Problems(), _Rows(own_file.fields)
    for example in own_file.rows():
        if isinstance(example, Problem):
            problems.add(example)
        else:
            rows.add(example)
    if rows.total and (problem := too_few_labels(rows.labels)):
        problems.add(problem)
    return Report(path, tuple(problems.shown), dict(problems.counts), rows.summary())


@dataclass(slots=True)
class _Problems:
    shown: list[Problem] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)

    def add(self, problem: Problem) -> None:
        self.counts[problem.kind] += 1
        if self.counts[problem.kind] <= SHOWN:
            self.shown.append(problem)


class _Rows:
    """Running counts over the rows, of which only lengths and hashes of texts are kept."""

    def __init__(self, fields: Sequence[str]) -> None:
        self.total = self.unlabelled = self.contradictions = 0
        self.labels: Counter[str] = Counter()
        self._lengths: dict[str, list[int]] = {name: [] for name in fields}
        self._label_of: dict[int, str | None] = {}
        self._labels_of: dict[str, set[str | None]] = {}  # by question

    def add(self, example: Example) -> None:
        self.total += 1
        if example.label is None:
            self.unlabelled += 1
        else:
            self.labels[example.label] += 1
        for name, lengths in self._lengths.items():
            lengths.append(len(str(example.texts[name]).split()))
        if example.group is not None:
            self._labels_of.setdefault(example.group, set()).add(example.label)
        texts = hash(tuple(example.texts.values()))
        first_label = self._label_of.setdefault(texts, example.label)
        self.contradictions += first_label != example.label

    def summary(self) -> Summary:
        return Summary(
            rows=self.total,
            unlabelled=self.unlabelled,
            labels={label: self.labels[label] for label in sort_labels(self.labels)},
            lengths={name: _lengths(counts) for name, counts in self._lengths.items() if counts},
            duplicates=self.total - len(self._label_of),
            contradictions=self.contradictions,
            questions=self._questions() if self._labels_of else None,
        )

    def _questions(self) -> QuestionCounts:
        found = [labels for labels in self._labels_of.values() if len(labels) == 1]
        return QuestionCounts(len(self._labels_of), found.count({WRONG}), found.count({RIGHT}))


def _lengths(counts: Sequence[int]) -> Lengths:
    return Lengths(min(counts), statistics.median(counts), max(counts), empty=counts.count(0))
