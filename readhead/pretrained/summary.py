"""A run told in a few lines: for a notebook's cell, and for whoever prints it."""

from __future__ import annotations

from readhead.explain.notebook import shown, table
from readhead.run import Run

MOST_LABELS = 12


def facts(run: Run) -> dict[str, str]:
    """What there is to know of a run at a glance, by name."""
    record, parts = run.record, run.recipe.parts
    named = {
        "task": f"{parts['task'].kind}: {', '.join(run.task.fields)}",
        "labels": _labels(record.labels),
        "reader, model": ", ".join(parts[part].kind for part in ("reader", "model") if part in parts),
        "size": f"{record.parameters:,} trainable parameters, {len(run.vocabulary.words):,} words",
        "trained on": ", ".join(f"{count:,} {split} {run.task.unit}" for split, count in record.examples.items()),
        "on dev": _best(run),
        "partial or mixed data": run.recipe.why_partial(record.complete_data) or "",
    }
    return {name: told for name, told in named.items() if told}


def as_line(run: Run) -> str:
    """One line."""
    kind, labels = run.recipe.parts["task"].kind, len(run.record.labels)
    several = f", {labels} labels" if labels else ""
    return f"<readhead.Reader {run.recipe.name}: {kind}{several}, {run.record.parameters:,} parameters>"


def as_html(run: Run) -> str:
    """A card for a notebook's cell."""
    rows = [(f"<b>{shown(name)}</b>", shown(told)) for name, told in facts(run).items()]
    summary = f"<div>{shown(run.recipe.summary)}</div>" if run.recipe.summary else ""
    head = f"<div><b>{shown(run.recipe.name)}</b></div>{summary}"
    return f'<div style="font-family: sans-serif; font-size: 13px">{head}{table(rows)}</div>'


def _labels(labels: list[str]) -> str:
    more = f" and {len(labels) - MOST_LABELS} more" if len(labels) > MOST_LABELS else ""
    return ", ".join(labels[:MOST_LABELS]) + more


def _best(run: Run) -> str:
    """The watched figure, and what making the run smaller changed of it."""
    best, smaller = run.record.best, run.record.smaller
    told = f"{best['metric']} {best['value']:.4f}" if {"metric", "value"} <= best.keys() else ""
    cost = (smaller or {}).get("cost")
    if cost:
        told += "; made smaller: " + ", ".join(
            f"{name} {before:.4f} → {after:.4f}" for name, (before, after) in cost["before_after"].items()
        )
    return told
