"""Words and the rows they have in an embedding table."""

from __future__ import annotations

import zlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Literal

import numpy as np
from jaxtyping import Int32

from readhead import durable
from readhead.errors import InputError

OOV = Literal["hashed", "zero", "normal"]

MARKERS = ("null", "start", "end")
HASHED_ROWS = 100
_PADDING = "<pad>"
_UNKNOWN = "<unk>"


class _EntryError(ValueError):
    """What stands in a row cannot stand there."""

    def __init__(self, message: str, row: int) -> None:
        self.row = row
        super().__init__(message)


class Vocabulary:
    """The V rows of an embedding table and what stands for each.

    Row 0 is padding; then one row or more for words out of the vocabulary; then the markers `<null>`,
    `<start>` and `<end>`; then the words. A word that is written like one of the first rows is out of the
    vocabulary, so that no text can forge a marker.

    words: the words that have a row, in the order of their rows.
    oov_rows: number of rows for all other words; each word always falls on the same one.

    Raises:
        ValueError: a word is empty, holds a line break, stands there twice or is written like one of the
            first rows.
    """

    def __init__(self, *, words: Iterable[str], oov_rows: int) -> None:
        self._entries = [*_first_entries(oov_rows), *words]
        self._rows = _rows_by_entry(self._entries)
        self.oov_rows = range(1, 1 + oov_rows)
        self.word_rows = range(1 + oov_rows + len(MARKERS), len(self._entries))
        for entry in self._entries[: self.word_rows.start]:
            del self._rows[entry]

    @classmethod
    def build(
        cls,
        counts: Mapping[str, int],
        *,
        vector_words: Collection[str] | None,
        most_frequent: Sequence[str] = (),
        oov: OOV,
        min_count: int = 1,
    ) -> Vocabulary:
        """The vocabulary of a corpus: its words by falling count, then alphabetically; then the vectors' own.

        counts: how often each word occurs in the training texts.
        vector_words: the words that have a pretrained vector; None where there are no vectors.
        most_frequent: words of the vectors' file, in its order; those that the corpus lacks get a row too,
            so that new text can be read.
        oov: which words get a row. `hashed` (Parikh et al. 2016) and `zero` (Munkhdalai & Yu 2017): those
            with a vector; `normal` (Cheng et al. 2016): all. Without vectors: all. `hashed` has 100 rows
            for other words, `zero` and `normal` have one.
        min_count: a word of the corpus that is rarer gets no row of its own.
        """
        oov_rows = HASHED_ROWS if oov == "hashed" else 1
        every_word = oov == "normal" or vector_words is None
        known = frozenset(vector_words or ())
        reserved = frozenset(_first_entries(oov_rows))
        kept = [
            word
            for word, count in counts.items()
            if count >= min_count and (every_word or word in known) and word not in reserved
        ]
        kept.sort(key=lambda word: (-counts[word], word))
        present = reserved.union(kept)
        added = dict.fromkeys(word for word in most_frequent if word not in present)
        return cls(words=[*kept, *added], oov_rows=oov_rows)

    def __len__(self) -> int:
        return len(self._entries)

    @property
    def words(self) -> list[str]:
        """The words that have a row of their own, in the order of `word_rows`."""
        return self._entries[self.word_rows.start :]

    @property
    def can_follow(self) -> int:
        """How many rows can stand behind a word: the last ones, from `<end>` on, and one for the unknown word.

        Raises:
            ValueError: there are several rows for unknown words.
        """
        if len(self.oov_rows) != 1:
            raise ValueError(f"{len(self.oov_rows)} rows for unknown words; expected one")
        return 1 + len(self) - self.marker_row("end")

    def entry(self, row: int) -> str:
        """What stands in a row: a word, or one of the first entries, such as `<unk>`."""
        return self._entries[row]

    def marker_row(self, name: str) -> int:
        """The row of a marker: `null`, `start` or `end`.

        Raises:
            ValueError: there is no such marker.
        """
        if name not in MARKERS:
            raise ValueError(f"no marker is named {name!r}; there are {', '.join(MARKERS)}")
        return self.oov_rows.stop + MARKERS.index(name)

    def ids(self, words: Sequence[str]) -> Int32[np.ndarray, " T"]:
        """The row of each of T words."""
        rows = (self._rows.get(word) or self._oov_row(word) for word in words)
        return np.fromiter(rows, dtype=np.int32, count=len(words))

    def _oov_row(self, word: str) -> int:
        # A checksum, since Python's own hash differs from process to process.
        return self.oov_rows[zlib.crc32(word.encode("utf-8", "surrogatepass")) % len(self.oov_rows)]

    def to_bytes(self) -> bytes:
        """`vocabulary.txt`: row r in line r + 1."""
        return "".join(f"{entry}\n" for entry in self._entries).encode("utf-8", "surrogatepass")

    def save(self, path: Path) -> None:
        """Writes `vocabulary.txt` durably."""
        durable.write(path, self.to_bytes())

    @classmethod
    def open(cls, path: Path) -> Vocabulary:
        """Reads `vocabulary.txt`.

        Raises:
            InputError: the file cannot be read, is cut short within a line, or is not as `save` writes it.
        """
        entries = _read_entries(path)
        oov_rows = 1 if entries[1:2] == [_UNKNOWN] else HASHED_ROWS
        first = _first_entries(oov_rows)
        for row, expected in enumerate(first):
            if entries[row : row + 1] != [expected]:
                found = repr(entries[row]) if row < len(entries) else "the end of the file"
                raise InputError(f"expected {expected}, found {found}", file=path, line=row + 1)
        try:
            return cls(words=entries[len(first) :], oov_rows=oov_rows)
        except _EntryError as error:
            raise InputError(str(error), file=path, line=error.row + 1) from error


def _first_entries(oov_rows: int) -> list[str]:
    unknown = [_UNKNOWN] if oov_rows == 1 else [f"<unk-{row}>" for row in range(oov_rows)]
    return [_PADDING, *unknown, *(f"<{name}>" for name in MARKERS)]


def _rows_by_entry(entries: Sequence[str]) -> dict[str, int]:
    rows: dict[str, int] = {}
    for row, entry in enumerate(entries):
        if not entry or "\n" in entry:
            raise _EntryError(f"expected a word without a line break, found {entry!r}", row)
        if entry in rows:
            raise _EntryError(f"{entry!r} stands in row {rows[entry]} already", row)
        rows[entry] = row
    return rows


def _read_entries(path: Path) -> list[str]:
    # Lines end in "\n" alone: a word may hold U+2028 or another sign that Python's text files take for a
    # line's end.
    try:
        lines = path.read_bytes().split(b"\n")
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", file=path) from error
    if lines.pop():
        raise InputError("the file is cut short: its last line has no end", file=path, line=len(lines) + 1)
    entries = []
    for number, line in enumerate(lines, start=1):
        try:
            entries.append(line.decode("utf-8", "surrogatepass"))
        except UnicodeDecodeError as error:
            raise InputError("expected UTF-8", file=path, line=number) from error
    return entries
