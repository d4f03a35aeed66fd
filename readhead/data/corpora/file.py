"""A user's own labelled texts as a corpus."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import ClassVar, Literal

from readhead.counted import counted
from readhead.data.corpora.corpus import check_split, labelled
from readhead.data.example import Example
from readhead.data.labels import sort_labels
from readhead.data.own_file import UNLABELLED, OwnFile, too_few_labels
from readhead.data.questions import RIGHT
from readhead.data.split import hold_out, hold_out_questions
from readhead.data.summary import Tally
from readhead.data.understood import understood
from readhead.errors import InputError


class FileCorpus:
    """One file to train on and, if given, one to choose by: CSV, TSV, JSONL, Parquet or plain text.

    Without `dev`, a part of `train` is set aside: stratified by label, and whole groups at a time, so that
    no premise (or, for single texts, no text; for candidates, no question) stands on both sides.

    train, dev: paths, whose endings tell the format.
    task: `classify` for single texts, `pair` for premise and hypothesis, `rank` for question and candidate,
        `language-model` for texts without labels.
    text_columns: the columns that hold the texts, in that order; empty to find them by common names.
    label_column: the column that holds the label; None to find it likewise.
    soft_labels: whether a teacher's probabilities are learnt from, in columns `p_LABEL`; figures are of the likeliest.
    dev_fraction: of the examples, to be set aside where there is no `dev`.
    seed: another one sets other examples aside.

    Raises:
        InputError: another number of columns than the task has texts, or a fraction outside 0 to 1.
    """

    splits = ("train", "dev")
    complete = True
    sizes: ClassVar[Mapping[str, int]] = {}

    def __init__(
        self,
        *,
        task: Literal["classify", "pair", "rank", "language-model"],
        train: str,
        dev: str | None = None,
        text_columns: tuple[str, ...] = (),
        label_column: str | None = None,
        soft_labels: bool = False,
        dev_fraction: float = 0.1,
        seed: int = 0,
    ) -> None:
        if not 0 < dev_fraction < 1:
            raise InputError(f"dev_fraction is {dev_fraction}; expected a number between 0 and 1")
        self.dropped: Counter[str] = Counter()

        def own_file(name: str) -> OwnFile:
            columns = {"text_columns": text_columns, "label_column": label_column}
            return OwnFile(Path(name), task=task, **columns, soft_labels=soft_labels)  # type: ignore[arg-type]

        self._train, self._dev = own_file(train), None if dev is None else own_file(dev)
        self.fields, self._by_question, self._labelled = self._train.fields, task == "rank", task not in UNLABELLED
        self._dev_fraction, self._seed = dev_fraction, seed
        self._tallies: dict[str, Tally] = {}

    @property
    def labels(self) -> tuple[str, ...]:
        """Those of the training file, numbers by value and names by name. Reads it; raises `InputError`."""
        return self._survey.labels if self._labelled else ()

    def read(self, split: str, directory: Path | None = None) -> Iterator[Example]:
        """One split's labelled examples in file order; `directory` is not used.

        The training file is read once, and its rows kept for both splits.

        Raises:
            InputError: the first thing that is wrong in the file, fewer than two labels in the training
                file, too few rows to set some aside, or a label in `dev` that never occurs in `train`.
        """
        check_split(split, self.splits)
        self._tallies[split] = Tally(self.fields)
        return self._tallies[split].over(self._rows(split))

    def understood(self) -> list[str]:
        """What was understood of the file, in lines for people; whole once both splits have been read."""
        train, dev = (self._tallies[split] for split in self.splits)
        told = f"{self._dev_fraction:.0%} of the same file, set aside with seed {self._seed}"
        return understood(self._train.columns, train, dev, dev_from=told if self._dev is None else self._dev.path.name)

    def _rows(self, split: str) -> Iterator[Example]:
        if split == "dev" and self._dev is not None:
            return self._read_dev(self._dev)
        wanted, survey = split == "dev", self._survey
        return (row for position, row in enumerate(survey.rows) if (position in survey.held_out) == wanted)

    def files(self, directory: Path | None = None) -> dict[str, Path]:
        """By split, the file it is read from, where it is there; without a `dev`, one for both."""
        named = {"train": self._train.path} | ({} if self._dev is None else {"dev": self._dev.path})
        return {split: path for split, path in named.items() if path.is_file()}

    @cached_property
    def _survey(self) -> _Survey:
        rows = list(self._wanted(self._train, "train"))
        named = set[str]().union(*({str(row.label)} if row.soft is None else row.soft.keys() for row in rows))
        labels = sort_labels(named)
        if self._labelled and (problem := too_few_labels(labels)):
            raise problem.error(self._train.path)
        return _Survey(rows, labels, frozenset() if self._dev else self._hold_out(rows))

    def _hold_out(self, rows: Sequence[Example]) -> frozenset[int]:
        labels, groups = [str(row.label) for row in rows], [str(row.texts[self.fields[0]]) for row in rows]
        fraction, seed = self._dev_fraction, self._seed
        if self._by_question:
            held_out = hold_out_questions([label == RIGHT for label in labels], groups, fraction=fraction, seed=seed)
        else:
            held_out = hold_out(labels, groups, fraction=fraction, seed=seed)
        if not held_out:
            raise InputError(self._why_none(groups, labels), file=self._train.path)
        return held_out

    def _why_none(self, groups: Sequence[str], labels: Sequence[str]) -> str:
        """Why no row can be set aside."""
        if self._by_question:
            told = f"{counted(len(set(groups)), 'question')}, none of which can be set aside; expected more"
        elif self._labelled and len(set(labels)) == len(labels):
            shown = ", ".join(f"'{textwrap.shorten(label, 20, placeholder='…')}'" for label in labels[:3])
            told = f"no label stands in two rows ({shown}{', …' * (len(labels) > 3)}); expected labels that do"
        else:
            told = f"{counted(len(groups), 'row')}, none of which can be set aside; expected more"
        return f"{told}, or a second file as dev"

    def _wanted(self, file: OwnFile, split: str) -> Iterator[Example]:
        examples = file.examples()
        return labelled(examples, split=split, dropped=self.dropped) if self._labelled else examples

    def _read_dev(self, file: OwnFile) -> Iterator[Example]:
        labels = self.labels
        for example in self._wanted(file, "dev"):
            found = [example.label] if example.soft is None else list(example.soft)
            if self._labelled and (unknown := [label for label in found if label not in labels]):
                message = f"label '{unknown[0]}' never occurs in {self._train.path.name}"
                line = int(example.origin.rpartition(":")[2])
                raise InputError(f"{message}; expected one of {', '.join(labels)}", file=file.path, line=line)
            yield example


@dataclass(frozen=True, slots=True)
class _Survey:
    """The training file, read: its rows, their labels, and the positions to set aside."""

    rows: Sequence[Example]
    labels: tuple[str, ...]
    held_out: frozenset[int]
