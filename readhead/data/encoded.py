"""A split of a corpus as compact arrays: tokenised once, given its rows of a vocabulary, read in batches."""

from __future__ import annotations

import sys
from array import array
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
import torch
from jaxtyping import Float32, Int, Int32, Int64

from readhead.data.batch import Batch, Candidates, Text
from readhead.data.example import Example, Words
from readhead.data.tokenizer import Tokenizer
from readhead.data.vocabulary import Vocabulary
from readhead.errors import InputError


@dataclass(frozen=True, slots=True)
class Ragged:
    """N sequences of ids of different lengths, end to end.

    ids: [T], all ids.
    bounds: [N + 1]: sequence n is `ids[bounds[n]:bounds[n + 1]]`.
    """

    ids: Int32[np.ndarray, " T"]
    bounds: Int64[np.ndarray, " bounds"]

    def __getitem__(self, index: int) -> Int32[np.ndarray, " t"]:
        return self.ids[self.bounds[index] : self.bounds[index + 1]]

    @property
    def lengths(self) -> Int64[np.ndarray, " N"]:
        """[N], ids of each sequence."""
        return np.diff(self.bounds)

    def between(self, first: int | None, last: int | None) -> Ragged:
        """The same with an id in front of every sequence, one behind, both or neither."""
        extra = (first is not None) + (last is not None)
        bounds = self.bounds + extra * np.arange(len(self.bounds))
        ids = np.empty(bounds[-1], dtype=np.int32)
        inner = np.ones(bounds[-1], dtype=np.bool_)
        for marker, places in ((first, bounds[:-1]), (last, bounds[1:] - 1)):
            if marker is not None:
                ids[places], inner[places] = marker, False
        ids[inner] = self.ids
        return Ragged(ids, bounds)


class TokenisedSplit:
    """A split whose words are known and whose vocabulary is not: what a vocabulary is built from.

    Each word is kept once and each token as its number: a corpus is tokenised once, and its examples stream
    through.

    examples: the split's examples, in order.
    fields: the texts that are read, as in `Example.texts`.
    tokenizer: splits them into words.
    max_tokens: longest text in words; what is longer is cut off and counted.
    """

    def __init__(
        self, examples: Iterable[Example], *, fields: Sequence[str], tokenizer: Tokenizer, max_tokens: int
    ) -> None:
        self.fields = tuple(fields)
        pieces = _Pieces(tokenizer)
        columns = [_Column(pieces, max_tokens) for _ in fields]
        labels, tags, candidates = _Labels(), _Tags(), _Candidates()
        soft: list[Mapping[str, float]] = []
        for example in examples:
            for field, column in zip(fields, columns, strict=True):
                column.append(example.texts[field])
            labels.append(example.label, example.origin)
            tags.append(example.tags)
            candidates.append(example.group, example.id)
            if example.soft is not None:
                soft.append(example.soft)
        self._words = list(pieces.numbers)
        self._texts = {field: column.texts() for field, column in zip(fields, columns, strict=True)}
        self._cut = np.stack([np.array(column.cut, dtype=np.int32) for column in columns], axis=1)  # [N, K]
        self._labels, self._tags = labels, tags.columns
        self._candidates = candidates.numbered()
        self._soft = soft

    def __len__(self) -> int:
        return len(self._labels.codes)

    def counts(self) -> Counter[str]:
        """How often each word occurs, all fields together."""
        ids = np.concatenate([text.ids for text in self._texts.values()])
        occurrences = np.bincount(ids, minlength=len(self._words)).tolist()
        # A word that stands only where a text was cut off does not occur.
        return Counter({word: n for word, n in zip(self._words, occurrences, strict=True) if n})

    def encode(
        self,
        vocabulary: Vocabulary,
        *,
        labels: Sequence[str] | None,
        first: str | None = None,
        last: str | None = None,
    ) -> EncodedSplit:
        """The split in rows of a vocabulary.

        labels: the names of the C classes, in order; None where labels are not wanted.
        first: a marker in front of every text (`null` or `start`).
        last: a marker behind every text (`end`). Markers do not count as words of `max_tokens`.

        Raises:
            InputError: an example has no label, or one that is not among `labels`.
        """
        rows = vocabulary.ids(self._words)
        edges = [None if name is None else vocabulary.marker_row(name) for name in (first, last)]
        texts = {field: Ragged(rows[text.ids], text.bounds).between(*edges) for field, text in self._texts.items()}
        classes = None if labels is None else self._labels.classes(labels)
        soft = None
        if labels is not None and self._soft:
            soft = np.array([[said.get(label, 0.0) for label in labels] for said in self._soft], dtype=np.float32)
        return EncodedSplit(
            texts=texts, labels=classes, tags=self._tags, cut=self._cut, candidates=self._candidates, soft=soft
        )


