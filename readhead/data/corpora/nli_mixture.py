"""A training set mixed from five corpora of sentence pairs, scored on SNLI and MultiNLI."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import ClassVar

from readhead.data.corpora.nli import FIELDS, LABELS, NLIFiles
from readhead.data.example import Example

_STEMS = {
    "train": "nli-mixture/train",
    "dev": "snli/snli_1.0_dev",
    "test": "snli/snli_1.0_test",
    "multinli_matched": "multinli/multinli_1.0_dev_matched",
}


class NLIMixture:
    """Parts of SNLI, MultiNLI, LingNLI, semi-automatic and counterfactual NLI, as the tag `source` tells.

    `dev` and `test` are SNLI's own, `multinli_matched` is MultiNLI's matched development set. The training
    set is no published corpus and holds only a part of each: what is trained on it reproduces no figure.
    """

    fields = FIELDS
    labels = LABELS
    complete = False
    sizes: ClassVar[Mapping[str, int]] = {}

    def __init__(self) -> None:
        self._files = NLIFiles(_STEMS, text="sentence")
        self.splits = self._files.splits
        self.dropped: Counter[str] = self._files.dropped

    def read(self, split: str, directory: Path | None) -> Iterator[Example]:
        """Streams the labelled pairs of a split. Raises `InputError`."""
        return self._files.read(split, directory)

    def files(self, directory: Path | None) -> dict[str, Path]:
        """By split, the file it is read from, where it is there."""
        return self._files.files(directory)
