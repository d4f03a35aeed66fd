"""What counts as a corpus, and the one way in which examples without an agreed label leave it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Protocol

from readhead.data.example import Example
from readhead.errors import InputError


class Corpus(Protocol):
    """Labelled texts in named splits. Constructors are keyword-only: the keys of a recipe's `[corpus]`.

    `dropped` counts, by split, the examples left out: for want of a label, where the files have no agreed one, or since
    the recipe does not ask for their label, or their question. A split's count is whole once its iterator is exhausted,
    and starts at 0 when it is read again. Where a corpus has no labels at all, no example lacks one.
    """

    dropped: Counter[str]

    @property
    def fields(self) -> tuple[str, ...]:
        """The names of an example's texts, in order: `("premise", "hypothesis")` or `("text",)`."""
        ...

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels, in order; empty where texts are their own answer.

        Where no list is fixed, those of the training split: then this reads it.
        """
        ...

    @property
    def splits(self) -> tuple[str, ...]:
        """What `read` takes: first the split to train on, second the one to choose by, then others."""
        ...

    @property
    def sizes(self) -> Mapping[str, int]:
        """By split, how many labelled examples there are as published; without the splits where that is not known."""
        ...

    @property
    def complete(self) -> bool:
        """Whether this is the whole corpus as published: a figure on less is no reproduction."""
        ...

    def read(self, split: str, directory: Path | None) -> Iterator[Example]:
        """Streams one split's labelled examples in file order.

        split: one of `splits`.
        directory: where the corpora lie, laid out as `readhead data fetch` does; None if there is none.

        Raises:
            InputError: an unknown split, a missing file, or a line that is not as the corpus's format asks.
        """
        ...

    def files(self, directory: Path | None) -> dict[str, Path]:
        """By split, the file it is read from; splits whose file is not there are left out."""
        ...


def labelled(examples: Iterable[Example], *, split: str, dropped: Counter[str]) -> Iterator[Example]:
    """The examples that have a label; counts the others in `dropped[split]`."""
    dropped[split] = 0
    for example in examples:
        if example.label is None:
            dropped[split] += 1
        else:
            yield example


def check_split(split: str, splits: Sequence[str]) -> None:
    """Raises `InputError` unless the corpus has this split."""
    if split not in splits:
        raise InputError(f"no split '{split}'; expected one of {', '.join(splits)}")


def missing_file(name: str, directory: Path | None) -> InputError:
    """That a corpus's file is not there, and how to get it. name: below the corpora directory: `ptb/ptb.train.txt`."""
    folder = name.partition("/")[0]
    message = (
        f"not found; `readhead data fetch {folder}` gets it or says where it comes from, "
        f"and --corpora DIR names the folder that holds {folder}/"
    )
    return InputError(message, file=(directory or Path()) / name)
