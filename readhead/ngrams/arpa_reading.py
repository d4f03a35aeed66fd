"""Reading a model from an ARPA file, every line of which is checked."""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import numpy as np
from jaxtyping import Float32, Int64

from readhead.errors import InputError
from readhead.ngrams.model import NGramModel, Table, find

_COUNT = re.compile(rb"ngram\s+(\d{1,18})\s*=\s*(\d{1,18})")
_LARGEST = float(np.finfo(np.float32).max)


def read_arpa(path: Path) -> tuple[NGramModel, list[str]]:
    """Reads an n-gram model, pruned or not, of any toolkit.

    Returns the model, and its V words in the order of the file: a word's place is its id. `<s>`, `</s>` and `<unk>`
    are among them; `<s>` is never predicted, whatever probability the file gives it.

    Raises:
        InputError: the file cannot be read, is cut short, or is not as the format has it: as many n-grams as its head
            announces, each with its log-probability, its backoff, and its first n - 1 words an n-gram too.
    """
    try:
        with path.open("rb") as stream:
            return _read(_Lines(path, stream))
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", file=path) from error


def _read(lines: _Lines) -> tuple[NGramModel, list[str]]:
    counts = _read_counts(lines)
    sections = [_Section(lines, n, count, n == len(counts)) for n, count in enumerate(counts, start=1)]
    words, table = _read_words(sections[0])
    ids = {word: number for number, word in enumerate(words)}
    tables = [table]
    for section in sections[1:]:
        tables.append(_read_ngrams(section, ids, tables))
    lines.expect("\\end\\", f" behind the {counts[-1]} {len(counts)}-grams announced")
    lines.expect_nothing()
    return NGramModel(tables=tables), [word.decode("utf-8", "surrogatepass") for word in words]


class _Lines:
    """The lines of a file, counted."""

    def __init__(self, path: Path, stream: BinaryIO) -> None:
        self.number = 0
        self._path, self._stream = path, stream

    def error(self, message: str, line: int | None = None) -> InputError:
        """What is wrong in a line; the last one read if no other is named."""
        return InputError(message, file=self._path, line=line or self.number)

    def read(self) -> bytes:
        """The next line, without the spaces at its ends."""
        line = self._stream.readline()
        self.number += 1
        stripped = line.strip()
        if not line.endswith(b"\n") and stripped != b"\\end\\":
            raise self.error("the file is cut short: expected \\end\\ in its last line")
        return stripped

    def expect(self, wanted: str, where: str = "") -> None:
        """Passes over empty lines and the wanted one."""
        while not (line := self.read()):
            pass
        if line != wanted.encode():
            raise self.error(f"expected {wanted}{where}, found {_shown(line)}")

    def expect_nothing(self) -> None:
        """Passes over empty lines to the end of the file."""
        for line in self._stream:
            self.number += 1
            if line.strip():
                raise self.error(f"expected nothing behind \\end\\, found {_shown(line.strip())}")


@dataclass(frozen=True, slots=True)
class _Section:
    """The n-grams of one order, as they stand in the file."""

    lines: _Lines
    n: int
    count: int
    is_highest: bool

    def rows(self) -> Iterator[tuple[list[bytes], float, float]]:
        """The words, the log-probability and the backoff of each n-gram."""
        self.lines.expect(f"\\{self.n}-grams:", " behind the n-grams announced" if self.n > 1 else "")
        for seen in range(self.count):
            fields = self.lines.read().split()
            if not fields or fields[0].startswith(b"\\"):
                raise self.lines.error(f"expected {self.count} {self.n}-grams, as announced, found {seen}")
            if len(fields) == self.n + 1:
                fields.append(b"0")
            elif len(fields) != self.n + 2 or self.is_highest:
                backoff = "" if self.is_highest else " and a backoff or none"
                message = f"expected a log-probability, words: {self.n}{backoff}; found {len(fields)} fields"
                raise self.lines.error(message)
            yield fields[1:-1], self._log_probability(fields[0]), self._number(fields[-1])

    def _log_probability(self, field: bytes) -> float:
        value = self._number(field)
        if value > 0:
            raise self.lines.error(f"expected a log-probability, which is 0 at most, found {_shown(field)}")
        return value

    def _number(self, field: bytes) -> float:
        try:
            value = float(field)
        except ValueError:
            value = np.nan
        if not abs(value) <= _LARGEST:
            raise self.lines.error(f"expected a finite number, found {_shown(field)}")
        return value


