"""`readhead train`: a recipe, or a task and your own file, to a run directory."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from readhead import recipe
from readhead.cli.options import (
    CorporaOption,
    DeviceOption,
    LabelColumnOption,
    SoftLabelsOption,
    TextColumnOption,
    ThreadsOption,
    corpora_folder,
    run_folder,
    seconds,
    use_threads,
)
from readhead.cli.options import device as usable_device
from readhead.errors import InputError
from readhead.own_data import OwnData, own_recipe

if TYPE_CHECKING:
    from readhead.search.space import Space


def add_to(app: typer.Typer) -> None:
    """Adds the verb."""
    app.command("train")(train)


def train(
    name: Annotated[str | None, typer.Argument(metavar="[RECIPE]", help="A recipe's name, or a TOML file.")] = None,
    task: Annotated[str | None, typer.Option(help="For your own file: classify, pair, rank or language-model.")] = None,
    data: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Your own CSV, TSV, JSONL, Parquet or text.")
    ] = None,
    dev: Annotated[Path | None, typer.Option(metavar="FILE", help="Its dev split. Default: a tenth of it.")] = None,
    reader: Annotated[str | None, typer.Option(help="Another reader than the task's default.")] = None,
    text_column: TextColumnOption = None,
    label_column: LabelColumnOption = None,
    soft_labels: SoftLabelsOption = False,
    ordinal: Annotated[
        bool, typer.Option("--ordinal", help="Labels are numbers: a near one is less wrong than a far one.")
    ] = False,
    vectors: Annotated[Path | None, typer.Option(metavar="FILE", help="Word vectors, GloVe text format.")] = None,
    changes: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="SECTION.KEY=VALUE", help="Changes the recipe; repeatable."),
    ] = None,
    out: Annotated[Path | None, typer.Option(metavar="RUN", help="Run directory. Default: runs/RECIPE.")] = None,
    seed: Annotated[int, typer.Option(min=0, help="Of initialisation, order and dropout.")] = 0,
    device: DeviceOption = "auto",
    precision: Annotated[str, typer.Option(help="no = float32; bf16 or fp16 = mixed.")] = "no",
    resume: Annotated[bool, typer.Option("--resume", help="Go on in --out where it was stopped.")] = False,
    start: Annotated[
        Path | None,
        typer.Option("--from", metavar="RUN", help="Start at another run's weights.", callback=run_folder),
    ] = None,
    time_budget: Annotated[
        str | None, typer.Option(metavar="T", help="End after 90s, 5m, 1h with the best so far.")
    ] = None,
    trials: Annotated[
        int | None,
        typer.Option("--search", metavar="N", min=1, help="Try the defaults and N - 1 other settings; keep the best."),
    ] = None,
    threads: ThreadsOption = None,
    corpora: CorporaOption = None,
) -> None:
    """Train a reader on a recipe's corpus, or on your own file."""
    space = None
    if data is not None and name is None:
        own = OwnData(
            task=task,
            data=data,
            dev=dev,
            reader=reader,
            text_columns=text_column or [],
            label_column=label_column,
            soft_labels=soft_labels,
            ordinal=ordinal,
        )
        space = None if trials is None else _space(own, vectors, changes or [], start)
        chosen = own_recipe(own, vectors, changes or []) if space is None else space.recipe(space.start)
        called = f"{task}-{data.stem}"
    elif name is not None and data is None:
        columns = {
            "text_column": text_column,
            "label_column": label_column,
            "soft_labels": soft_labels,
            "ordinal": ordinal,
        }
        _refuse(task=task, dev=dev, reader=reader, vectors=vectors, search=trials, **columns)
        chosen, called = recipe.read(name, changes or []), Path(name).stem if name.endswith(".toml") else name
    else:
        raise InputError("expected either a RECIPE (`readhead recipes` lists them) or --task TASK --data FILE")
    folder, where = out or Path("runs") / called, usable_device(device)
    run(chosen, folder, seed, where, _precision(precision), resume, start, time_budget, threads, corpora, space, trials)


def run(
    chosen: recipe.Recipe,
    out: Path,
    seed: int,
    device: str,
    precision: Literal["no", "bf16", "fp16"],
    resume: bool,
    start: Path | None,
    time_budget: str | None,
    threads: int | None,
    corpora: Path | None,
    space: Space | None = None,
    trials: int | None = None,
) -> None:
    """Trains, with torch imported only now; where there is a space, once for each of several trials."""
    budget, folder = seconds(time_budget), corpora_folder(corpora)
    use_threads(threads)
    from readhead.training.request import Request
    from readhead.training.start import train as start_training

    request = Request(
        recipe=chosen,
        out=out,
        corpora=folder,
        seed=seed,
        device=device,
        precision=precision,
        resume=resume,
        start=start,
        budget=budget,
    )
    if space is None or trials is None:
        start_training(request)
    else:
        from readhead.cli.search_report import search_and_tell

        search_and_tell(request, space, trials)


def _space(own: OwnData, vectors: Path | None, changes: Sequence[str], start: Path | None) -> Space:
    """What --search may set. Raises: InputError for options that do not go with it, or where optuna is missing."""
    from readhead.search.space import Space, check_optuna

    check_optuna()
    if start is not None:
        raise InputError("--from goes with the sizes of the run that it names; --search tries others")
    return Space(own, vectors, changes)


def _refuse(**given: object) -> None:
    """Raises: InputError for an option that says nothing to a recipe."""
    for name, value in given.items():
        if value:
            option = "--" + name.replace("_", "-")
            raise InputError(f"{option} goes with --data FILE; a RECIPE takes --set section.key=value")


def _precision(written: str) -> Literal["no", "bf16", "fp16"]:
    match written:
        case "no" | "bf16" | "fp16":
            return written
    raise InputError(f"--precision {written}: expected no, bf16 or fp16")
