"""The embedded default: a generated entailment corpus whose labels follow from the semantics of a grammar."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import ClassVar

from readhead.data.corpora.corpus import check_split
from readhead.data.example import Example
from readhead.data.grammar.generate import SPLITS, pairs
from readhead.data.grammar.inference import LABELS
from readhead.errors import InputError

HELD_OUT = 2_100  # pairs of dev, of test, and of long: 100 for each label of each of the seven phenomena


class GrammarCorpus:
    """Generated sentence pairs (`readhead.data.grammar` says by which conventions); needs no file.

    size: pairs of the training split. dev, test and long (longer premises than any in the other splits)
        have 2,100 each, whatever the size.
    seed: of the draws.

    Raises:
        InputError: the size is below one.
    """

    fields: ClassVar[tuple[str, ...]] = ("premise", "hypothesis")
    labels: ClassVar[tuple[str, ...]] = LABELS
    splits: ClassVar[tuple[str, ...]] = SPLITS
    complete: ClassVar[bool] = True
    sizes: ClassVar[Mapping[str, int]] = {}

    def __init__(self, *, size: int = 20_000, seed: int = 0) -> None:
        if size < 1:
            raise InputError(f"size is {size}; expected at least one training pair")
        self.size, self.seed = size, seed
        self.dropped: Counter[str] = Counter()

    def read(self, split: str, directory: Path | None = None) -> Iterator[Example]:
        """Generates one split, the same pairs in the same order each time.

        split: one of `splits`.
        directory: not used; there is no file.

        Raises:
            InputError: an unknown split.
        """
        check_split(split, self.splits)
        self.dropped[split] = 0
        return self._examples(split)

    def _examples(self, split: str) -> Iterator[Example]:
        size = self.size if split == "train" else HELD_OUT
        for number, pair in enumerate(pairs(split, seed=self.seed, size=size), start=1):
            yield Example(
                {"premise": pair.premise, "hypothesis": pair.hypothesis},
                pair.label,
                f"grammar/{split}:{number}",
                {"phenomenon": pair.phenomenon},
            )

    def files(self, directory: Path | None) -> dict[str, Path]:
        """No split is read from a file."""
        return {}
