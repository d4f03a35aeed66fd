"""IMDB's reviews (Maas et al., 2011) as plain text for a language model: passages of one to three sentences."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import cycle
from pathlib import Path
from typing import ClassVar

from readhead.data.corpora.corpus import check_split
from readhead.data.corpora.rated_reviews import rated_reviews, table
from readhead.data.example import Example

HELD_OUT = 50
"""Of so many reviews, one is held out."""

_TABLES = {"train": "train", "dev": "train", "test": "test"}
_LENGTHS = (1, 2, 3)  # sentences
# A stop, what closes behind it, a space, and what may begin a sentence.
_END = re.compile(r"(?<=[.!?])([\"')\]]*)\s+(?=[\"'(\[]*[A-Z0-9])")
_NO_END = re.compile(r"(?:\b(?:Mr|Mrs|Ms|Dr|Prof|St|Jr|Sr|Sgt|Lt|Capt|Col|Gen|vs|No)|\b[A-Z])\.$")


class IMDBText:
    """Passages of film reviews without their ratings: a review's sentences, one, two, three, one, ... at a time.

    So a reader meets texts of one sentence and texts that go on. Every fiftieth review is held out: `dev` has those of
    the file to train on, which `train` lacks, and `test` those of the file to test on.
    """

    fields = ("text",)
    labels: tuple[str, ...] = ()
    splits = tuple(_TABLES)
    complete = True
    sizes: ClassVar[Mapping[str, int]] = {"train": 161_247, "dev": 3_252, "test": 3_190}

    def __init__(self) -> None:
        self.dropped: Counter[str] = Counter()

    def read(self, split: str, directory: Path | None) -> Iterator[Example]:
        """Streams a split's passages, review by review; they have no label, none is dropped. Raises `InputError`."""
        check_split(split, self.splits)
        reviews = rated_reviews(_TABLES[split], directory)
        self.dropped[split] = 0
        for number, review in enumerate(reviews, start=1):
            if (number % HELD_OUT == 0) == (split != "train"):
                yield from (Example({"text": passage}, None, review.origin) for passage in passages(review.text))

    def files(self, directory: Path | None) -> dict[str, Path]:
        """By split, the file it is read from, where it is there."""
        paths = {split: table(of, directory) for split, of in _TABLES.items()}
        return {split: path for split, path in paths.items() if path is not None}


def passages(review: str) -> Iterator[str]:
    """A review cut into passages of whole sentences: one, two, three, one, ... of them, and at the end what is left."""
    left, lengths = sentences(review), cycle(_LENGTHS)
    while left:
        length = next(lengths)
        yield " ".join(left[:length])
        left = left[length:]


def sentences(text: str) -> list[str]:
    """The sentences of a text, each without the space around it: cut behind stops, but not behind `Mr.` or `J.`."""
    found: list[str] = []
    goes_on = False
    for piece in _END.sub("\\1\n", text.strip()).split("\n"):
        found[-1:] = [f"{found[-1]} {piece}"] if goes_on else [*found[-1:], piece]
        goes_on = bool(_NO_END.search(piece))
    return found