def _read_counts(lines: _Lines) -> list[int]:
    lines.expect("\\data\\")
    counts: list[int] = []
    while (line := lines.read()) or not counts:
        found = _COUNT.fullmatch(line)
        if found is None or int(found[1]) != len(counts) + 1 or int(found[2]) == 0:
            raise lines.error(f"expected ngram {len(counts) + 1}= and a number above 0, found {_shown(line)}")
        counts.append(int(found[2]))
    return counts


def _read_words(section: _Section) -> tuple[list[bytes], Table]:
    words: dict[bytes, None] = {}
    probabilities, backoffs = array("f"), array("f")
    for (word,), probability, backoff in section.rows():
        if word in words:
            raise section.lines.error(f"expected each word once, found {_shown(word)} again")
        if not _is_text(word):
            raise section.lines.error(f"expected UTF-8, found {_shown(word)}")
        words[word] = None
        probabilities.append(-np.inf if word == b"<s>" else probability)
        backoffs.append(backoff)
    for mark in (b"<s>", b"</s>", b"<unk>"):
        if mark not in words:
            raise section.lines.error(f"expected {mark.decode()} among the 1-grams, which end here without it")
    return list(words), Table(np.arange(len(words)), _floats(probabilities), _floats(backoffs))


def _read_ngrams(section: _Section, ids: Mapping[bytes, int], below: Sequence[Table]) -> Table:
    """The n-grams of one order above 1. below: the tables of the orders 1 to n - 1."""
    words, probabilities, backoffs = array("q"), array("f"), array("f")
    for gram, probability, backoff in section.rows():
        try:
            words.extend([ids[word] for word in gram])
        except KeyError as error:
            raise section.lines.error(f"expected words of the 1-grams, found {_shown(error.args[0])}") from None
        probabilities.append(probability)
        backoffs.append(backoff)
    first_line = section.lines.number + 1 - section.count
    keys = _keys(np.frombuffer(words, dtype=np.int64).reshape(-1, section.n), below)
    for row in np.flatnonzero(keys < 0)[:1].tolist():
        message = f"expected an n-gram that goes on from one of the {section.n - 1}-grams; its first words are none"
        raise section.lines.error(message, first_line + row)
    order = np.argsort(keys, kind="stable")
    again = order[1:][np.diff(keys[order]) == 0]
    if len(again):
        raise section.lines.error("expected each n-gram once, found this one again", first_line + int(again.min()))
    return Table(keys[order], _floats(probabilities)[order], _floats(backoffs)[order])


def _keys(words: Int64[np.ndarray, "G n"], below: Sequence[Table]) -> Int64[np.ndarray, " G"]:
    """The keys of n-grams, as in `Table`; below 0 where the first n - 1 words are not an n-gram of `below`."""
    vocabulary_size = len(below[0].keys)
    number = words[:, 0]
    for table, word in zip(below[1:], words.T[1:], strict=False):
        number = find(table.keys, number * vocabulary_size + word)
    keys: Int64[np.ndarray, " G"] = number * vocabulary_size + words[:, -1]
    return keys


def _floats(values: array[float]) -> Float32[np.ndarray, " G"]:
    return np.frombuffer(values, dtype=np.float32)


def _is_text(word: bytes) -> bool:
    try:
        word.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        return False
    return True


def _shown(found: bytes) -> str:
    return repr(found[:60].decode("utf-8", "replace"))
