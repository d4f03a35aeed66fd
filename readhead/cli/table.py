"""Tables on a terminal: readable in 80 columns and without colour."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console


def console() -> Console:
    """Standard output. Once nobody reads it, a BrokenPipeError: rich's own would exit with status 1."""
    from rich.console import Console

    class Output(Console):
        def on_broken_pipe(self) -> None:
            raise BrokenPipeError

    return Output(highlight=False)


def print_table(
    title: str, columns: Sequence[str], rows: Iterable[Sequence[str]], *, numbers: Sequence[int] = ()
) -> None:
    """Prints a table without a frame; without a line of names, where all columns are nameless.

    numbers: places of the columns whose cells are flush right.
    """
    from rich.table import Table
    from rich.text import Text

    table = Table(title=title or None, title_justify="left", box=None, pad_edge=False, padding=(0, 2, 0, 0))
    table.show_header = any(columns)
    for place, column in enumerate(columns):
        table.add_column(column, justify="right" if place in numbers else "left", overflow="fold")
    for row in rows:
        table.add_row(*(Text(cell) for cell in row))
    out = console()
    if out.is_terminal:
        out.print(table)
        return
    with out.capture() as captured:
        out.print(table)
    # In a file nobody needs the blanks that fill a cell at the end of a line.
    sys.stdout.write("".join(line.rstrip() + "\n" for line in captured.get().splitlines()))
