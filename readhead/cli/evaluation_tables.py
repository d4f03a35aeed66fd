"""What `readhead evaluate` prints: figures with their intervals, tables by label and by parts, the worst errors."""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby, islice
from pathlib import Path
from typing import Any

from rich.cells import cell_len

from readhead.cli.table import print_table
from readhead.counted import counted
from readhead.explain.printable import visible, wrap
from readhead.prediction.bootstrap import RESAMPLES, Interval
from readhead.prediction.comparison import Comparison, in_words
from readhead.prediction.error_lines import mistakes
from readhead.prediction.error_page import Findings, bracketed
from readhead.prediction.slices import FEW, LENGTH
from readhead.tasks.answer_selection import AnswerSelectionReport
from readhead.tasks.classification_report import ClassificationReport
from readhead.tasks.task import Metrics

COLUMNS = 80  # of the narrowest terminal that tables are made for
WORST = 5  # wrong answers that are printed
MOST_LINES = 4  # of each of their texts
_WRITTEN_OUT = {
    "ece": "calibration error",
    "calibrated_loss": "calibrated loss",
    "left_out": "left out, since none of their candidates is right:",
    "group_accuracy": "accuracy by group",
    "in_no_group": "left out of the accuracy by group, since their label is in none:",
}


def as_json(run: Path, found: Findings) -> dict[str, Any]:
    """Everything that is told, as plain data; `run` as it was given. What is no finite number is None."""
    measured = found.measured
    told = {
        "run": str(run),
        "data": measured.data,
        "n": len(measured.examples),
        "metrics": measured.report.metrics,
        "intervals": found.intervals,
        "resamples": RESAMPLES,
        "counts": measured.report.counts,
        "confusion": measured.report.confusion,
        "reliability": _reliability(found),
        "by": measured.by_tag,
        "slices": [
            {
                "by": part.by,
                "value": part.value,
                "n": part.n,
                found.run.task.watched: part.figure,
                "interval": part.interval,
            }
            for part in found.slices
        ],
        "truncated": measured.truncated,
        "segment": measured.segment,
        "against": None if found.against is None else _against_json(found.against),
    }
    return {name: _finite(value) for name, value in told.items()}


