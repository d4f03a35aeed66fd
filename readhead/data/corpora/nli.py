"""Sentence pairs in the format of SNLI and MultiNLI: .jsonl or .txt, raw sentences and binary parses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Literal

from readhead.data.corpora.corpus import check_split, labelled
from readhead.data.example import Example, Words
from readhead.data.problem import Problem
from readhead.data.records import Parse, Record, json_word, read_as, read_jsonl, read_tsv
from readhead.data.trees import words_of
from readhead.errors import InputError

TextForm = Literal["sentence", "parse"]

FIELDS = ("premise", "hypothesis")
LABELS = ("entailment", "neutral", "contradiction")
NO_MAJORITY = "-"
"""The gold label of a pair on which no three annotators agreed."""

_COLUMNS = {"premise": "sentence1", "hypothesis": "sentence2"}
_TAGS = ("genre", "source")
# The last columns of the .txt are single annotators' labels: most training pairs have one, and none is read.
_FORMATS: Mapping[str, Parse] = {".jsonl": read_jsonl, ".txt": partial(read_tsv, optional=5)}


class NLIFiles:
    """The splits of a corpus of sentence pairs, each one file below the corpora directory.

    stems: by split, the file below that directory without its ending: `snli/snli_1.0_dev` is read from
        `snli/snli_1.0_dev.jsonl`, or from `.txt` where that is missing.
    text: `sentence` for the raw sentences, `parse` for the words of the binary parses.
    """

    def __init__(self, stems: Mapping[str, str], *, text: TextForm) -> None:
        self.stems, self.text = stems, text
        self.dropped: Counter[str] = Counter()

    @property
    def splits(self) -> tuple[str, ...]:
        """The names of the splits."""
        return tuple(self.stems)

    def read(self, split: str, directory: Path | None) -> Iterator[Example]:
        """Streams the labelled pairs of a split; counts the others in `dropped`. Raises `InputError`."""
        check_split(split, self.splits)
        stem = self.stems[split]
        path = _find(stem, directory)
        if path is None:
            raise _missing(stem, directory)
        return labelled(read_pairs(path, text=self.text), split=split, dropped=self.dropped)

    def files(self, directory: Path | None) -> dict[str, Path]:
        """By split, the file it is read from, where it is there."""
        found = {split: _find(stem, directory) for split, stem in self.stems.items()}
        return {split: path for split, path in found.items() if path is not None}


def read_pairs(path: Path, *, text: TextForm) -> Iterator[Example]:
    """Streams every pair of a .jsonl or .txt file; the label is None where it is `-`.

    Raises:
        InputError: at the first line that is not as the format asks.
    """
    for record in read_as(_FORMATS[path.suffix], path):
        pair = record if isinstance(record, Problem) else _pair(record, path.name, text)
        if isinstance(pair, Problem):
            raise pair.error(path)
        yield pair


def _pair(record: Record, file: str, text: TextForm) -> Example | Problem:
    label = record.values.get("gold_label")
    if label not in (*LABELS, NO_MAJORITY):
        expected = ", ".join(LABELS)
        found = "no 'gold_label'" if label is None else f"unknown gold_label '{label}'"
        return Problem("label", f"{found}; expected {expected}, or - for none", record.line, "gold_label")
    texts: dict[str, str | Words] = {}
    for field, column in _COLUMNS.items():
        value = _sentence(record, column) if text == "sentence" else _parse(record, column)
        if isinstance(value, Problem):
            return value
        texts[field] = value
    tags = {tag: str(record.values[tag]) for tag in _TAGS if record.values.get(tag)}
    return Example(texts, None if label == NO_MAJORITY else str(label), f"{file}:{record.line}", tags)


def _sentence(record: Record, column: str) -> str | Problem:
    value = record.values.get(column)
    if isinstance(value, str):
        return value
    found = f"'{column}' is {json_word(value)}" if column in record.values else f"no '{column}'"
    return Problem("sentence", f"{found}; expected a string", record.line, column)


def _parse(record: Record, sentence_column: str) -> Words | Problem:
    column = f"{sentence_column}_binary_parse"
    parse = record.values.get(column)
    if not isinstance(parse, str):
        message = f"no '{column}'; expected the parse, or text = \"sentence\" in the recipe's [corpus]"
        return Problem("parse", message, record.line, column)
    try:
        return words_of(parse)
    except ValueError as error:
        return Problem("parse", f"'{column}': {error}", record.line, column)


def _find(stem: str, directory: Path | None) -> Path | None:
    if directory is None:
        return None
    candidates = (directory / f"{stem}{ending}" for ending in _FORMATS)
    return next((path for path in candidates if path.is_file()), None)


def _missing(stem: str, directory: Path | None) -> InputError:
    folder, _, _ = stem.partition("/")
    message = (
        f"not found, nor as .txt; `readhead data fetch {folder}` gets it or says where it comes from, "
        f"and --corpora DIR names the folder that holds {folder}/"
    )
    if part := _find(f"{stem}_partial", directory):
        message += f'; only {part.name} is there, which train = "partial" in [corpus] reads'
    return InputError(message, file=(directory or Path()) / f"{stem}.jsonl")
