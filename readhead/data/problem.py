"""What is wrong with one place of a user's file."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from readhead.errors import InputError


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong in a file: training raises the first, a check collects them all.

    kind: what sort of mistake ("broken JSON"), so that many of a sort can be counted.
    message: what is wrong and what was expected, in one line.
    line: where, counted from 1; None where it is the file as a whole.
    column: the name of the column, where it is about one.
    """

    kind: str
    message: str
    line: int | None = None
    column: str | None = None

    def error(self, file: Path | str) -> InputError:
        """The same as the error that ends a command."""
        return InputError(self.message, file=file, line=self.line)
