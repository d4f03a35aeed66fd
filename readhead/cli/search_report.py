"""What people see of `train --search N`: a line a trial while it goes on, then a table and how to repeat the best."""

from __future__ import annotations

from contextlib import nullcontext
from typing import TYPE_CHECKING

from rich.console import Console

from readhead.cli.table import print_table

if TYPE_CHECKING:
    from readhead.search.history import History
    from readhead.search.space import Space
    from readhead.training.request import Request


def search_and_tell(request: Request, space: Space, trials: int) -> None:
    """Searches; lines go to standard error, the table to standard output."""
    from readhead.search.search import Search

    console = Console(stderr=True, highlight=False)
    console.soft_wrap = not console.is_terminal  # a file keeps a line a line
    at_work = console.status("searching") if console.is_terminal else nullcontext()

    def tell(line: str) -> None:
        console.print(line, markup=False)

    search = Search(request=request, space=space, count=trials, tell=tell)
    with at_work:
        history = search.run()
    print_trials(history, space)
    best = history.best
    assert best is not None, "a search ends with a best trial"
    print(f"\nchosen: trial {best + 1}, now the run in {request.out}. The same without a search:")
    print(f"  {space.command(history.trials[best].setting, request.seed)}")
    print("\nThe best of several dev figures flatters. On texts that it has not seen:")
    print(f"  readhead evaluate {request.out} --data FILE")


def print_trials(history: History, space: Space) -> None:
    """The table, in the order of the trials."""
    from readhead.search.search import told

    rows = [
        (
            f"{'▸ ' if number == history.best else ''}{number + 1}",
            "diverged" if trial.figure is None else f"{trial.figure:.4f}",
            f"{trial.epochs:.0f}",
            f"{trial.seconds:.0f}{'*' if trial.cut else ''}",
            told(space, trial.setting),
        )
        for number, trial in enumerate(history.trials)
    ]
    columns = ("trial", f"dev {history.metric}", "epochs", "s", "what was set")
    print_table("", columns, rows, numbers=(0, 1, 2, 3))
    if any(trial.cut for trial in history.trials):
        print("* ended by the time budget")
