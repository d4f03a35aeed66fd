"""`readhead reproduce`: table rows, trained and scored, paper beside ours."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from readhead.cli.options import (
    CorporaOption,
    DeviceOption,
    JSONOption,
    ThreadsOption,
    corpora_folder,
    print_json,
    seconds,
    use_threads,
)
from readhead.cli.options import device as usable_device
from readhead.cli.table import print_table
from readhead.results import printed


def add_to(app: typer.Typer) -> None:
    """Adds the verb."""
    app.command("reproduce")(reproduce)


def reproduce(
    target: Annotated[
        str | None,
        typer.Argument(
            metavar="[PAPER[/TABLE[/ROW]]]", help="Or a recipe's name. Nothing = every row that has a recipe."
        ),
    ] = None,
    budget: Annotated[str | None, typer.Option(metavar="T", help="Time a run, at most: 30m, 2h.")] = None,
    seeds: Annotated[int, typer.Option(min=1, help="Runs a recipe, with the seeds 0, 1, ...")] = 1,
    changes: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="SECTION.KEY=VALUE", help="Changes the recipe; repeatable."),
    ] = None,
    runs: Annotated[Path, typer.Option(metavar="DIR", help="Where run directories go.")] = Path("runs/reproduce"),
    results: Annotated[Path, typer.Option(metavar="DIR", help="Where results go.")] = Path("results"),
    device: DeviceOption = "auto",
    threads: ThreadsOption = None,
    corpora: CorporaOption = None,
    as_json: JSONOption = False,
) -> None:
    """Train and score what fills table rows, write results/, print paper beside ours."""
    from readhead.reproduction import Plan, matching
    from readhead.reproduction import reproduce as start

    limit, folder, names = seconds(budget), corpora_folder(corpora), matching(target)
    use_threads(threads)
    plan = Plan(
        runs=runs,
        corpora=folder,
        seeds=range(seeds),
        budget=limit,
        device=usable_device(device),
        folder=results,
    )
    made = [start(name, plan, changes or []) for name in names]
    if as_json:
        print_json([result for _, result in made])
    else:
        for path, result in made:
            _print(path, result)


def _print(path: Path, result: dict[str, Any]) -> None:
    ours, paper = result["metrics"], result["paper"]
    rows = [
        (metric, printed(metric, paper[metric]) if metric in paper else "–", _figure(metric, ours[metric]))
        for metric in ours
    ]
    print(f"\n{result['recipe']}: {', '.join(result['finished'])}")
    if not result["complete"]:
        print(f"partial, no reproduction: {result['partial']}")
    print_table("", ("metric", "paper", "ours"), rows, numbers=(1, 2))
    if len(result["seeds"]) > 1:
        print(f"±: half the 95 % interval over {len(result['seeds'])} seeds, Student's t")
    print(f"written: {path}")


def _figure(metric: str, measured: dict[str, Any]) -> str:
    interval = "" if measured["interval"] is None else f" ± {printed(metric, measured['interval'])}"
    return f"{printed(metric, measured['mean'])}{interval}"