def _finite(value: Any) -> Any:
    """The same without NaN and infinity, which JSON does not have."""
    if isinstance(value, Mapping):
        return {name: _finite(entry) for name, entry in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(entry) for entry in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _reliability(found: Findings) -> list[dict[str, float]] | None:
    report = found.measured.report
    if not isinstance(report, ClassificationReport):
        return None
    return [
        {"from": one.low, "to": one.high, "n": one.n, "probability": one.sureness, "accuracy": one.accuracy}
        for one in report.reliability()
    ]


def _against_json(against: Comparison) -> dict[str, Any]:
    told = against.exclusive
    return {
        "run": against.name,
        "metrics": against.measured.report.metrics,
        "differences": {
            metric: {"value": difference.value, "interval": difference.interval}
            for metric, difference in against.differences.items()
        },
        "right": None
        if told is None
        else {
            "both": told.both,
            "run": len(told.only_first),
            "against": len(told.only_second),
            "neither": told.neither,
        },
        "mcnemar": None if told is None else {"p": told.p, "says": in_words(told)},
        "notes": against.notes,
    }


def print_findings(found: Findings) -> None:
    """Prints it, in 80 columns."""
    run, measured = found.run, found.measured
    report, names = measured.report, run.task.labels
    print(f"{run.files.folder} on {measured.data}: {len(measured.examples):,} {run.task.unit}")
    for line in _joined(_figures(report.metrics, found.intervals, names)):
        print(line)
    if report.counts:
        print("   ".join(f"{_WRITTEN_OUT.get(what, what)} {count:,}" for what, count in report.counts.items()))
    if any(found.intervals.values()):
        print(f"in brackets: 95 % of {RESAMPLES:,} bootstrap resamples of the {_units(found)}")
    if (segment := run.recipe.training.segment) is not None:
        print(f"read as running text, {segment} tokens a step: not to be compared with texts that stand alone")
    if run.recipe.partial:
        print(f"partial or mixed training data: {run.recipe.partial}")
    if measured.truncated:
        were = "was" if measured.truncated == 1 else "were"
        print(f"{counted(measured.truncated, 'text')} {were} cut after {run.recipe.text.max_tokens} words")
    if found.against is not None:
        _print_against(found, found.against)
    if report.confusion is not None:
        print_labels(names, report.metrics, report.confusion, found.intervals)
    _print_slices(found)
    _print_worst(found)


def _units(found: Findings) -> str:
    return "questions" if isinstance(found.measured.report, AnswerSelectionReport) else found.run.task.unit


def _figures(metrics: Metrics, intervals: Mapping[str, Interval | None], labels: Sequence[str]) -> Iterator[str]:
    by_label = _by_label(labels)
    for metric, value in metrics.items():
        if metric not in by_label:
            yield f"{_WRITTEN_OUT.get(metric, metric)} {value:.4f} {bracketed(intervals.get(metric))}".rstrip()


def _by_label(labels: Sequence[str]) -> set[str]:
    return {f"{figure}_{name}" for figure in ("precision", "recall") for name in labels}


def _joined(parts: Iterator[str]) -> Iterator[str]:
    """Parts side by side, as many as 80 columns hold."""
    line = ""
    for part in parts:
        if line and len(line) + 3 + len(part) > COLUMNS:
            yield line
            line = ""
        line = f"{line}   {part}" if line else part
    if line:
        yield line


def _print_against(found: Findings, against: Comparison) -> None:
    metrics, by_label = found.measured.report.metrics, _by_label(found.run.task.labels)
    rows = []
    for metric, difference in against.differences.items():
        if metric not in by_label:
            values = [f"{told[metric]:.4f}" for told in (metrics, against.measured.report.metrics)]
            apart = f"{difference.value:+.4f} {bracketed(difference.interval, sign='+')}".rstrip()
            rows.append((_WRITTEN_OUT.get(metric, metric), *values, apart))
    print(f"\nagainst {visible(against.name)}, on the same {_units(found)}:")
    print_table("", ("", "this run", "other", "difference"), rows, numbers=(1, 2))
    for note in against.notes:
        _print_wrapped(f"note: {note}")
    if (told := against.exclusive) is not None:
        right = f"right: both {told.both:,}, only this run {len(told.only_first):,}, "
        print(f"{right}only the other {len(told.only_second):,}, neither {told.neither:,}")
        _print_wrapped(in_words(told))


def _print_wrapped(text: str, indent: str = "") -> None:
    for line in wrap(text, COLUMNS - len(indent)):
        print(f"{indent}{line}")


def print_labels(
    names: Sequence[str],
    metrics: Metrics,
    confusion: Sequence[Sequence[int]],
    intervals: Mapping[str, Interval | None],
) -> None:
    """Prints precision and recall of each label, and what it was taken for."""
    print()
    shown = [visible(name) for name in names]
    rows = [
        (
            visible(name),
            *(_with_interval(f"{figure}_{name}", metrics, intervals) for figure in ("precision", "recall")),
            f"{sum(n):,}",
        )
        for name, n in zip(names, confusion, strict=True)
    ]
    print_table("", ("label", "precision", "recall", "n"), rows, numbers=(3,))
    matrix = [(name, *(f"{count:,}" for count in counts)) for name, counts in zip(shown, confusion, strict=True)]
    if _width(("gold", *shown), matrix) <= COLUMNS:
        print("\nwhat was said (columns) of each gold label (rows):")
        print_table("", ("gold", *shown), matrix, numbers=range(1, len(names) + 1))
        return
    print("\nwhat was said most often instead of the gold label:")
    most = heapq.nlargest(WORST, ((n, i, j) for i, row in enumerate(confusion) for j, n in enumerate(row) if i != j))
    print_table("", ("gold", "said", "n"), [(shown[i], shown[j], f"{n:,}") for n, i, j in most if n], numbers=(2,))


def _with_interval(metric: str, metrics: Metrics, intervals: Mapping[str, Interval | None]) -> str:
    return f"{metrics[metric]:.3f} {bracketed(intervals.get(metric), 3)}".rstrip()


def _width(header: Sequence[str], rows: Sequence[Sequence[str]]) -> int:
    """Columns of a terminal that a table needs if nothing in it is to be folded."""
    return sum(max(map(cell_len, column)) + 2 for column in zip(header, *rows, strict=True))


def _print_slices(found: Findings) -> None:
    """Tables by length and by tag; what would be by label stands in the table of labels as recall."""
    figure, few = found.run.task.watched, False
    tags = {tag for example in found.measured.examples for tag in example.tags}
    for by, group in groupby(found.slices, key=lambda part: part.by):
        if by != LENGTH and by not in tags:
            continue
        parts = list(group)
        few = few or any(part.n < FEW for part in parts)
        rows = [
            (visible(part.value), f"{part.figure:.3f} {bracketed(part.interval, 3)}".rstrip(), f"{part.n:,}")
            for part in parts
        ]
        print()
        print_table("", ("words" if by == LENGTH else visible(by), figure, "n"), rows, numbers=(2,))
    if few:
        print(f"an interval of fewer than {FEW} says little")


def _print_worst(found: Findings) -> None:
    report, task = found.measured.report, found.run.task
    if not report.mistakes:
        return
    print("\nthe surest of the wrong answers:")
    for error in islice(mistakes(found.measured), WORST):
        said = f"said {visible(error['label'])} ({error['probability']:.2f}), gold {visible(error['gold'])}"
        if task.several is not None:
            said = f"came first, but is wrong ({error['probability']:.2f})"
        print()
        _print_wrapped(f"{said}; {visible(error['origin'])}", "  ")
        for field in task.fields:
            lines = wrap(f"{field}: {visible(error[field])}", COLUMNS - 4)
            for line in lines[:MOST_LINES]:
                print(f"    {line}")
            if len(lines) > MOST_LINES:
                print(f"    … and {counted(len(lines) - MOST_LINES, 'more line')}")
