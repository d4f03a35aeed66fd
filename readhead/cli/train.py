"""`readhead train`: a recipe, or a task and your own file, to a run directory."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

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


def add_to(app: typer.Typer) -> None:
    """Adds the verb."""
    app.command("train", short_help="Train on a recipe's corpus, or on your own file.")(train)


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
    threads: ThreadsOption = None,
    corpora: CorporaOption = None,
) -> None:
    """Train a reader on a recipe's corpus, or on your own file."""
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
        chosen, called = own_recipe(own, vectors, changes or []), f"{task}-{data.stem}"
    elif name is not None and data is None:
        columns = {
            "text_column": text_column,
            "label_column": label_column,
            "soft_labels": soft_labels,
            "ordinal": ordinal,
        }
        _refuse(task=task, dev=dev, reader=reader, vectors=vectors, **columns)
        chosen, called = recipe.read(name, changes or []), Path(name).stem if name.endswith(".toml") else name
    else:
        raise InputError("expected either a RECIPE (`readhead recipes` lists them) or --task TASK --data FILE")
    folder, where = out or Path("runs") / called, usable_device(device)
    run(chosen, folder, seed, where, _precision(precision), resume, start, time_budget, threads, corpora)


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
) -> None:
    """Trains, with torch imported only now."""
    budget, folder = seconds(time_budget), corpora_folder(corpora)
    use_threads(threads)
    from readhead.training.request import Request
    from readhead.training.start import train as start_training

    start_training(
        Request(
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
    )


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
