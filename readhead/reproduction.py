"""From a recipe to its file in results/: trained, scored on every split, set beside the paper."""

from __future__ import annotations

import hashlib
import platform
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from readhead import recipe, results
from readhead.errors import InputError
from readhead.recipe import Recipe
from readhead.run import Run, RunRecord

# The metrics of a report that a results file keeps; losses are for training logs.
LEFT_OUT = ("loss",)


@dataclass(frozen=True, kw_only=True, slots=True)
class Plan:
    """What to reproduce, and with what.

    runs: the folder that run directories are made in; one that is there is gone on with.
    corpora: the folder that corpora and vectors lie below.
    seeds: one run each.
    budget: seconds a run, at most; None = the recipe's epochs.
    device: as for `train`.
    folder: where results go.
    """

    runs: Path
    corpora: Path
    seeds: Sequence[int] = (0,)
    budget: float | None = None
    device: str = "auto"
    folder: Path = results.FOLDER


def matching(target: str | None) -> list[str]:
    """The shipped recipes that fill rows of PAPER[/TABLE[/ROW]], or the one recipe of that name.

    Raises: InputError when there is none.
    """
    names = list(recipe.shipped())
    if target in names:
        return [target]
    found = [name for name in names if any(_below(row, target) for row in recipe.read(name).paper)]
    if not found:
        raise InputError(f"no recipe fills '{target}'; `readhead recipes` lists the rows that have one")
    return found


def reproduce(name: str, plan: Plan, changes: Sequence[str] = ()) -> dict[str, Any]:
    """Trains a recipe with each seed, scores every split, writes the results file. Returns what it holds.

    changes: "section.key=value", told in the file too.
    Raises: InputError when corpus or vectors are missing; Interrupted after Ctrl-C.
    """
    from readhead.training.start import Request, train

    chosen = recipe.read(name, changes)
    records, scored = [], []
    for seed in plan.seeds:
        out = plan.runs / name / f"seed-{seed}"
        request = Request(
            recipe=chosen,
            out=out,
            corpora=plan.corpora,
            seed=seed,
            device=plan.device,
            resume=out.is_dir(),
            budget=plan.budget,
        )
        records.append(train(request))
        scored.append(_score(out, plan.corpora))
    result = _result(chosen, plan, changes, records, scored)
    results.write_result(name, result, plan.folder)
    return result


def _below(row: str, target: str | None) -> bool:
    return target is None or row == target or row.startswith(f"{target}/")


def _score(folder: Path, corpora: Path) -> dict[str, float]:
    """Every split's figures in percent, in the names of the results files: plain for `test`, else with the split."""
    from readhead.prediction.evaluation import evaluate_split

    run = Run.open(folder)
    figures: dict[str, float] = {}
    for split in _splits(run.recipe):
        measured = evaluate_split(run, split, corpora=corpora)
        prefix = "" if split == "test" else f"{split}_"
        shown = {metric: value for metric, value in measured.report.metrics.items() if metric not in LEFT_OUT}
        figures |= {prefix + metric: 100 * value for metric, value in shown.items()}
        for values in measured.by_tag.values():
            tagged = {value: f["accuracy"] for value, f in values.items() if split == "test"}
            figures |= {f"accuracy_{value}": 100 * share for value, share in tagged.items()}
    return figures


def _splits(chosen: Recipe) -> Iterator[str]:
    """What is scored: all but the training split, and that too where the paper gives a figure for it."""
    wants_train = any(metric.startswith("train_") for figures in chosen.paper.values() for metric in figures)
    for split in chosen.parts["corpus"].build().splits:
        if split != "train" or wants_train:
            yield split


def _result(
    chosen: Recipe,
    plan: Plan,
    changes: Sequence[str],
    records: list[RunRecord],
    scored: list[dict[str, float]],
) -> dict[str, Any]:
    first = records[0]
    return {
        "recipe": chosen.name,
        "recipe_sha256": hashlib.sha256(chosen.to_toml().encode()).hexdigest(),
        "changes": list(changes),
        "rows": list(chosen.paper),
        "seeds": list(plan.seeds),
        "data": first.data,
        "complete": not chosen.partial,
        "partial": chosen.partial,
        "examples": first.examples,
        "dropped": first.dropped,
        "truncated": first.truncated,
        "parameters": first.parameters,
        "epochs": [record.epochs for record in records],
        "finished": [record.finished for record in records],
        "commit": _commit(),
        "versions": first.versions,
        "machine": _machine(),
        "seconds": [round(record.seconds, 1) for record in records],
        "metrics": {name: results.summary([figures[name] for figures in scored]) for name in scored[0]},
        "paper": {metric: value for figures in chosen.paper.values() for metric, value in figures.items()},
    }


def _commit() -> str | None:
    """The commit of the checkout that this runs in; None for an installed package."""
    try:
        asked = subprocess.run(
            ["git", "-C", str(Path(__file__).parent), "rev-parse", "HEAD"],
            capture_output=True,
            text=True,
            check=True,
        )
    except (OSError, subprocess.CalledProcessError):
        return None
    return asked.stdout.strip()


def _machine() -> dict[str, Any]:
    import torch

    return {
        "system": platform.system(),
        "processor": platform.machine(),
        "cpu_capability": torch.backends.cpu.get_cpu_capability(),
        "threads": torch.get_num_threads(),
    }
