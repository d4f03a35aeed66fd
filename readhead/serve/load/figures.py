"""`readhead bench serve`: the service's figures, all in one run."""

from __future__ import annotations

import os
import platform
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import fastapi
import torch
import uvicorn

from readhead import __version__
from readhead.prediction.predictor import Predictor
from readhead.run import Run
from readhead.serve.load.endurance import Load
from readhead.serve.load.process import serving
from readhead.serve.load.single import latency, pictures
from readhead.serve.load.texts import Material
from readhead.serve.load.throughput import throughput


@dataclass(frozen=True, slots=True)
class Plan:
    """How much is measured.

    records: different ones that are asked.
    single: requests of one client, and as many bare calls.
    rounds, seconds: turns of each service with 32 clients, and how long each lasts.
    minutes: of the long load; 0 = none.
    """

    records: int = 500
    single: int = 1000
    rounds: int = 5
    seconds: float = 5.0
    minutes: float = 10.0


QUICK = Plan(records=20, single=30, rounds=1, seconds=0.5, minutes=0.05)


def figures(run: Path, plan: Plan, *, tell: Callable[[str], None] = lambda line: None) -> dict[str, Any]:
    """What `results/bench/serving.json` holds. tell: is told what is being measured."""
    predictor = Predictor(run=Run.open(run))
    material = Material.of(predictor, plan.records)
    load_before = os.getloadavg()[0]
    with serving(run) as batching:
        with serving(run, "--batch", "1") as one_at_a_time:
            tell("one request at a time")
            single = latency(predictor, batching, material, rounds=plan.single)
            drawn = pictures(batching, material, rounds=plan.single // 5)
            tell("32 clients")
            many = throughput(batching, one_at_a_time, material, rounds=plan.rounds, seconds=plan.seconds)
        tell(f"{plan.minutes:g} minutes of load")
        endured = Load(batching, material, minutes=plan.minutes).run() if plan.minutes else None
    return {
        "run": {
            "model": predictor.run.recipe.parts["model"].kind,
            "recipe": predictor.run.recipe.name,
            "parameters": predictor.run.record.parameters,
            "device": str(predictor.run.device),
        },
        "single": single,
        "pictures": drawn,
        "throughput": many,
        "endurance": endured,
        "machine": {"processor": platform.processor() or platform.machine(), "cores": os.cpu_count()},
        "versions": {
            "readhead": __version__,
            "python": platform.python_version(),
            "torch": torch.__version__,
            "fastapi": fastapi.__version__,
            "uvicorn": uvicorn.__version__,
        },
        "load_before": load_before,
        "load_after": os.getloadavg()[0],
    }
