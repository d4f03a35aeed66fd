"""What is in a set of examples: counted as they stream by."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from readhead.data.example import Example
from readhead.data.labels import sort_labels
from readhead.data.questions import RIGHT, WRONG


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
    """What a set of examples holds.

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


class Tally:
    """Running counts over examples, of which only lengths and hashes of texts are kept.

    fields: the names of their texts.
    """

    def __init__(self, fields: Sequence[str]) -> None:
        self.total = self.unlabelled = self.contradictions = 0
        self.labels: Counter[str] = Counter()
        self._lengths: dict[str, list[int]] = {name: [] for name in fields}
        self._label_of: dict[int, str | None] = {}
        self._labels_of: dict[str, set[str | None]] = {}  # by question

    def over(self, examples: Iterable[Example]) -> Iterator[Example]:
        """The same examples, counted as they pass."""
        for example in examples:
            self.add(example)
            yield example

    def add(self, example: Example) -> None:
        """Counts one."""
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

    def shared_with(self, other: Tally) -> int:
        """How many different examples stand in another set too, texts compared and labels not."""
        return len(self._label_of.keys() & other._label_of.keys())

    def summary(self) -> Summary:
        """What was counted so far."""
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
