"""The Stanford Sentiment Treebank (Socher et al., 2013)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Literal

from readhead.data.corpora.corpus import labelled
from readhead.data.corpora.lines import Line, LineFiles
from readhead.data.example import Example
from readhead.data.trees import LabelledTree, labelled_tree

_FILES = LineFiles({split: f"sst/trees/{split}.txt" for split in ("train", "dev", "test")})
_NAMES = {
    "fine": {"0": "very negative", "1": "negative", "2": "neutral", "3": "positive", "4": "very positive"},
    "binary": {"0": "negative", "1": "negative", "3": "positive", "4": "positive"},
}

_SIZES = {
    "fine": {"train": 8_544, "dev": 1_101, "test": 2_210},
    "binary": {"train": 6_920, "dev": 872, "test": 1_821},
}
_PHRASES = {"fine": 318_582, "binary": 98_794}  # in the training trees


class SST:
    """11,855 sentences of film reviews as trees, in which every phrase has a label: 8,544 / 1,101 / 2,210.

    labels: `fine` for the five classes of the files; `binary` for two, without the neutral ones, which count as
        dropped: 6,920 / 872 / 1,821 sentences are left.
    train: what is trained on: `sentences`, or `phrases` for all phrases of the training trees too, single words
        among them, as often as they occur: the same words may come with several labels. `dev` and `test` are
        sentences.
    """

    fields = ("text",)
    splits = tuple(_FILES.names)
    complete = True

    def __init__(
        self,
        *,
        labels: Literal["fine", "binary"] = "fine",
        train: Literal["sentences", "phrases"] = "sentences",
    ) -> None:
        self._name_of = _NAMES[labels]
        self.sizes = _SIZES[labels] | ({} if train == "sentences" else {"train": _PHRASES[labels]})
        self._every_phrase = {"train"} if train == "phrases" else set()
        self.labels = tuple(dict.fromkeys(self._name_of.values()))
        self.dropped: Counter[str] = Counter()

    def read(self, split: str, directory: Path | None) -> Iterator[Example]:
        """Streams a split, tree by tree, a tree's phrases from the whole to the words. Raises `InputError`."""
        lines = _FILES.read(split, directory)
        return labelled(self._examples(lines, split in self._every_phrase), split=split, dropped=self.dropped)

    def files(self, directory: Path | None) -> dict[str, Path]:
        """By split, the file it is read from, where it is there."""
        return _FILES.files(directory)

    def _examples(self, lines: Iterable[Line], every_phrase: bool) -> Iterator[Example]:
        for line in lines:
            tree = _tree(line)
            for phrase in tree.phrases if every_phrase else tree.phrases[:1]:
                words = tree.words[phrase.start : phrase.end]
                yield Example({"text": words}, self._name_of.get(phrase.label), line.origin)


def _tree(line: Line) -> LabelledTree:
    try:
        return labelled_tree(line.text, labels=_NAMES["fine"])
    except ValueError as error:
        raise line.error(str(error)) from error