@dataclass(frozen=True, slots=True)
class EncodedSplit:
    """N examples in rows of a vocabulary: four bytes a token, whatever the texts.

    texts: by field name, N texts each.
    labels: [N], class indices; None where they are not known.
    tags: by name, the tag of each example; None where it has none of this name.
    cut: [N, K], words that were cut off each of an example's K texts, in the order of `texts`.
    candidates: which of the N are ranked together; None where nothing is.
    soft: [N, C], a teacher's probabilities of the classes; None where there are none.
    """

    texts: Mapping[str, Ragged]
    labels: Int64[np.ndarray, " N"] | None
    tags: Mapping[str, Sequence[str | None]]
    cut: Int32[np.ndarray, "N K"]
    candidates: Candidates | None = None
    soft: Float32[np.ndarray, "N C"] | None = None

    @classmethod
    def encode(
        cls,
        examples: Iterable[Example],
        *,
        fields: Sequence[str],
        tokenizer: Tokenizer,
        vocabulary: Vocabulary,
        labels: Sequence[str] | None,
        max_tokens: int,
        first: str | None = None,
        last: str | None = None,
    ) -> EncodedSplit:
        """Encodes examples whose vocabulary is known; arguments and errors are those of `TokenisedSplit`."""
        split = TokenisedSplit(examples, fields=fields, tokenizer=tokenizer, max_tokens=max_tokens)
        return split.encode(vocabulary, labels=labels, first=first, last=last)

    def __len__(self) -> int:
        return len(self.cut)

    @property
    def lengths(self) -> Int64[np.ndarray, "N K"]:
        """[N, K], tokens of each text, markers included."""
        return np.stack([text.lengths for text in self.texts.values()], axis=1)

    @property
    def truncated(self) -> int:
        """Number of examples that lost words."""
        return int(self.cut.any(axis=1).sum())

    def batch(self, indices: Int[np.ndarray, " B"]) -> Batch:
        """B examples, padded."""
        texts = {field: Text.pad([text[index] for index in indices]) for field, text in self.texts.items()}
        labels = None if self.labels is None else torch.from_numpy(self.labels[indices])
        candidates = None if self.candidates is None else self.candidates[indices]
        soft = None if self.soft is None else torch.from_numpy(self.soft[indices])
        return Batch(texts, labels, candidates=candidates, soft=soft)


class _Pieces(dict[str | Words, tuple[int, ...]]):
    """What is between two spaces, to the numbers of its words: a tokenizer's answer, asked for once.

    A tokenizer promises that the words of a text are those of its pieces; looking them up is ten times as
    fast.
    """

    def __init__(self, tokenizer: Tokenizer) -> None:
        super().__init__()
        self.numbers: dict[str, int] = {}
        self._tokenizer = tokenizer

    def __missing__(self, piece: str | Words) -> tuple[int, ...]:
        words = self._tokenizer(piece).words
        self[piece] = tuple(self.numbers.setdefault(word, len(self.numbers)) for word in words)
        return self[piece]

    def of(self, text: str | Words) -> list[int]:
        """The numbers of a text's words."""
        pieces = text.split() if isinstance(text, str) else zip(text, strict=True)
        return list(chain.from_iterable(map(self.__getitem__, pieces)))


class _Column:
    """One field of all examples, growing."""

    def __init__(self, pieces: _Pieces, max_tokens: int) -> None:
        self.cut = array("i")
        self._pieces, self._max_tokens = pieces, max_tokens
        self._ids, self._bounds = array("i"), array("q", [0])

    def append(self, text: str | Words) -> None:
        """Adds the next example's text."""
        ids = self._pieces.of(text)
        self._ids.extend(ids[: self._max_tokens])
        self._bounds.append(len(self._ids))
        self.cut.append(max(0, len(ids) - self._max_tokens))

    def texts(self) -> Ragged:
        """All texts so far."""
        return Ragged(np.array(self._ids, dtype=np.int32), np.array(self._bounds, dtype=np.int64))


class _Labels:
    """The label of each example as a number, and for each label where it stood first."""

    def __init__(self) -> None:
        self.codes = array("i")
        self.origins: dict[str | None, str] = {}
        self._numbers: dict[str | None, int] = {}

    def append(self, label: str | None, origin: str) -> None:
        """Adds the next example's label."""
        self.origins.setdefault(label, origin)
        self.codes.append(self._numbers.setdefault(label, len(self._numbers)))

    def classes(self, labels: Sequence[str]) -> Int64[np.ndarray, " N"]:
        """The labels as indices in a list of names."""
        for label, origin in self.origins.items():
            if label is None or label not in labels:
                found = "none" if label is None else repr(label)
                file, line = _place(origin)
                raise InputError(f"expected a label of {', '.join(labels)}, found {found}", file=file, line=line)
        known = [labels.index(label) for label in self.origins if label is not None]
        return np.array(known, dtype=np.int64)[np.array(self.codes, dtype=np.int32)]


class _Tags:
    """The tags of all examples by name, growing; a name that an example lacks is None."""

    def __init__(self) -> None:
        self.columns: dict[str, list[str | None]] = {}
        self._count = 0

    def append(self, tags: Mapping[str, str]) -> None:
        """Adds the next example's tags."""
        for name in tags.keys() - self.columns.keys():
            self.columns[name] = [None] * self._count
        for name, column in self.columns.items():
            value = tags.get(name)
            # Few values, many examples: each is kept once.
            column.append(None if value is None else sys.intern(value))
        self._count += 1


class _Candidates:
    """The groups and the ids of all examples as numbers, growing; None is one of them too."""

    def __init__(self) -> None:
        self._groups: dict[str | None, int] = {}
        self._ids: dict[str | None, int] = {}
        self._codes = array("i"), array("i")

    def append(self, group: str | None, name: str | None) -> None:
        """Adds the next example's group and id."""
        for value, numbers, codes in zip((group, name), (self._groups, self._ids), self._codes, strict=True):
            codes.append(numbers.setdefault(value, len(numbers)))

    def numbered(self) -> Candidates | None:
        """All so far; None where examples have no group or no id."""
        names = [name for name in self._ids if name is not None]
        if None in self._groups or len(names) < len(self._ids):
            return None
        places = {name: place for place, name in enumerate(sorted(names))}
        order = np.array([places[name] for name in names], dtype=np.int64)
        group, ids = (np.array(codes, dtype=np.int64) for codes in self._codes)
        return Candidates(group, order[ids])


def _place(origin: str) -> tuple[str, int | None]:
    """File and line of an example's origin ("train.jsonl:17")."""
    file, _, line = origin.rpartition(":")
    return (file, int(line)) if file and line.isdecimal() else (origin, None)
