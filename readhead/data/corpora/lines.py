"""Corpora that are plain text, an example a line: each split one UTF-8 file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from readhead.data.corpora.corpus import check_split, missing_file
from readhead.data.problem import Problem
from readhead.data.records import BLANK, Record, read_as
from readhead.errors import InputError


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a file, without its end.

    number: counted from 1.
    """

    text: str
    number: int
    file: Path

    @property
    def origin(self) -> str:
        """As in `Example.origin`."""
        return f"{self.file.name}:{self.number}"

    def error(self, message: str) -> InputError:
        """What is wrong with it."""
        return InputError(message, file=self.file, line=self.number)


class LineFiles:
    """The splits of a corpus, each one text file below the corpora directory.

    names: by split, the file below that directory: `ptb/ptb.train.txt`.
    """

    def __init__(self, names: Mapping[str, str]) -> None:
        self.names = names

    def read(self, split: str, directory: Path | None) -> Iterator[Line]:
        """Streams a split's lines; the first that is blank or not UTF-8 raises `InputError`, as a missing file does."""
        check_split(split, tuple(self.names))
        path = (directory or Path()) / self.names[split]
        if directory is None or not path.is_file():
            raise missing_file(self.names[split], directory)
        return _lines(path)

    def files(self, directory: Path | None) -> dict[str, Path]:
        """By split, the file it is read from, where it is there."""
        paths = {} if directory is None else {split: directory / name for split, name in self.names.items()}
        return {split: path for split, path in paths.items() if path.is_file()}


def _lines(path: Path) -> Iterator[Line]:
    for record in read_as(_records, path):
        if isinstance(record, Problem):
            raise record.error(path)
        yield Line(str(record.values["text"]), record.line, path)


def _records(stream: BinaryIO) -> Iterator[Record | Problem]:
    """Each line as a record; blank lines count for nothing at the end of the file, and there alone."""
    first_blank = None
    for number, raw in enumerate(stream, start=1):
        try:
            text = raw.decode("utf-8-sig" if number == 1 else "utf-8").rstrip("\r\n")
        except UnicodeDecodeError as error:
            yield Problem("encoding", f"byte 0x{raw[error.start]:02x} is not UTF-8; expected a UTF-8 file", number)
            return
        if text.strip():
            if first_blank is not None:
                yield Problem(BLANK, "blank line; expected an example, or the end of the file", first_blank)
                first_blank = None
            yield Record(number, {"text": text})
        elif first_blank is None:
            first_blank = number
