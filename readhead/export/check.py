"""Whether an exported model answers as the run does."""

from __future__ import annotations

import runpy
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from readhead.data.batch import Batch
from readhead.errors import InputError
from readhead.export.trial import trial_records
from readhead.models.output import Output
from readhead.prediction.predictor import Predictor
from readhead.prediction.ranking import ranked
from readhead.prediction.records import Form
from readhead.run import Run

TOLERANCE = 1e-5
"""How far an answer may be from the run's; of numbers above 1, by how much of themselves."""


def check_graph(model: nn.Module, exported: nn.Module, batches: Iterable[Batch]) -> float:
    """Both read every batch. Returns the largest difference of two answers.

    Raises:
        InputError: it is more than the tolerance, or onnxruntime can't answer.
    """
    worst = 0.0
    for batch in batches:
        lengths = " and ".join(str(text.mask.shape[1]) for text in batch.texts.values())
        told = f"{len(batch)} texts of up to {lengths} tokens"
        found = _difference(_numbers(model, batch, told), _numbers(exported, batch, told))
        if not found <= TOLERANCE:
            raise InputError(
                f"nothing was written: to {told} the exported model answers otherwise than the run, "
                f"by {found:.1e}; expected at most {TOLERANCE:.0e}"
            )
        worst = max(worst, found)
    return worst


def check_reader(run: Run, folder: Path) -> float:
    """The folder's own `reader.py`, asked what `predict` is asked. Returns the largest difference.

    run: with the model that the folder holds.

    Raises:
        InputError: an answer is another, or differs by more than the tolerance.
    """
    records = trial_records(run)
    expected = predicted(Predictor(run=run), records)
    reader = runpy.run_path(str(folder / "reader.py"))["Reader"]  # not imported, which would leave its bytecode there
    found = reader(folder).answers(records)
    worst = 0.0
    for record, ours, theirs in zip(records, expected, found, strict=True):
        apart = difference(ours, theirs)
        if not apart <= TOLERANCE:
            raise InputError(f"nothing was written: to {record} reader.py answers {theirs}, the run {ours}")
        worst = max(worst, apart)
    return worst


def predicted(predictor: Predictor, records: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """What `readhead predict` answers to records that are in order."""
    task = predictor.run.task
    form = Form(task.fields, task.several)
    readings = [form.readings(record) for record in records]
    told = iter(predictor.answers([texts for reading in readings for texts in reading]))
    answered = [[next(told) for _ in reading] for reading in readings]
    if task.several is None:
        return [answers[0] for answers in answered]
    return [
        {"ranking": ranked(texts, answers, task.several)} for texts, answers in zip(readings, answered, strict=True)
    ]


def difference(expected: Any, found: Any) -> float:
    """How far two answers in plain data are apart: the largest difference of two numbers in them; ∞ if one lacks."""
    if isinstance(expected, float) and isinstance(found, float):
        return abs(expected - found) / max(1.0, abs(expected))
    if isinstance(expected, Mapping) and isinstance(found, Mapping) and list(expected) == list(found):
        return max((difference(expected[key], found[key]) for key in expected), default=0.0)
    if isinstance(expected, list | tuple) and isinstance(found, list | tuple) and len(expected) == len(found):
        return max((difference(*pair) for pair in zip(expected, found, strict=True)), default=0.0)
    return 0.0 if expected == found else float("inf")


def with_model(run: Run, model: nn.Module) -> Run:
    """The run as it answers through another model."""
    return replace(run, model=model, device=torch.device("cpu"))


def _numbers(model: nn.Module, batch: Batch, told: str) -> Tensor:
    with torch.inference_mode():
        try:
            output: Output = model(batch)
        except RuntimeError as error:  # onnxruntime's own are
            raise InputError(f"nothing was written: {told} can't be read: {error}") from error
    answered = output.nats if output.logits is None else output.logits
    assert answered is not None
    return answered


def _difference(expected: Tensor, found: Tensor) -> float:
    if expected.shape != found.shape:
        return float("inf")
    return float(((expected - found).abs() / expected.abs().clamp(min=1)).max())
