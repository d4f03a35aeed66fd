"""A training set mixed from five corpora of sentence pairs, scored on SNLI and MultiNLI."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import cycle, islice
from pathlib import Path
from typing import ClassVar

from readhead.data.corpora.nli import FIELDS, LABELS, NLIFiles
from readhead.data.example import Example
from readhead.errors import InputError

SOURCES = ("snli", "multinli", "lingnli", "semi-automatic", "cad")
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

    sources: which parts are trained on; the pairs of the others count as dropped. Empty = all.
    balanced: whether, at the end of the training set, the pairs of the rarer labels of a source stand there again, the
        first of them first, until its labels are even. Of SNLI's pairs one in eight is a contradiction, and a reader
        that can tell SNLI's pairs from others learns not to expect one.

    Raises: InputError for an unknown source.
    """

    fields = FIELDS
    labels = LABELS
    complete = False
    sizes: ClassVar[Mapping[str, int]] = {}

    def __init__(self, *, sources: tuple[str, ...] = (), balanced: bool = False) -> None:
        self._left_out = _left_out(sources)
        self._balanced = balanced
        self._files = NLIFiles(_STEMS, text="sentence")
        self.splits = self._files.splits
        self.dropped: Counter[str] = self._files.dropped

    def read(self, split: str, directory: Path | None) -> Iterator[Example]:
        """Streams the labelled pairs of a split. Raises `InputError`."""
        pairs = self._files.read(split, directory)
        if split != "train":
            return pairs
        chosen = self._chosen(pairs)
        return _balanced(chosen) if self._balanced else chosen

    def files(self, directory: Path | None) -> dict[str, Path]:
        """By split, the file it is read from, where it is there."""
        return self._files.files(directory)

    def _chosen(self, pairs: Iterable[Example]) -> Iterator[Example]:
        for pair in pairs:
            if pair.tags.get("source") in self._left_out:
                self.dropped["train"] += 1
            else:
                yield pair


def _left_out(sources: Sequence[str]) -> set[str]:
    unknown = [source for source in sources if source not in SOURCES]
    if unknown:
        raise InputError(f"[corpus] sources: no source '{unknown[0]}'; expected some of {', '.join(SOURCES)}")
    return set(SOURCES) - set(sources or SOURCES)


def _balanced(pairs: Iterable[Example]) -> Iterator[Example]:
    """All pairs, then those that even out the labels of each source."""
    by_label: dict[str, dict[str, list[Example]]] = defaultdict(lambda: defaultdict(list))
    for pair in pairs:
        by_label[pair.tags.get("source", "")][str(pair.label)].append(pair)
        yield pair
    for labels in by_label.values():
        most = max(map(len, labels.values()))
        for some in labels.values():
            yield from islice(cycle(some), most - len(some))
