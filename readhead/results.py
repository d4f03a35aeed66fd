"""results/: one file a recipe, made by `readhead reproduce` and by nothing else.

What was trained with changes stands beside its recipe's own file, as `NAME@VARIATION.json`, and never in its place.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import mean, stdev
from typing import Any

from readhead import durable
from readhead.errors import InputError

FOLDER = Path("results")

SHARES = ("map", "mrr")
"""Metrics that are shares of 1 in the papers' tables, and in ours."""

# Student's t: 95 % of it lies within ± these, for 1 to 30 degrees of freedom.
T_95 = (
    *(12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228),
    *(2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086),
    *(2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042),
)


def variation(name: str, changes: Sequence[str]) -> str:
    """What a recipe is called when it was changed: itself, if nothing was; else with eight digits of the changes."""
    if not changes:
        return name
    digest = hashlib.sha256("\n".join(changes).encode()).hexdigest()
    return f"{name}@{digest[:8]}"


def result_path(name: str, folder: Path = FOLDER) -> Path:
    """The file of a recipe's result."""
    return folder / f"{name}.json"


def read_result(name: str, folder: Path = FOLDER) -> dict[str, Any] | None:
    """What was measured with a recipe; None if nothing was, or if no `results/` lies in the working directory.

    Raises: InputError when the file is damaged.
    """
    path = result_path(name, folder)
    if not path.is_file():
        return None
    try:
        value: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise InputError(f"not a results file: {error}", file=path) from None
    return value


def write_result(name: str, result: Mapping[str, Any], folder: Path = FOLDER) -> Path:
    """Writes it durably. Returns its path."""
    path = result_path(name, folder)
    path.parent.mkdir(parents=True, exist_ok=True)
    durable.write_json(path, result)
    return path


def printed(metric: str, value: float) -> str:
    """A figure as the papers' tables print it: MAP and MRR as shares of 1, all others in percent or as they are.

    metric: perhaps with a split in front: `dev_map`.
    """
    return f"{value:.4f}" if metric.rpartition("_")[2] in SHARES else f"{value:.1f}"


def summary(per_seed: Sequence[float]) -> dict[str, Any]:
    """A metric over n seeds: mean, and half the width of its 95 % interval, t · s / √n (None from one seed).

    t is Student's, of n - 1 degrees of freedom, so that few seeds are not taken for many; from 31 on the interval is
    that of 30, a little too wide.
    """
    n = len(per_seed)
    interval = T_95[min(n - 1, len(T_95)) - 1] * stdev(per_seed) / n**0.5 if n > 1 else None
    return {"mean": mean(per_seed), "interval": interval, "per_seed": list(per_seed)}


def merged(paper: Mapping[str, Mapping[str, float]]) -> dict[str, float]:
    """The figures of all rows of a paper that one recipe fills, by metric.

    paper: by row, the figures printed there, by metric.
    Raises: InputError when two rows give different figures for one metric.
    """
    figures: dict[str, float] = {}
    for row, printed in paper.items():
        for metric, value in printed.items():
            if figures.setdefault(metric, value) != value:
                raise InputError(f"[paper] {row}: {metric} = {value}, but {figures[metric]} in a row before it")
    return figures
