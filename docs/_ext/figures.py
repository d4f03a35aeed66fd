"""Figures as README and docs print them: read from the files in `results/`, and from nowhere else."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from readhead.results import printed

RESULTS = Path(__file__).parents[2] / "results"
NONE = "–"
UNTOLD = ("loss", "precision_", "recall_", "ece", "[")
"""Parts of the names of metrics that no table has a column for."""


BESIDE = re.compile(r".*_minima|min_.*|load_.*|disturbed|threads|peak_mb")
"""What benchmarks measure beside their figures, and no table has a column for."""


def files() -> list[Path]:
    """Every results file, sorted."""
    return sorted(RESULTS.rglob("*.json"))


def read(path: Path) -> Any:
    """What a results file holds."""
    return json.loads(path.read_text(encoding="utf-8"))


def name_of(path: Path) -> str:
    """The recipe that a result is of, with what marks a variation of it: `ptb/lstm@d73ced24`."""
    return path.relative_to(RESULTS).with_suffix("").as_posix()


def path_of(recipe: str) -> Path | None:
    """The file of a recipe as it stands, or else the one there is of a variation of it."""
    folder, _, name = recipe.rpartition("/")
    found = list((RESULTS / folder).glob(f"{name}.json")) or list((RESULTS / folder).glob(f"{name}@*.json"))
    if len(found) > 1:
        raise ValueError(f"{recipe} has several results, {', '.join(map(name_of, found))}; name the one that is meant")
    return found[0] if found else None


def figure(result: dict[str, Any], metric: str) -> str:
    """A figure of the best weights, or as in "dev_perplexity after 2" of dev after an epoch; "–" if there is none."""
    metric, _, epoch = metric.partition(" after ")
    if not epoch:
        measured = result["metrics"].get(metric)
        return printed(metric, measured["mean"]) if measured else NONE
    course = result["by_epoch"][metric][0][: int(result["epochs"][0])]  # without an epoch that was cut short
    return printed(metric, course[int(epoch) - 1]) if len(course) >= int(epoch) else NONE


def paper(result: dict[str, Any], metric: str) -> str:
    """The paper's figure, as it is printed there."""
    value = result["paper"].get(metric)
    return NONE if value is None else f"{value:g}"


def told_metrics(results: Sequence[dict[str, Any]]) -> list[str]:
    """The metrics that a table of these results has columns for, those of the test split first."""
    told = {metric for result in results for metric in result["metrics"] if not any(part in metric for part in UNTOLD)}
    return sorted(told, key=lambda metric: (metric.startswith("dev_"), metric))


def recipe_table(names: Sequence[str], metrics: Sequence[str]) -> Iterator[str]:
    """Lines of a Markdown table: for each recipe its epochs, our figures, the paper's, and whether ours are partial."""
    paths = {name: path_of(name) for name in names}
    results = {name: None if path is None else read(path) for name, path in paths.items()}
    chosen = metrics or told_metrics([result for result in results.values() if result])
    papers = [metric for metric in chosen if any(result and metric in result["paper"] for result in results.values())]
    spoken = [metric.replace("_", " ") for metric in chosen]
    head = ["recipe", "epochs", *spoken, *(f"paper's {metric}" for metric in papers), "ours is"]
    yield from (_row(head), _row(["---"] * len(head)))
    for name, result in results.items():
        if result is None:
            yield _row([f"`{name}`", *[NONE] * (len(head) - 2), "not measured yet"])
        else:
            ours = [figure(result, metric) for metric in chosen]
            theirs = [paper(result, metric) for metric in papers]
            state = "whole" if result["complete"] else "partial"
            yield _row([f"`{name}`", f"{result['epochs'][0]:.1f}", *ours, *theirs, state])


def reasons(names: Sequence[str]) -> Iterator[str]:
    """Lines of a Markdown list: why some results are partial, and which ones."""
    why: dict[str, list[str]] = {}
    for name in names:
        path = path_of(name)
        told = None if path is None else read(path)["partial"]
        if told:
            why.setdefault(told, []).append(f"`{name}`")
    yield from (f"- partial, {', '.join(partial)}: {told}" for told, partial in why.items())


SYSTEMS = {
    "tfidf": "TF-IDF, logistic regression",
    "tfidf-bigrams": "the same, pairs of words too",
    "readhead": "readhead",
    "readhead-vectors": "readhead, with `--vectors`",
}
"""By its name in `results/bench/own-data.json`, what a system is called."""


def own_table(measured: dict[str, Any]) -> Iterator[str]:
    """Lines of a Markdown table of what `readhead bench own` measured: a row for each data and system."""
    yield from (_row(["data", "system", "accuracy", "gain", "CPU s, at most"]), _row(["---"] * 5))
    for row in measured["summary"]:
        (gained,) = (value for key, value in row.items() if key.startswith("over_"))
        gain = NONE if row["system"] == next(iter(SYSTEMS)) else _mean(gained, sign="+")
        system = SYSTEMS.get(row["system"], row["system"])
        yield _row([row["data"], system, _mean(row["accuracy"]), gain, f"{row['most_cpu_seconds']:,.0f}"])


def _mean(summary: dict[str, Any], sign: str = "") -> str:
    interval = "" if summary["interval"] is None else f" ± {summary['interval']:.1f}"
    return f"{summary['mean']:{sign}.1f}{interval}"


def leaves(value: dict[str, Any], within: str = "") -> Iterator[dict[str, Any]]:
    """What an object of objects holds, a row each: for a benchmark that is no table."""
    for key, part in value.items():
        if isinstance(part, dict):
            yield from leaves(part, f"{within}{key}, ")
        else:
            yield {"what": (within + key).replace("_", " "), "is": part}


def plain_table(rows: Sequence[dict[str, Any]]) -> Iterator[str]:
    """Lines of a Markdown table of what a benchmark measured: a row each, a column for each key."""
    keys = [key for key in dict.fromkeys(key for row in rows for key in row) if not BESIDE.fullmatch(key)]
    yield from (_row([key.replace("_", " ") for key in keys]), _row(["---"] * len(keys)))
    for row in rows:
        yield _row([_cell(row.get(key)) for key in keys])


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _cell(value: Any) -> str:
    """A value as a reader wants it: four digits of a number, the parts of a list or an object side by side."""
    if isinstance(value, list):
        return " × ".join(map(_cell, value))
    if isinstance(value, dict):
        return ", ".join(f"{key} {_cell(part)}" for key, part in value.items())
    if isinstance(value, float):
        return f"{value:.4g}" if abs(value) < 1000 else f"{value:,.0f}"
    told = f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value).replace("|", "\\|")
    return {"None": NONE, "True": "yes", "False": "no"}.get(told, told)
