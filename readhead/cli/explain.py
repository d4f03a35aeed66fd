"""`readhead explain`: the attention of one reading."""

from __future__ import annotations

from typing import Annotated

import typer

from readhead.cli.options import DeviceOption, RunArgument
from readhead.cli.options import device as usable_device
from readhead.cli.table import console
from readhead.errors import InputError


def add_to(app: typer.Typer) -> None:
    """Adds the verb."""
    app.command("explain", short_help="Show one reading: the answer, and which words looked where.")(explain)


def explain(
    run: RunArgument,
    texts: Annotated[list[str], typer.Argument(metavar="TEXT...", help="One for each text that the task reads.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print the record that every picture is made from.")] = False,
    device: DeviceOption = "cpu",
) -> None:
    """Show one reading: the answer, and which words looked at which."""
    where = usable_device(device)
    from readhead.explain.terminal import show
    from readhead.prediction.predictor import Predictor
    from readhead.run import Run

    predictor = Predictor(run=Run.open(run, device=where))
    fields = predictor.run.task.fields
    if len(texts) != len(fields):
        given = f"{len(texts)} text{'s' * (len(texts) != 1)} given"
        raise InputError(f"{given}; this run reads {len(fields)}: {', '.join(fields)}")
    explanation = predictor.explain(dict(zip(fields, texts, strict=True)))
    if as_json:
        print(explanation.to_json())
    else:
        show(explanation, console())
