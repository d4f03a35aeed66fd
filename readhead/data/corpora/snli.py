"""The Stanford Natural Language Inference corpus (Bowman et al., 2015)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

from readhead.data.corpora.nli import FIELDS, LABELS, NLIFiles
from readhead.data.example import Example

_TRAIN = {"complete": "snli/snli_1.0_train", "partial": "snli/snli_1.0_train_partial"}


class SNLI:
    """570,152 pairs of captions; 549,367 / 9,842 / 9,824 of them have an agreed label.

    text: `sentence` for the raw sentences, `parse` for the words of the binary parses that come with them.
    train: `complete`, or `partial` for a part of the training pairs in `snli_1.0_train_partial.jsonl`: a
        part has a file name of its own, so that it never passes for the whole.
    """

    fields = FIELDS
    labels = LABELS

    def __init__(
        self,
        *,
        text: Literal["sentence", "parse"] = "sentence",
        train: Literal["complete", "partial"] = "complete",
    ) -> None:
        stems = {"train": _TRAIN[train], "dev": "snli/snli_1.0_dev", "test": "snli/snli_1.0_test"}
        self._files = NLIFiles(stems, text=text)
        self.splits = self._files.splits
        self.dropped: Counter[str] = self._files.dropped
        self.complete = train == "complete"
        self.sizes = {"train": 549_367, "dev": 9_842, "test": 9_824} if self.complete else {}

    def read(self, split: str, directory: Path | None) -> Iterator[Example]:
        """Streams the labelled pairs of a split. Raises `InputError`."""
        return self._files.read(split, directory)

    def files(self, directory: Path | None) -> dict[str, Path]:
        """By split, the file it is read from, where it is there."""
        return self._files.files(directory)
