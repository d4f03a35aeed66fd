"""`readhead bench training`: a training step against the matrix products in it, and against evaluation."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import torch
from torch import Tensor, nn

from readhead.bench import pairs
from readhead.bench.products import Operand, Product, products_of, replay
from readhead.bench.readers import NUM_CLASSES, TIMED_READERS, VOCABULARY, timed_model
from readhead.bench.timing import Contestant, Measurement, Schedule, Timing, measure, synchronizer
from readhead.data.batch import Batch
from readhead.optimizers import Adagrad
from readhead.tasks.classification import PairClassification

BATCH = 32
MOST_TO_PRODUCTS = 1.6
"""A step may take so many times as long as its matrix products."""

LEAST_EVALUATION = 2.5
"""Evaluation must be so many times as fast as training."""

FULL, QUICK = Schedule(inputs=8, rounds=20), Schedule(inputs=2, rounds=3, reruns=0)


def rows(device: torch.device, schedule: Schedule) -> Iterator[dict[str, Any]]:
    """One row for each reader, as `readhead bench training --json` has them."""
    for name, reader in TIMED_READERS:
        model = timed_model(name, reader, device)
        batches = pairs.batches(
            schedule.inputs, size=BATCH, vocabulary=VOCABULARY, num_classes=NUM_CLASSES, device=device
        )
        step = training_step(model, batches)
        products = [products_of(partial(step, number)) for number in range(len(batches))]
        contestants = {
            "step": step,
            "products": products_alone(products),
            "evaluation": evaluation(model, batches),
        }
        measured = measure(contestants, schedule, synchronize=synchronizer(device))
        yield {
            "model": name,
            "reader": reader,
            "batch": BATCH,
            "padding": pairs.padding(batches),
            **_figures(measured, products),
        }


def training_step(model: nn.Module, batches: Sequence[Batch]) -> Contestant:
    """Forward with dropout, loss, backward and Adagrad, on one of the batches."""
    task = PairClassification(labels=[str(label) for label in range(NUM_CLASSES)])
    optimizer = Adagrad().over([p for p in model.parameters() if p.requires_grad])

    def run(number: int) -> None:
        model.train()
        loss = task.loss(model(batches[number]), batches[number])
        optimizer.zero_grad()
        torch.autograd.backward(loss)
        optimizer.step()

    return run


def evaluation(model: nn.Module, batches: Sequence[Batch]) -> Contestant:
    """Forward without dropout, in inference mode, on one of the batches."""

    def run(number: int) -> None:
        model.eval()
        with torch.inference_mode():
            model(batches[number])

    return run


def products_alone(products: Sequence[Sequence[Product]]) -> Contestant:
    """Each batch's products. Memory that the steps share, such as the weights, is shared here too."""
    pool: dict[Operand, Tensor] = {}
    replays: list[Callable[[], None]] = [replay(of_batch, pool) for of_batch in products]
    return lambda number: replays[number]()


def _figures(measured: Measurement, products: Sequence[Sequence[Product]]) -> dict[str, Any]:
    step, evaluated = measured.timings["step"], measured.timings["evaluation"]
    flop = sum(product.flop for of_batch in products for product in of_batch) / len(products)
    return {
        "step_ms": _milliseconds(step),
        "products_ms": _milliseconds(measured.timings["products"]),
        "evaluation_ms": _milliseconds(evaluated),
        "ratio_to_products": measured.ratio("step", "products"),
        "ratio_to_products_minima": measured.ratio_of_minima("step", "products"),
        "pairs_per_second_training": BATCH / step.median,
        "pairs_per_second_evaluation": BATCH / evaluated.median,
        "evaluation_to_training": measured.ratio("step", "evaluation"),
        "evaluation_to_training_minima": measured.ratio_of_minima("step", "evaluation"),
        "gflop": flop / 1e9,
        **measured.circumstances(),
    }


def _milliseconds(timing: Timing) -> dict[str, float]:
    return {"median": 1e3 * timing.median, "min": 1e3 * timing.minimum}
