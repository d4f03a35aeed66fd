"""Everything that is wrong with a user's file, and what is in it, without training on it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from readhead.data.corpora.file import FileCorpus
from readhead.data.own_file import UNLABELLED, OwnFile, too_few_labels
from readhead.data.problem import Problem
from readhead.data.summary import Summary, Tally
from readhead.errors import InputError

SHOWN = 10
"""How many problems of a kind are kept; more are only counted."""


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


def check_file(
    path: Path,
    task: str,
    *,
    text_columns: Sequence[str] = (),
    label_column: str | None = None,
    soft_labels: bool = False,
) -> Report:
    """Reads a whole file as training would, without stopping at what is wrong.

    path: its ending tells the format.
    task: a name in `TASK_FIELDS`.
    text_columns, label_column, soft_labels: as in `OwnFile`.

    Raises:
        InputError: the file cannot be opened, its ending or the task is another one, or the columns do not
            fit it.
    """
    own_file = OwnFile(path, task=task, text_columns=text_columns, label_column=label_column, soft_labels=soft_labels)
    problems, rows = _Problems(), Tally(own_file.fields)
    for example in own_file.rows():
        if isinstance(example, Problem):
            problems.add(example)
        else:
            rows.add(example)
    if rows.total and task not in UNLABELLED and not soft_labels and (problem := too_few_labels(rows.labels)):
        problems.add(problem)
    if not problems.counts:
        corpus = FileCorpus(
            task=task,  # type: ignore[arg-type]
            train=str(path),
            text_columns=tuple(text_columns),
            label_column=label_column,
            soft_labels=soft_labels,
        )
        if problem := _nothing_to_spare(corpus):
            problems.add(problem)
    return Report(path, tuple(problems.shown), dict(problems.counts), rows.summary())


def _nothing_to_spare(corpus: FileCorpus) -> Problem | None:
    try:
        corpus.read("dev")
    except InputError as error:
        return Problem("too few rows", error.message)
    return None


@dataclass(slots=True)
class _Problems:
    shown: list[Problem] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)

    def add(self, problem: Problem) -> None:
        self.counts[problem.kind] += 1
        if self.counts[problem.kind] <= SHOWN:
            self.shown.append(problem)
