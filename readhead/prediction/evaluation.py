"""A run scored on a split of its corpus, or on a user's file."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from jaxtyping import Int64

from readhead.data.corpora.corpus import Corpus, labelled
from readhead.data.encoded import EncodedSplit
from readhead.data.example import Example
from readhead.data.own_file import OwnFile
from readhead.data.stream import as_read
from readhead.errors import InputError
from readhead.run import Run
from readhead.tasks.scoring import score_split
from readhead.tasks.task import Report

TagFigures = dict[str, dict[str, dict[str, float]]]


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What a run makes of a set of labelled texts.

    data: the split's name, or the file's.
    examples: the labelled texts, in order.
    report: the task's figures.
    by_tag: accuracy and count for each value of each tag that the corpus gives (`phenomenon`, `source`); empty for a
        task whose answers are not right or wrong.
    truncated: texts that were cut.
    words: by field, [N], how many words each text has, with those that were cut.
    segment: tokens a step, if they were read as running text; None if each stood alone.
    """

    data: str
    examples: list[Example]
    report: Report
    by_tag: TagFigures
    truncated: int
    words: Mapping[str, Int64[np.ndarray, " N"]]
    segment: int | None = None


def evaluate_split(run: Run, split: str, *, corpora: Path) -> Evaluation:
    """Scores one split of the run's own corpus. Raises: InputError when it can't be read."""
    return evaluate(run, split_examples(run, split, corpora=corpora), data=split)


def usual_split(run: Run) -> str:
    """The split that a run is scored on unless another is asked for: test, or else the one it was chosen by."""
    splits: Sequence[str] = run.recipe.parts["corpus"].build().splits
    return "test" if "test" in splits else splits[1]


def split_examples(run: Run, split: str, *, corpora: Path) -> Iterable[Example]:
    """One split of the run's own corpus. Raises: InputError when it can't be read."""
    corpus: Corpus = run.recipe.parts["corpus"].build()
    return corpus.read(split, corpora)


def evaluate_file(
    run: Run, path: Path, *, text_columns: Sequence[str] = (), label_column: str | None = None
) -> Evaluation:
    """Scores a user's own labelled file; arguments and errors are those of `file_examples`."""
    examples = file_examples(run, path, text_columns=text_columns, label_column=label_column)
    return evaluate(run, examples, data=str(path))


def file_examples(
    run: Run, path: Path, *, text_columns: Sequence[str] = (), label_column: str | None = None
) -> Iterator[Example]:
    """The labelled rows of a user's own file, as the run reads them.

    text_columns, label_column: as in `OwnFile`; where none are given, those that the run was trained with.
    Raises: InputError naming file and line for whatever is wrong in it.
    """
    trained = run.recipe.parts["corpus"].options
    own = OwnFile(
        path,
        task=run.recipe.parts["task"].kind,
        text_columns=text_columns or trained.get("text_columns", ()),
        label_column=label_column or trained.get("label_column"),
    )
    if run.task.foretells:
        return iter(own.examples())
    examples = labelled(own.examples(), split="data", dropped=Counter())
    return _known(examples, run.record.labels, path)


def evaluate(run: Run, examples: Iterable[Example], *, data: str) -> Evaluation:
    """Scores labelled examples. Raises: InputError for a label that the run does not know, or no example at all."""
    kept: list[Example] = []
    plan = run.recipe.text
    split = EncodedSplit.encode(
        _keep(examples, kept),
        fields=run.task.reads,
        tokenizer=run.tokenizer,
        vocabulary=run.vocabulary,
        labels=run.task.labels or None,
        max_tokens=plan.max_tokens,
        first=plan.first,
        last=plan.last,
    )
    if not kept:
        raise InputError("no row has a label, so there is nothing to score", file=data)
    if why := run.task.unscorable(split):
        raise InputError(why, file=data)
    read = as_read(split, run.recipe.training.segment)
    score = score_split(run.model, run.task, read, device=torch.device(run.device))
    report = run.task.report(score, temperature=run.record.temperature, lengths=split.lengths)
    markers = (plan.first is not None) + (plan.last is not None)
    words = dict(zip(split.texts, (split.lengths + split.cut - markers).T, strict=True))
    by_tag = _by_tag(kept, report.correct)
    return Evaluation(data, kept, report, by_tag, split.truncated, words, run.recipe.training.segment)


def _known(examples: Iterable[Example], labels: Sequence[str], path: Path) -> Iterator[Example]:
    for example in examples:
        if example.label not in labels:
            message = f"this run knows no label '{example.label}'; expected one of {', '.join(labels)}"
            raise InputError(message, file=path, line=int(example.origin.rpartition(":")[2]))
        yield example


def _keep(examples: Iterable[Example], kept: list[Example]) -> Iterator[Example]:
    for example in examples:
        kept.append(example)
        yield example


def _by_tag(examples: Sequence[Example], correct: Sequence[bool] | None) -> TagFigures:
    if correct is None:
        return {}
    answers: dict[tuple[str, str], list[bool]] = defaultdict(list)
    for example, right in zip(examples, correct, strict=True):
        for tag, value in example.tags.items():
            answers[tag, value].append(right)
    figures: TagFigures = defaultdict(dict)
    for (tag, value), rights in sorted(answers.items()):
        figures[tag][value] = {"accuracy": sum(rights) / len(rights), "n": len(rights)}
    return dict(figures)
