"""`readhead evaluate`: the task's figures, confusion, calibration, worst errors."""

from __future__ import annotations

import heapq
import json
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from readhead import durable
from readhead.cli.options import (
    CorporaOption,
    DeviceOption,
    JSONOption,
    LabelColumnOption,
    TextColumnOption,
    ThreadsOption,
    corpora_folder,
    print_json,
    use_threads,
)
from readhead.cli.options import device as usable_device
from readhead.cli.table import print_table
from readhead.errors import InputError

if TYPE_CHECKING:
    from readhead.prediction.evaluation import Evaluation
    from readhead.run import Run
    from readhead.tasks.task import Metrics

COLUMNS = 80  # of the narrowest terminal that tables are made for
WORST = 5  # wrong answers that are printed
_WRITTEN_OUT = {"ece": "calibration error", "calibrated_loss": "calibrated loss"}


def add_to(app: typer.Typer) -> None:
    """Adds the verb."""
    app.command("evaluate", short_help="Score a run: figures, confusion, calibration, worst errors.")(evaluate)


def evaluate(
    run: Annotated[Path, typer.Argument(metavar="RUN")],
    data: Annotated[Path | None, typer.Option(metavar="FILE", help="Your own labelled file.")] = None,
    text_column: TextColumnOption = None,
    label_column: LabelColumnOption = None,
    split: Annotated[
        str | None, typer.Option(help="A split of its corpus. Default: test, or the one it was chosen by.")
    ] = None,
    errors: Annotated[Path | None, typer.Option(metavar="FILE.jsonl", help="Write every wrong answer.")] = None,
    corpora: CorporaOption = None,
    device: DeviceOption = "cpu",
    threads: ThreadsOption = None,
    as_json: JSONOption = False,
) -> None:
    """Score a run: the task's figures, in all and by label, confusion, calibration, worst errors."""
    if data is not None and split is not None:
        raise InputError("expected either --data FILE or --split NAME")
    if errors is not None and errors.suffix != ".jsonl":
        raise InputError(f"--errors {errors}: expected a file that ends in .jsonl")
    if errors is not None and not errors.parent.is_dir():
        raise InputError("there is no such folder to write to", file=errors.parent)
    if data is None and (text_column or label_column):
        raise InputError("--text-column and --label-column name columns of --data FILE, which is not given")
    folder, where = corpora_folder(corpora), usable_device(device)
    use_threads(threads)
    from readhead.run import Run

    opened = Run.open(run, device=where)
    if errors is not None and opened.task.foretells:
        raise InputError("--errors: no word that is foretold is right or wrong; `predict` tells how surprising each is")
    measured = _measure(opened, data, split, folder, text_column or [], label_column)
    if errors is not None:
        durable.write_text(errors, "".join(json.dumps(e, ensure_ascii=False) + "\n" for e in _mistakes(measured)))
    if as_json:
        print_json(_as_json(run, measured))
    else:
        _print(opened, measured)


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
    splits = run.recipe.parts["corpus"].build().splits
    return evaluation.evaluate_split(run, split or ("test" if "test" in splits else splits[1]), corpora=corpora)


def _mistakes(measured: Evaluation) -> Iterator[dict[str, Any]]:
    for mistake in measured.report.mistakes:
        example = measured.examples[mistake.index]
        texts = {name: text if isinstance(text, str) else " ".join(text) for name, text in example.texts.items()}
        answer = {
            "gold": mistake.gold,
            "label": mistake.answered,
            "probability": round(mistake.probability, 6),
        }
        yield {"origin": example.origin, **texts, **answer, **example.tags}


def _as_json(run: Path, measured: Evaluation) -> dict[str, Any]:
    return {
        "run": str(run),
        "data": measured.data,
        "n": len(measured.examples),
        "metrics": measured.report.metrics,
        "confusion": measured.report.confusion,
        "by": measured.by_tag,
        "truncated": measured.truncated,
        "segment": measured.segment,
    }


def _print(run: Run, measured: Evaluation) -> None:
    names, report = run.task.labels, measured.report
    by_label = {f"{figure}_{name}" for figure in ("precision", "recall") for name in names}
    overall = {metric: value for metric, value in report.metrics.items() if metric not in by_label}
    print(f"{run.files.folder} on {measured.data}: {len(measured.examples):,} {run.task.unit}")
    print("   ".join(f"{_WRITTEN_OUT.get(metric, metric)} {value:.4f}" for metric, value in overall.items()))
    if (segment := run.recipe.training.segment) is not None:
        print(f"read as running text, {segment} tokens a step: not to be compared with texts that stand alone")
    if run.recipe.partial:
        print(f"partial or mixed training data: {run.recipe.partial}")
    if measured.truncated:
        print(f"{measured.truncated:,} texts were cut after {run.recipe.text.max_tokens} words")
    if report.confusion is not None:
        _print_labels(names, report.metrics, report.confusion)
    for tag, figures in measured.by_tag.items():
        told = [(value, f"{f['accuracy']:.3f}", f"{f['n']:,}") for value, f in figures.items()]
        print()
        print_table("", (tag, "accuracy", "n"), told, numbers=(1, 2))
    _print_worst(run, measured)


def _print_labels(names: Sequence[str], metrics: Metrics, confusion: Sequence[Sequence[int]]) -> None:
    print()
    rows = [
        (name, f"{metrics[f'precision_{name}']:.3f}", f"{metrics[f'recall_{name}']:.3f}", f"{sum(counts):,}")
        for name, counts in zip(names, confusion, strict=True)
    ]
    print_table("", ("label", "precision", "recall", "n"), rows, numbers=(1, 2, 3))
    matrix = [(name, *(f"{count:,}" for count in counts)) for name, counts in zip(names, confusion, strict=True)]
    if _width(("gold", *names), matrix) <= COLUMNS:
        print("\nwhat was said (columns) of each gold label (rows):")
        print_table("", ("gold", *names), matrix, numbers=range(1, len(names) + 1))
        return
    print("\nwhat was said most often instead of the gold label:")
    most = heapq.nlargest(WORST, ((n, i, j) for i, row in enumerate(confusion) for j, n in enumerate(row) if i != j))
    print_table("", ("gold", "said", "n"), [(names[i], names[j], f"{n:,}") for n, i, j in most if n], numbers=(2,))


def _width(header: Sequence[str], rows: Sequence[Sequence[str]]) -> int:
    """Columns of a terminal that a table needs if nothing in it is to be folded."""
    from rich.cells import cell_len

    return sum(max(map(cell_len, column)) + 2 for column in zip(header, *rows, strict=True))


def _print_worst(run: Run, measured: Evaluation) -> None:
    if not measured.report.mistakes:
        return
    print("\nthe surest of the wrong answers:")
    for error in islice(_mistakes(measured), WORST):
        print(f"\n  said {error['label']} ({error['probability']:.2f}), gold {error['gold']}; {error['origin']}")
        for field in run.task.fields:
            print(f"    {field}: {error[field]}")
