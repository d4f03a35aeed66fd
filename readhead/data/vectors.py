"""Pretrained word vectors: from a file of any size, the rows that a vocabulary needs."""

from __future__ import annotations

import gzip
import lzma
import re
import zipfile
import zlib
from collections.abc import Container, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from io import BufferedReader, RawIOBase
from pathlib import Path
from typing import IO, cast

import numpy as np
from jaxtyping import Bool, Float32

from readhead.data.vocabulary import OOV, Vocabulary
from readhead.errors import InputError

_BUFFER = 1 << 20  # bytes
_LONGEST_LINE = 1 << 20  # bytes; a file without line ends is refused before it fills the memory
_HEADER = re.compile(rb"(\d+) (\d+)[ \r\n]*")
_BROKEN = (EOFError, gzip.BadGzipFile, lzma.LZMAError, zipfile.BadZipFile, zlib.error)


@dataclass(frozen=True, slots=True)
class Vectors:
    """N words and their vectors, in the order of their file: the most frequent first.

    words: N words.
    rows: [N, E].
    most_frequent: the file's first words, as many as were asked for; all of them are among `words`.
    """

    words: list[str]
    rows: Float32[np.ndarray, "N E"]
    most_frequent: list[str]


def read_vectors(path: Path, *, wanted: Container[str], most_frequent: int, dim: int | None = None) -> Vectors:
    """Reads GloVe's text format (Pennington et al. 2014) in one pass: a word and its E values a line.

    A first line of two whole numbers, as word2vec writes it, is taken for their count and their width. A
    word may hold spaces. Only the rows that come back are ever in memory, and only they are parsed.

    path: the text file, or `.gz`, `.xz` or `.zip` of it.
    wanted: words whose vectors are taken.
    most_frequent: number of the file's first words that are taken, wanted or not.
    dim: E, if it must have a certain value; otherwise the file's.

    Raises:
        InputError: the file cannot be read, is cut short, empty, not UTF-8, or a line has another width or
            something that is no finite number.
    """
    rows = bytearray()
    words: dict[str, None] = {}
    frequent: list[str] = []
    announced, width, found = None, dim or 0, 0
    for number, line in _numbered_lines(path, dim):
        try:
            if number == 1:
                announced, width = _first_line(line, dim)
                if announced is not None:
                    continue
            word, values = _split(line, width)
            found += 1
            # A word that comes again is passed over: files are sorted by frequency, so the first is the word
            # itself, the later one some rare spelling that was folded into it.
            if word not in words and (found <= most_frequent or word in wanted):
                words[word] = None
                rows += _parsed(values, width).tobytes()
                if found <= most_frequent:
                    frequent.append(word)
        except ValueError as error:
            raise InputError(str(error), file=path, line=number) from error
    if not found:
        raise InputError("expected a word and its values in each line, found none", file=path)
    if announced not in {None, found}:
        raise InputError(f"announces {announced} vectors, the file holds {found}", file=path, line=1)
    return Vectors(list(words), np.frombuffer(rows, dtype=np.float32).reshape(-1, width), frequent)


def embedding_table(
    vocabulary: Vocabulary,
    vectors: Vectors | None,
    *,
    dim: int,
    oov: OOV,
    normalise: bool,
    seed: int,
    length: float | None = None,
) -> tuple[Float32[np.ndarray, "V E"], Bool[np.ndarray, " V"]]:
    """The first value of an embedding table, and which of its rows are pretrained.

    Padding is zero, and so is the row of unknown words under `zero` (Munkhdalai & Yu 2017). All other rows
    without a vector are N(0, 1), as Cheng et al. 2016 and Parikh et al. 2016 draw theirs. With no vectors
    at all they are N(0, 1/E): of length 1, as normalised vectors are, since then nothing sets a scale that
    they must meet.

    vectors: of width E; None where there are none.
    dim: E.
    oov: the policy that `vocabulary` was built with.
    normalise: whether every row that is not zero gets the length 1 (L2).
    seed: the drawn rows depend on it and on the vocabulary alone.
    length: of drawn rows, about; None for that of the distributions above.

    Returns:
        The table [V, E], and the mask [V], True = the row is a pretrained vector.

    Raises:
        ValueError: the vectors are not of width `dim`.
    """
    if vectors is not None and vectors.rows.shape[1] != dim:
        raise ValueError(f"expected vectors of width {dim}, found {vectors.rows.shape[1]}")
    generator = np.random.default_rng(seed)
    table = generator.standard_normal((len(vocabulary), dim), dtype=np.float32)  # [V, E]
    pretrained = np.zeros(len(vocabulary), dtype=np.bool_)
    if length is not None:
        table *= length / np.sqrt(dim)
    elif vectors is None:
        table /= np.sqrt(dim)
    if vectors is not None:
        rows, indices = np.array(list(_places(vocabulary, vectors)), dtype=np.int64).reshape(-1, 2).T
        table[rows] = vectors.rows[indices]
        pretrained[rows] = True
    table[0] = 0
    if oov == "zero":
        table[vocabulary.oov_rows] = 0
    if normalise:
        lengths = np.linalg.norm(table, axis=1, keepdims=True)  # [V, 1]
        table /= np.where(lengths > 0, lengths, 1)
    return table, pretrained


