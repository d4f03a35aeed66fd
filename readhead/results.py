"""results/: one file a recipe, made by `readhead reproduce` and by nothing else."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import mean, stdev
from typing import Any

from readhead import durable
from readhead.errors import InputError

FOLDER = Path("results")


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


def summary(per_seed: Sequence[float]) -> dict[str, Any]:
    """A metric over seeds: its mean, and the half-width of its 95 % interval (None from one seed)."""
    interval = 1.96 * stdev(per_seed) / len(per_seed) ** 0.5 if len(per_seed) > 1 else None
    return {"mean": mean(per_seed), "interval": interval, "per_seed": list(per_seed)}
