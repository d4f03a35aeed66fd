"""A run as an ONNX folder: traced, tried beside the run, and only then written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from readhead.errors import InputError
from readhead.export.check import check_graph, check_reader, predicted, with_model
from readhead.export.folder import expect_free, fill, megabytes, whole_or_absent
from readhead.export.graph import onnx_graph
from readhead.export.onnx_model import OnnxModel
from readhead.export.quantise import weights_in_int8
from readhead.export.trial import trial_batch, trial_batches, trial_records
from readhead.models.kneser_ney import KneserNey
from readhead.prediction.evaluation import evaluate_split
from readhead.prediction.predictor import Predictor
from readhead.run import Run

TRIED = 200  # records that int8 is measured on where the dev split is not at hand


@dataclass(frozen=True, slots=True)
class Cost:
    """What weights in eight bits cost.

    measured_on: the dev split, or why it was not that.
    figure: what was measured: the task's own (`accuracy`, `perplexity`, `map`), or the share of `same answers`.
    before, after: the figure in float32, and in eight bits.
    """

    measured_on: str
    figure: str
    before: float
    after: float


@dataclass(frozen=True, slots=True)
class Exported:
    """What was written.

    megabytes: the model's size.
    difference: the largest between the float32 graph and the run; at most 1e-5.
    cost: of int8; None without.
    """

    megabytes: float
    difference: float
    cost: Cost | None


def export_onnx(run: Run, out: Path, *, int8: bool = False, corpora: Path | None = None) -> Exported:
    """Writes a run as a folder that onnxruntime, tokenizers and numpy can read with.

    run: as `Run.open` gives it, on the CPU; its model must not have been packed.
    out: the folder, which is not there yet or empty.
    int8: weights in eight bits; computed is in float32 as before.
    corpora: where the dev split lies that the cost of int8 is measured on; None = nowhere.

    Raises:
        InputError: the run can't be exported, or answers otherwise once it is; nothing has been written then.
    """
    expect_free(out)
    if isinstance(run.model, KneserNey):
        raise InputError("an n-gram model is a table, which ONNX has no form for; --format arpa writes it")
    graph = onnx_graph(run.model, trial_batch(run, num_texts=3, longest=5))
    return write_checked(run, graph, out, int8=int8, corpora=corpora)


def write_checked(run: Run, graph: Any, out: Path, *, int8: bool, corpora: Path | None) -> Exported:
    """`export_onnx` from where the model is written down, as an `onnx.ModelProto`, on."""
    exported = _opened(run, graph)
    apart = check_graph(run.model, exported.model, trial_batches(run))
    written, cost = graph, None
    if int8:
        written = weights_in_int8(graph)
        rounded = _opened(run, written)
        cost = _cost(exported, rounded, corpora)
        exported = rounded
    with whole_or_absent(out) as folder:
        fill(folder, run, written, int8=int8)
        check_reader(exported, folder)
    return Exported(megabytes(out), apart, cost)


def _opened(run: Run, graph: Any) -> Run:
    return with_model(run, OnnxModel(graph=graph, foretells=run.task.foretells))


def _cost(before: Run, after: Run, corpora: Path | None) -> Cost:
    """Of both, as they run in onnxruntime."""
    if before.recipe.training.segment is not None:
        return _cost_on_trial(before, after, "it is running text, and an exported model reads each text alone")
    dev = before.recipe.parts["corpus"].build().splits[1]
    try:
        if corpora is None:
            raise InputError("no folder of corpora is named")
        figures = [
            evaluate_split(run, dev, corpora=corpora).report.metrics[run.task.watched] for run in (before, after)
        ]
    except InputError as error:
        return _cost_on_trial(before, after, str(error))
    return Cost(f"the {dev} split", before.task.watched, *figures)


def _cost_on_trial(before: Run, after: Run, why: str) -> Cost:
    records = trial_records(before, count=TRIED)
    ours, theirs = (predicted(Predictor(run=run), records) for run in (before, after))
    same = sum(_answer(one) == _answer(other) for one, other in zip(ours, theirs, strict=True)) / len(records)
    measured = f"{len(records)} random texts, not the dev split: {why}"
    return Cost(measured, "same answers", 1.0, same)


def _answer(record: Mapping[str, Any]) -> Any:
    """What a record comes to: its label, or the order of its candidates; of a language model, to a tenth."""
    if "ranking" in record:
        return [candidate["place"] for candidate in record["ranking"]]
    return record.get("label", round(record.get("perplexity", 0.0), 1))
