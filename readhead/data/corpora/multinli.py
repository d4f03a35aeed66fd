"""The Multi-Genre Natural Language Inference corpus (Williams et al., 2018)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import ClassVar, Literal

from readhead.data.corpora.nli import FIELDS, LABELS, NLIFiles
from readhead.data.example import Example

_STEMS = {split: f"multinli/multinli_1.0_{split}" for split in ("train", "dev_matched", "dev_mismatched")}


class MultiNLI:
    """433,000 pairs from ten genres; the genre, where the file tells it, is a tag.

    text: `sentence` for the raw sentences, `parse` for the words of the binary parses that come with them.
    """

    fields = FIELDS
    labels = LABELS
    complete = True
    sizes: ClassVar[Mapping[str, int]] = {}

    def __init__(self, *, text: Literal["sentence", "parse"] = "sentence") -> None:
        self._files = NLIFiles(_STEMS, text=text)
        self.splits = self._files.splits
        self.dropped: Counter[str] = self._files.dropped

    def read(self, split: str, directory: Path | None) -> Iterator[Example]:
        """Streams the labelled pairs of a split. Raises `InputError`."""
        return self._files.read(split, directory)

    def files(self, directory: Path | None) -> dict[str, Path]:
        """By split, the file it is read from, where it is there."""
        return self._files.files(directory)
