"""WikiQA: questions, and the sentences of a Wikipedia article that may answer them (Yang, Yih and Meek, 2015)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Literal

from readhead.data.corpora.corpus import check_split, missing_file
from readhead.data.example import Example
from readhead.data.problem import Problem
from readhead.data.questions import RIGHT, WRONG
from readhead.data.records import Record, read_as, read_tsv

_FILES = {split: f"wikiqa/WikiQA-{split}.tsv" for split in ("train", "dev", "test")}
_GROUP, _ID, _LABEL = "QuestionID", "SentenceID", "Label"
_COLUMNS = {"question": "Question", "candidate": "Sentence"}


class WikiQA:
    """3,047 questions with 29,258 sentences: 20,360 / 2,733 / 6,165 pairs. A sentence that answers has the label 1.

    Two thirds of the questions are answered by none of their sentences: 873 / 126 / 243 have one that does.

    questions: which questions are trained on: `all`, or `answered` for those with a right sentence, 8,672 pairs; the
        pairs of the others then count as dropped. `dev` and `test` are always whole; what can't be ranked there is left
        out by whoever scores.
    """

    fields = ("question", "candidate")
    labels = (WRONG, RIGHT)
    splits = tuple(_FILES)
    complete = True

    def __init__(self, *, questions: Literal["all", "answered"] = "all") -> None:
        self._answered_only = {"train"} if questions == "answered" else set()
        train = 8_672 if questions == "answered" else 20_360
        self.sizes: Mapping[str, int] = {"train": train, "dev": 2_733, "test": 6_165}
        self.dropped: Counter[str] = Counter()

    def read(self, split: str, directory: Path | None) -> Iterator[Example]:
        """Streams the pairs of a split, question by question. Raises `InputError`."""
        check_split(split, self.splits)
        path = self.files(directory).get(split)
        if path is None:
            raise missing_file(_FILES[split], directory)
        return self._kept(path, split) if split in self._answered_only else self._all(path, split)

    def files(self, directory: Path | None) -> dict[str, Path]:
        """By split, the file it is read from, where it is there."""
        paths = {} if directory is None else {split: directory / name for split, name in _FILES.items()}
        return {split: path for split, path in paths.items() if path.is_file()}

    def _all(self, path: Path, split: str) -> Iterator[Example]:
        self.dropped[split] = 0
        yield from _pairs(path)

    def _kept(self, path: Path, split: str) -> Iterator[Example]:
        self.dropped[split] = 0
        answered = {pair.group for pair in _pairs(path) if pair.label == RIGHT}
        for pair in _pairs(path):
            if pair.group in answered:
                yield pair
            else:
                self.dropped[split] += 1


def _pairs(path: Path) -> Iterator[Example]:
    for record in read_as(read_tsv, path):
        pair = record if isinstance(record, Problem) else _pair(record, path.name)
        if isinstance(pair, Problem):
            raise pair.error(path)
        yield pair


def _pair(record: Record, file: str) -> Example | Problem:
    for column in (_GROUP, *_COLUMNS.values(), _ID, _LABEL):
        if column not in record.values:
            found = ", ".join(record.values)
            return Problem("column", f"no column '{column}'; found {found}", 1, column)
    group, name, label = (str(record.values[column]) for column in (_GROUP, _ID, _LABEL))
    if label not in WikiQA.labels:
        return Problem("label", f"'{_LABEL}' is '{label}'; expected 0 or 1", record.line, _LABEL)
    texts = {field: str(record.values[column]) for field, column in _COLUMNS.items()}
    return Example(texts, label, f"{file}:{record.line}", group=group, id=name)
