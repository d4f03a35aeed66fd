"""`readhead evaluate`: the task's figures, confusion, calibration, slices, worst errors; two runs side by side."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from readhead import durable
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

if TYPE_CHECKING:
    from readhead.prediction.comparison import Comparison
    from readhead.prediction.error_page import Findings
    from readhead.prediction.evaluation import Evaluation
    from readhead.run import Run

LINES, PAGE = ".jsonl", ".html"


def add_to(app: typer.Typer) -> None:
    """Adds the verb."""
    app.command("evaluate")(evaluate)


def evaluate(
    run: RunArgument,
    data: Annotated[Path | None, typer.Option(metavar="FILE", help="Your own labelled file.")] = None,
    text_column: TextColumnOption = None,
    label_column: LabelColumnOption = None,
    split: Annotated[
        str | None, typer.Option(help="A split of its corpus. Default: test, or the one it was chosen by.")
    ] = None,
    errors: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Write every wrong answer to a .jsonl, or the worst and why to an .html page."
        ),
    ] = None,
    against: Annotated[
        Path | None, typer.Option(metavar="RUN", help="Compare with another run on the same data.", callback=run_folder)
    ] = None,
    corpora: CorporaOption = None,
    device: DeviceOption = "cpu",
    threads: ThreadsOption = None,
    as_json: JSONOption = False,
) -> None:
    """Score a run: the task's figures with 95 % intervals, confusion, calibration, slices, worst errors."""
    if data is not None and split is not None:
        raise InputError("expected either --data FILE or --split NAME")
    if errors is not None:
        _check_writable(errors)
    if data is None and (text_column or label_column):
        raise InputError("--text-column and --label-column name columns of --data FILE, which is not given")
    folder, where = corpora_folder(corpora), usable_device(device)
    use_threads(threads)
    from readhead.cli.evaluation_tables import as_json as told
    from readhead.cli.evaluation_tables import print_findings
    from readhead.run import Run

    opened = Run.open(run, device=where)
    if errors is not None and errors.suffix == LINES and opened.task.foretells:
        why = "no word that is foretold is right or wrong; FILE.html shows which were surprising"
        raise InputError(f"--errors {errors}: {why}, and `predict` how surprising each is")
    other = None if against is None else _comparable(opened, against, where)
    measured = _measure(opened, data, split, folder, text_column or [], label_column)
    found = _found(opened, measured, None if other is None else _compared(opened, measured, other))
    if errors is not None:
        durable.write_text(errors, _written(found, errors.suffix))
    if as_json:
        print_json(told(run, found))
    else:
        print_findings(found)


def _check_writable(errors: Path) -> None:
    if errors.suffix not in (LINES, PAGE):
        raise InputError(f"--errors {errors}: expected a file that ends in {PAGE} or {LINES}")
    if not errors.parent.is_dir():
        raise InputError("there is no such folder to write to", file=errors.parent)


def _comparable(run: Run, against: Path, device: str) -> Run:
    from readhead.prediction.comparison import check_comparable
    from readhead.run import Run

    other = Run.open(against, device=device)
    check_comparable(run, other)
    return other


def _compared(run: Run, measured: Evaluation, other: Run) -> Comparison:
    from readhead.prediction import comparison, evaluation

    theirs = evaluation.evaluate(other, measured.examples, data=measured.data)
    name = str(other.files.folder)
    return comparison.compare(measured, theirs, name=name, notes=comparison.notes(run, other))


def _found(run: Run, measured: Evaluation, against: Comparison | None) -> Findings:
    from readhead.prediction.bootstrap import intervals
    from readhead.prediction.error_page import Findings
    from readhead.prediction.slices import slices

    return Findings(run, measured, intervals(measured.report.figures), slices(measured, run.task), against)


def _written(found: Findings, suffix: str) -> str:
    from readhead.prediction.error_lines import differing, mistakes
    from readhead.prediction.error_page import error_page

    if suffix == PAGE:
        return error_page(found)
    records = mistakes(found.measured) if found.against is None else differing(found.measured, found.against)
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)


def _measure(
    run: Run,
    data: Path | None,
    split: str | None,
    corpora: Path,
    text_columns: Sequence[str],
    label_column: str | None,
) -> Evaluation:
    from readhead.prediction import evaluation

    if data is not None:
        return evaluation.evaluate_file(run, data, text_columns=text_columns, label_column=label_column)
    return evaluation.evaluate_split(run, split or evaluation.usual_split(run), corpora=corpora)
