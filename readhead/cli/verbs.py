"""The verbs: a line on each, and its module, which is imported once it is called for.

Importing a module of them all costs as much as typer itself, and `--help` needs no more of them than this table.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

VERBS = {
    "demo": "Read with the shipped models, and train a small reader, in under a minute.",
    "train": "Train on a recipe's corpus, or on your own file.",
    "evaluate": "Score a run, or compare two: figures, confusion, calibration, slices, worst errors.",
    "predict": "Answer JSON lines, one out for each one in.",
    "explain": "Show one reading: the answer, which words looked where, and what it rests on.",
    "report": "Tell how far words look and which are read, over many texts.",
    "serve": "Answer over HTTP, with a page to play with.",
    "export": "Write a run in the format of other tools.",
    "data": "List and fetch corpora; check a file of your own.",
    "recipes": "List, show, copy and check recipes.",
    "reproduce": "Fill table rows: train, score, paper beside ours.",
    "bench": "Time the parts; score the defaults for own files.",
    "doctor": "Show versions, backends and why, shipped models, data found.",
}
"""By name, that of its module in this folder too, what help says of it."""


class Verbs(TyperGroup):
    """The group of all verbs; `commands` holds a line on each until it is got."""

    def __init__(self, **given: Any) -> None:
        super().__init__(**given | {"commands": {name: TyperCommand(name, help=told) for name, told in VERBS.items()}})

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """The command itself, or None where there is none of that name."""
        if cmd_name in VERBS:
            self.commands[cmd_name] = _imported(cmd_name)
        return super().get_command(ctx, cmd_name)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Writes the lines on all verbs."""
        with formatter.section("Commands"):
            formatter.write_dl(list(VERBS.items()))


def _imported(name: str) -> Any:
    alone = typer.Typer(rich_markup_mode=None)
    import_module(f"readhead.cli.{name}").add_to(alone)
    return typer.main.get_group(alone).commands[name]