def _places(vocabulary: Vocabulary, vectors: Vectors) -> Iterator[tuple[int, int]]:
    index = {word: position for position, word in enumerate(vectors.words)}
    for row, word in zip(vocabulary.word_rows, vocabulary.words, strict=True):
        if word in index:
            yield row, index[word]


def _first_line(line: bytes, dim: int | None) -> tuple[int | None, int]:
    """The number of vectors, where the line announces it, and their width."""
    header = _HEADER.fullmatch(line)
    if header:
        announced, width = int(header[1]), int(header[2])
    else:
        announced, width = None, len(line.split()) - 1
    if width < 1:
        raise ValueError("expected a word and its values, separated by spaces")
    # A first word that holds spaces makes the line look wider than it is: `_split` will tell.
    if dim is not None and (width < dim or (header and width != dim)):
        raise ValueError(f"expected vectors of {dim} values, found {width}")
    return announced, dim or width


def _split(line: bytes, width: int) -> tuple[str, bytes]:
    """The word and its values, not yet parsed: of most lines only the word is of use."""
    line = line.rstrip(b" \r\n")
    excess = line.count(b" ") - width
    if excess == 0:
        word, _, values = line.partition(b" ")
    else:
        # The values are counted from the right, since GloVe 840B has words such as ". . ."; but where what
        # would belong to the word is a number, the line is too long.
        word, *parts = line.rsplit(b" ", width)
        if excess < 0 or all(_is_number(part) for part in word.split(b" ")[1:]):
            raise ValueError(f"expected a word and {width} values, found {width + excess} values")
        values = b" ".join(parts)
    try:
        return word.decode("utf-8"), values
    except UnicodeDecodeError as error:
        raise ValueError(f"expected UTF-8, found {word!r}") from error


def _is_number(part: bytes) -> bool:
    try:
        float(part)
    except ValueError:
        return False
    return True


def _parsed(values: bytes, width: int) -> Float32[np.ndarray, " E"]:
    try:
        row = np.array(values.split(b" "), dtype=np.float32)
    except ValueError as error:
        raise ValueError(f"expected {width} numbers; {error}") from error
    if not np.isfinite(row).all():
        raise ValueError(f"expected {width} finite numbers, found {row[~np.isfinite(row)][0]}")
    return row


def _numbered_lines(path: Path, dim: int | None) -> Iterator[tuple[int, bytes]]:
    number = 0
    try:
        with _opened(path, dim) as stream:
            for line in iter(partial(stream.readline, _LONGEST_LINE), b""):
                number += 1
                if len(line) == _LONGEST_LINE:
                    raise InputError("expected a word and its values, found no line end", file=path, line=number)
                yield number, line
    except _BROKEN as error:
        raise InputError(f"the file is broken or cut short: {error}", file=path, line=number + 1) from error
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or error}", file=path) from error


@contextmanager
def _opened(path: Path, dim: int | None) -> Iterator[BufferedReader]:
    with ExitStack() as stack:
        stream: IO[bytes] | gzip.GzipFile | lzma.LZMAFile
        if path.suffix == ".zip":
            archive = stack.enter_context(zipfile.ZipFile(path))
            stream = archive.open(_member(archive, path, dim))
        elif path.suffix == ".gz":
            stream = stack.enter_context(gzip.open(path))
        elif path.suffix == ".xz":
            stream = stack.enter_context(lzma.open(path))
        else:
            stream = stack.enter_context(path.open("rb"))
        yield stack.enter_context(BufferedReader(cast(RawIOBase, stream), _BUFFER))


def _member(archive: zipfile.ZipFile, path: Path, dim: int | None) -> zipfile.ZipInfo:
    """The one text file of an archive; of several (GloVe 6B has four) the one with the width in its name."""
    members = [member for member in archive.infolist() if not member.is_dir()]
    if len(members) > 1:
        members = [member for member in members if f".{dim}d." in member.filename]
    if len(members) != 1:
        names = ", ".join(archive.namelist())
        raise InputError(f"expected one file of vectors in the archive, found {names or 'none'}", file=path)
    if members[0].flag_bits & 1:
        raise InputError("the archive is encrypted; unpack it first", file=path)
    return members[0]
