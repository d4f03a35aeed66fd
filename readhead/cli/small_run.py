"""What `readhead export --format run` does and tells."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from readhead.cli.options import corpora_folder
from readhead.cli.table import print_table

if TYPE_CHECKING:
    from readhead.export.small_run import Smaller


def export_small_run(run: Path, out: Path, *, int8: bool, keep: int | None, corpora: Path | None) -> None:
    """Writes a smaller run and prints what that costs. Raises: InputError as `write_small_run` does."""
    folder = corpora_folder(corpora)
    from readhead.export.small_run import write_small_run
    from readhead.run import Run

    _print(write_small_run(Run.open(run), out, int8=int8, keep=keep, corpora=folder), out)


def _print(made: Smaller, out: Path) -> None:
    print(f"written: {out}, {_size(made.after)} instead of {_size(made.before)}, {made.kept:,} of {made.of:,} words")
    if isinstance(made.cost, str):
        print(f"what that costs was not measured: {made.cost}")
        return
    print(f"\nwhat that costs, on the {made.cost.split} split ({made.cost.n:,} examples):")
    rows = [
        (name.replace("_", " "), f"{before:.4f}", f"{after:.4f}", f"{after - before:+.4f}")
        for name, (before, after) in made.cost.figures.items()
    ]
    print_table("", ("figure", "before", "after", "difference"), rows, numbers=(1, 2, 3))


def _size(count: int) -> str:
    return f"{count / 1e6:.1f} MB" if count >= 100_000 else f"{count / 1e3:.1f} kB"
