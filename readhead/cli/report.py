"""`readhead report`: what a run's attention does over many texts; what several runs answer, side by side."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from readhead.cli.options import (
    CorporaOption,
    DeviceOption,
    JSONOption,
    LabelColumnOption,
    RunArgument,
    TextColumnOption,
    ThreadsOption,
    corpora_folder,
    print_json,
    run_folder,
    use_threads,
)
from readhead.cli.options import device as usable_device
from readhead.errors import InputError
from readhead.schema import nearest

if TYPE_CHECKING:
    from readhead.explain.over_corpus import Counted

REPORTS = ("distance", "words", "slots")


def add_to(app: typer.Typer) -> None:
    """Adds the verb."""
    app.command("report")(report)


def _run_folders(given: list[Path] | None) -> list[Path]:
    return [folder for one in given or () if (folder := run_folder(one)) is not None]


def report(
    run: RunArgument,
    data: Annotated[Path | None, typer.Option(metavar="FILE", help="Your own labelled file.")] = None,
    text_column: TextColumnOption = None,
    label_column: LabelColumnOption = None,
    split: Annotated[
        str | None, typer.Option(help="A split of its corpus. Default: test, or the one it was chosen by.")
    ] = None,
    only: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="distance, words or slots; repeat. Default: all.")
    ] = None,
    against: Annotated[
        list[Path] | None,
        typer.Option(metavar="RUN", help="Set other runs' answers beside this one's; repeat.", callback=_run_folders),
    ] = None,
    corpora: CorporaOption = None,
    device: DeviceOption = "cpu",
    threads: ThreadsOption = None,
    as_json: JSONOption = False,
) -> None:
    """Tell what a run's attention does over many texts, beside what it would do if it preferred nothing.

    How far words look (distance), how often content words, function words and signs are read (words), and which words
    are read most and least (slots). With --against, the answers of several runs side by side instead.
    """
    if data is not None and split is not None:
        raise InputError("expected either --data FILE or --split NAME")
    if data is None and (text_column or label_column):
        raise InputError("--text-column and --label-column name columns of --data FILE, which is not given")
    which = _reports(only, against)
    folder, where = corpora_folder(corpora), usable_device(device)
    use_threads(threads)
    from readhead.cli import report_tables as tables
    from readhead.explain.over_corpus import Counted
    from readhead.prediction import evaluation
    from readhead.prediction.predictor import Predictor
    from readhead.prediction.side_by_side import side_by_side
    from readhead.run import Run

    folders = [run, *(against or ())]
    predictors = [Predictor(run=Run.open(one, device=where)) for one in folders]
    opened = predictors[0].run
    if data is None:
        split = split or evaluation.usual_split(opened)
        examples = evaluation.split_examples(opened, split, corpora=folder)
    else:
        examples = evaluation.file_examples(opened, data, text_columns=text_column or (), label_column=label_column)
    if against:
        beside = side_by_side(predictors, examples)
        told = tables.beside_json(folders, beside)
    else:
        counted = Counted.of(predictors[0].explanations(example.texts for example in examples))
        _expect_attention(counted, run)
        told = tables.counted_json(counted, which)
    if as_json:
        print_json({"run": str(run), "data": str(data or split), **told})
    elif against:
        tables.print_beside(folders, beside)
    else:
        tables.print_counted(counted, which)


def _reports(only: Sequence[str] | None, against: Sequence[Path] | None) -> Sequence[str]:
    """Which reports are asked for."""
    unknown = next((name for name in only or () if name not in REPORTS), None)
    if unknown is not None:
        raise InputError(f"--only {unknown}: {nearest(unknown, REPORTS)}")
    if only and against:
        raise InputError("--only chooses what is told of attention, --against tells of answers; expected one of them")
    return only or REPORTS


def _expect_attention(counted: Counted, run: Path) -> None:
    if not counted.accesses.attentions:
        told = "its reader attends to nothing that could be told of" if counted.readings else "no text was read"
        raise InputError(told, file=run)
