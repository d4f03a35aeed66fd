"""IMDB's 50,000 reviews with their ratings (Maas et al., 2011), as the tables that `data/reviews.py` makes."""

from __future__ import annotations

import lzma
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from readhead.data.corpora.corpus import missing_file
from readhead.errors import InputError

_COLUMNS = "polarity, number, rating (1-4, 7-10) and text, parted by tabs"
_RATINGS = frozenset({"1", "2", "3", "4", "7", "8", "9", "10"})
_BREAK = re.compile(r"(?:<br\s*/?>\s*)+")


@dataclass(frozen=True, slots=True)
class Review:
    """One review.

    rating: 1 to 4 or 7 to 10.
    text: with its paragraphs' ends as single spaces, where the page has line breaks.
    origin: as in `Example.origin`.
    """

    rating: int
    text: str
    origin: str


def rated_reviews(split: str, directory: Path | None) -> Iterator[Review]:
    """Streams the reviews of `train` or `test`, in the table's order.

    directory: where the corpora lie.
    Raises: InputError for a missing file, one that can't be unpacked, or a line of another form.
    """
    path = table(split, directory)
    if path is None:
        raise missing_file(_name(split), directory)
    with lzma.open(path, "rt", encoding="utf-8", newline="\n") as lines:
        for number, line in enumerate(_readable(lines, path), start=1):
            columns = line.rstrip("\r\n").split("\t")
            text = _BREAK.sub(" ", columns[-1]).strip()
            if len(columns) != 4 or columns[2] not in _RATINGS or not text:
                raise InputError(f"expected {_COLUMNS}", file=path, line=number)
            yield Review(int(columns[2]), text, f"{path.name}:{number}")


def table(split: str, directory: Path | None) -> Path | None:
    """The file of a split's reviews, where it is there."""
    path = None if directory is None else directory / _name(split)
    return path if path is not None and path.is_file() else None


def _name(split: str) -> str:
    return f"imdb/{split}.tsv.xz"


def _readable(lines: Iterator[str], path: Path) -> Iterator[str]:
    try:
        yield from lines
    except (lzma.LZMAError, EOFError, UnicodeDecodeError) as error:
        raise InputError(f"cannot be unpacked: {error}", file=path) from error
