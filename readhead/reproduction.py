"""From a recipe to its file in results/: trained, scored on every split, set beside the paper."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from readhead import recipe, results, shipped
from readhead.circumstances import commit, machine
from readhead.errors import InputError
from readhead.recipe import Recipe
from readhead.run import Run, RunFiles, RunRecord

if TYPE_CHECKING:
    from readhead.prediction.evaluation import Evaluation


@dataclass(frozen=True, kw_only=True, slots=True)
class Plan:
    """What to reproduce, and with what.

    runs: the folder that run directories are made in; one that is there is gone on with.
    corpora: the folder that corpora and vectors lie below.
    seeds: one run each.
    budget: seconds a run, at most; None = as long as the recipe says.
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


def reproduce(name: str, plan: Plan, changes: Sequence[str] = ()) -> tuple[Path, dict[str, Any]]:
    """Trains a recipe with each seed, scores every split, writes the results file. Returns its path and what it holds.

    changes: "section.key=value", told in the file too.
    Raises: InputError when corpus or vectors are missing; Interrupted after Ctrl-C.
    """
    from readhead.training.request import Request
    from readhead.training.start import train

    chosen = recipe.read(name, changes)
    paper = results.merged(chosen.paper)
    records, scored = [], []
    for seed in plan.seeds:
        out = plan.runs / results.variation(name, changes) / f"seed-{seed}"
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
    courses = [_course(plan.runs / results.variation(name, changes) / f"seed-{seed}") for seed in plan.seeds]
    result = _result(chosen, plan, changes, records, scored) | {"by_epoch": _by_metric(courses), "paper": paper}
    result |= shipped_figures(name, plan.corpora)
    return results.write_result(_place(name, result, plan.folder), result, plan.folder), result


def _course(folder: Path) -> list[dict[str, Any]]:
    """What training said of each epoch, the last one perhaps cut short."""
    lines = RunFiles(folder).metrics.read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def _by_metric(courses: Sequence[Sequence[Mapping[str, Any]]]) -> dict[str, list[list[float]]]:
    """Dev figures epoch by epoch, as training watched them: by metric, a list for each seed."""
    metrics = [key for key in courses[0][0] if key.startswith("dev_") and not key.endswith("loss")]
    return {metric: [[line[metric] for line in course] for course in courses] for metric in metrics}


def _place(name: str, result: dict[str, Any], folder: Path) -> str:
    """Under which name a result is kept: never in place of one that is worth more."""
    varied = list(result["changes"])
    before = results.read_result(results.variation(name, varied), folder)
    if before is not None and _worth(before) > _worth(result):
        varied += [f"budget={result['budget']}", f"seeds={len(result['seeds'])}"]
    return results.variation(name, varied)


def _worth(result: dict[str, Any]) -> tuple[bool, bool, int]:
    whole_runs = not any(result.get("cut_short", [True]))
    return result.get("complete", False), whole_runs, len(result.get("seeds", ()))


def _below(row: str, target: str | None) -> bool:
    return target is None or row == target or row.startswith(f"{target}/")


def _score(folder: Path, corpora: Path) -> dict[str, float]:
    """Every split's figures in the names of the results files: plain for `test`, else with the split in front."""
    from readhead.prediction.evaluation import evaluate_split

    run = Run.open(folder)
    figures: dict[str, float] = {}
    for split in _splits(run.recipe):
        prefix = "" if split == "test" else f"{split}_"
        told = _figures(evaluate_split(run, split, corpora=corpora))
        figures |= {prefix + metric: value for metric, value in told.items()}
    return figures


def shipped_figures(name: str, corpora: Path) -> dict[str, Any]:
    """Of the recipe `shipped/NAME`, what the model NAME in the package scores: it is smaller than what was trained."""
    model = name.removeprefix("shipped/")
    if model == name or model not in shipped.shipped():
        return {}
    folder = shipped.SHIPPED / model
    told = {"smaller": RunRecord.open(RunFiles(folder).record).smaller, "bytes": shipped.weights_size(model)}
    return {"shipped": told | {"metrics": _score(folder, corpora)}}


def _figures(measured: Evaluation) -> dict[str, float]:
    """An evaluation's metrics, and its accuracy by tag; shares in percent. Losses are for training logs."""
    report = measured.report
    figures = {
        metric: 100 * value if metric in report.shares else value
        for metric, value in report.metrics.items()
        if not metric.endswith("loss")
    }
    for tag, values in measured.by_tag.items():
        figures |= {f"accuracy[{tag}={value}]": 100 * figure["accuracy"] for value, figure in values.items()}
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
    first, why = records[0], _why_partial(chosen, changes, records)
    return {
        "recipe": chosen.name,
        "recipe_sha256": hashlib.sha256(chosen.to_toml().encode()).hexdigest(),
        "changes": list(changes),
        "rows": list(chosen.paper),
        "seeds": list(plan.seeds),
        "budget": plan.budget,
        "data": first.data,
        "complete": not why,
        "deviates": chosen.deviates,
        "partial": "; ".join(why) or None,
        "examples": first.examples,
        "dropped": first.dropped,
        "truncated": first.truncated,
        "parameters": first.parameters,
        "epochs": [record.epochs for record in records],
        "best_epochs": [record.best["epoch"] for record in records],
        "finished": [record.finished for record in records],
        "cut_short": [record.budget is not None for record in records],
        "commit": commit(),
        "versions": first.versions,
        "machine": machine(),
        "load": round(os.getloadavg()[0], 2),
        "seconds": [round(record.seconds, 1) for record in records],
        "metrics": {name: results.summary([figures[name] for figures in scored]) for name in scored[0]},
    }


def _why_partial(chosen: Recipe, changes: Sequence[str], records: Sequence[RunRecord]) -> list[str]:
    """Why these figures stand as no reproduction, the recipe's own words first; empty if they do."""
    why = [chosen.partial] if chosen.partial else []
    if not why and not records[0].complete_data:
        why.append(f"the corpus {chosen.parts['corpus'].kind} is not whole, as published")
    if changes:
        why.append(f"changed: {', '.join(changes)}")
    for record in records:
        if record.budget is not None:
            why.append(f"seed {record.seed} was cut after {record.epochs:.1f} epochs: {record.finished}")
    return why
