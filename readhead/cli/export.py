"""`readhead export`: a run in the format of other tools."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from readhead.errors import InputError
from readhead.schema import nearest

FORMATS = ("arpa",)


def add_to(app: typer.Typer) -> None:
    """Adds the verb."""
    app.command("export", short_help="Write a run in the format of other tools.")(export)


def export(
    run: Annotated[Path, typer.Argument(metavar="RUN")],
    out: Annotated[Path, typer.Argument(metavar="OUT", help="The file to write.")],
    form: Annotated[str, typer.Option("--format", metavar="F", help="arpa: the n-grams of a counted language model.")],
) -> None:
    """Write a run in the format of other tools. A file that is there is replaced when the new one is whole."""
    if form not in FORMATS:
        raise InputError(f"--format {form}: {nearest(form, FORMATS)}")
    if not out.parent.is_dir() or out.is_dir():
        raise InputError("expected a file to write, in a folder that is there", file=out)
    from readhead.prediction.arpa import export_arpa
    from readhead.run import Run

    export_arpa(Run.open(run), out)
    print(f"written: {out}")
