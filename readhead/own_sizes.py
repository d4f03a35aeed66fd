"""What is trained where nobody says otherwise, by how many words the texts of a user's file have together.

| words of text   | epochs | patience | batch_size, at least |
|-----------------|--------|----------|----------------------|
| up to 20,000    | 100    | 10       | 32                   |
| up to 300,000   | 30     | 4        | 32                   |
| up to 3,000,000 | 20     | 3        | 32                   |
| more            | 10     | 2        | 64                   |

The reader is the task's (`default_reader`); `--reader` picks another. All else stands in the reader's recipe (`readhead
recipes show classify/words`), and what a run was trained with in its `recipe.toml`. `--set` changes any of it.

`epochs` is a bound: training ends once dev has not gained for `patience` of them. The fewer the words, the fewer steps
an epoch has.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from readhead.data.own_file import OwnFile
from readhead.data.problem import Problem

DEFAULT_READER = {
    "classify": "words",
    "pair": "decomposable",
    "rank": "decomposable",
    "language-model": "lstm",
}
"""By task; those of `READER_OF_VECTORS` come first where there are word vectors."""

READER_OF_VECTORS = {"classify": "cnn-static"}
"""By task, what reads word vectors better than the default does, and cannot do without."""


def default_reader(task: str, *, vectors: bool) -> str:
    """The reader of a task; vectors: whether there are word vectors to start from."""
    return (READER_OF_VECTORS if vectors else {}).get(task) or DEFAULT_READER[task]


@dataclass(frozen=True, kw_only=True, slots=True)
class Size:
    """One line of the table.

    words: of all texts together, at most; None = any number.
    training: keys of [training].
    """

    words: int | None
    training: Mapping[str, int]

    @property
    def told(self) -> str:
        """What it is called, for people."""
        return "defaults for more words" if self.words is None else f"defaults for up to {self.words:,} words"

    def fill(self, document: dict[str, Any]) -> None:
        """Puts its numbers into a recipe's plain data; one whose model counts has no [training] and stays as it is."""
        if "training" in document:
            batch_size = max(self.training["batch_size"], document["training"]["batch_size"])
            document["training"] |= {**self.training, "batch_size": batch_size}


SIZES = (
    Size(words=20_000, training={"batch_size": 32, "epochs": 100, "patience": 10}),
    Size(words=300_000, training={"batch_size": 32, "epochs": 30, "patience": 4}),
    Size(words=3_000_000, training={"batch_size": 32, "epochs": 20, "patience": 3}),
    Size(words=None, training={"batch_size": 64, "epochs": 10, "patience": 2}),
)
"""The table, the fewest words first."""


def size_of(file: OwnFile) -> Size:
    """The line of the table that a file falls in; rows that are wrong count for none, since training refuses them.

    Raises: InputError when the file cannot be opened.
    """
    words = 0
    for row in file.rows():
        if not isinstance(row, Problem):
            words += sum(len(str(text).split()) for text in row.texts.values())
    return next(size for size in SIZES if size.words is None or words <= size.words)
