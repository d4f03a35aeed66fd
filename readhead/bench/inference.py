"""`readhead bench inference`: how many pairs a second a reader judges, in batches of several sizes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch

from readhead.bench import pairs
from readhead.bench.readers import NUM_CLASSES, TIMED_READERS, VOCABULARY, timed_model
from readhead.bench.timing import Schedule, measure, synchronizer
from readhead.bench.training import evaluation

BATCHES = (1, 32, 256)
FULL, QUICK = Schedule(inputs=8, rounds=20), Schedule(inputs=2, rounds=3, reruns=0)


def rows(device: torch.device, schedule: Schedule) -> Iterator[dict[str, Any]]:
    """One row for each reader and batch size, as `readhead bench inference --json` has them."""
    for name, reader in TIMED_READERS:
        model = timed_model(name, reader, device)
        for size in BATCHES:
            batches = pairs.batches(
                schedule.inputs, size=size, vocabulary=VOCABULARY, num_classes=NUM_CLASSES, device=device
            )
            measured = measure({"evaluation": evaluation(model, batches)}, schedule, synchronize=synchronizer(device))
            timing = measured.timings["evaluation"]
            yield {
                "model": name,
                "reader": reader,
                "batch": size,
                "pairs_per_second": size / timing.median,
                "median_ms": 1e3 * timing.median,
                "min_ms": 1e3 * timing.minimum,
                **measured.circumstances(),
            }
