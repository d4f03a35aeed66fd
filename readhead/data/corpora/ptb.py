"""The Penn Treebank (Marcus et al., 1993) as language models read it since Mikolov et al. (2010)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import ClassVar

from readhead.data.corpora.lines import Line, LineFiles
from readhead.data.example import Example
from readhead.errors import InputError

UNKNOWN = "<unk>"
"""What the files have in place of every word that is too rare."""

_FILES = LineFiles({"train": "ptb/ptb.train.txt", "dev": "ptb/ptb.valid.txt", "test": "ptb/ptb.test.txt"})
_MARKS = frozenset({"<eos>", "<s>", "</s>"})


class PTB:
    """49,199 sentences of the Wall Street Journal, without labels: 42,068 / 3,370 / 3,761.

    A sentence a line, words parted by spaces: lower-cased, without punctuation, numbers written N, and of all words
    the 9,998 most frequent beside `<unk>`. `dev` is what the files call valid.
    """

    fields = ("text",)
    labels: tuple[str, ...] = ()
    splits = tuple(_FILES.names)
    complete = True
    sizes: ClassVar[Mapping[str, int]] = {"train": 42_068, "dev": 3_370, "test": 3_761}

    def __init__(self) -> None:
        self.dropped: Counter[str] = Counter()

    def read(self, split: str, directory: Path | None) -> Iterator[Example]:
        """Streams a split's sentences; their label is None and none is dropped.

        Raises:
            InputError: an unknown split, a missing file, a line that is blank or holds a mark of its end, or a file
                without any `<unk>`, which is another form of the treebank.
        """
        lines = _FILES.read(split, directory)
        self.dropped[split] = 0
        return _examples(lines)

    def files(self, directory: Path | None) -> dict[str, Path]:
        """By split, the file it is read from, where it is there."""
        return _FILES.files(directory)


def _examples(lines: Iterable[Line]) -> Iterator[Example]:
    file, met_unknown = None, False
    for line in lines:
        words = tuple(line.text.split())
        if mark := next((word for word in words if word in _MARKS), None):
            raise line.error(f"the word {mark}; expected bare sentences, since [text] first and last add marks")
        file, met_unknown = line.file, met_unknown or UNKNOWN in words
        yield Example({"text": words}, None, line.origin)
    if not met_unknown:
        expected = f"expected the form with 10,000 words, where every rarer word is {UNKNOWN}"
        raise InputError(f"no word of the file is {UNKNOWN}; {expected}", file=file)
