"""From a recipe to a finished run directory, anew or from where a killed run left off."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import torch
from torch import nn
from torch.optim import Optimizer

from readhead import durable
from readhead.data.stream import as_read
from readhead.errors import Interrupted
from readhead.recipe import Recipe
from readhead.run import TABLE, RunFiles, RunRecord
from readhead.tasks.scoring import score_split
from readhead.tasks.task import Task
from readhead.training.card import card
from readhead.training.counting import Counts, score_counted
from readhead.training.fitting import check_counting, check_model, check_running
from readhead.training.interrupt import stop_requests
from readhead.training.layout import check_folder, lay_out, locked, new_record
from readhead.training.material import Material, gather
from readhead.training.metrics_log import MetricsLog
from readhead.training.origin import take_weights
from readhead.training.report import Report
from readhead.training.request import Request, accelerator
from readhead.training.state import State
from readhead.training.trainer import Trainer

if TYPE_CHECKING:
    from accelerate import Accelerator


Reading = Callable[[Recipe], Material]
"""How a recipe's texts come to a training."""


def train(request: Request, read: Reading | None = None) -> RunRecord:
    """Trains, and leaves a complete run directory. A finished run that is resumed stays as it is.

    read: gives the material of the request's recipe; None to read it with `gather`.
    Returns the run's record.
    Raises: InputError for bad input, before anything is written; Interrupted after Ctrl-C, with the line that resumes.
    """
    files = RunFiles(request.out)
    check_folder(request, files)
    if request.resume and files.record.is_file() and (record := RunRecord.open(files.record)).is_done(request.budget):
        told = f"{request.out}: nothing to do, training has finished ({record.finished})"
        Report(unit="examples", watched="score", log=files.log, quiet=request.quiet).say(told)
        return record
    sitting = _prepare(request, files, read or reading(request))
    with locked(files.checkpoint.parent), stop_requests() as stop:
        sitting.record = lay_out(request, files, sitting.material, sitting.record)
        report = Report(unit=sitting.task.unit, watched=sitting.task.watched, log=files.log, quiet=request.quiet)
        try:
            _introduce(sitting, report)
            if not _learn(sitting, report, stop):
                raise Interrupted(request.going_on)
            return _finish(sitting, report)
        finally:
            report.close()


@dataclass(slots=True)
class _Sitting:
    """What one sitting of a training works with."""

    request: Request
    files: RunFiles
    material: Material
    task: Task
    state: State
    accelerator: Accelerator
    record: RunRecord


def reading(request: Request) -> Reading:
    """The way a request's texts are read where nothing else is said."""
    return lambda recipe: gather(recipe, corpora=request.corpora, seed=request.seed)


def _prepare(request: Request, files: RunFiles, read: Reading) -> _Sitting:
    """Reads and builds everything; writes nothing, so that whatever is wrong leaves no trace."""
    chosen = accelerator(request)
    material = read(request.recipe)
    task = material.task
    torch.manual_seed(request.seed)
    num_classes = task.num_classes(material.vocabulary)
    model = request.recipe.build_model(table=material.table, pretrained=material.pretrained, num_classes=num_classes)
    check_model(task, model)
    check_running(request.recipe.training, model, material.labels)
    if isinstance(model, Counts):
        check_counting(request)
        (text,) = material.train.texts.values()
        model.count(text.ids, text.bounds)
    if request.start is not None and not files.checkpoint.is_file():
        take_weights(model, request.start, vocabulary=material.vocabulary, labels=material.labels)
    model.to(chosen.device)  # before the optimiser is made, which looks where the parameters are
    state = State(model, _optimizer(request, model), chosen.scaler)
    return _Sitting(request, files, material, task, state, chosen, new_record(request, material, model))


def _optimizer(request: Request, model: nn.Module) -> Optimizer | None:
    """Over all that learns in the model; None where nothing does."""
    trainable = {name: parameter for name, parameter in model.named_parameters() if parameter.requires_grad}
    if not trainable:
        return None
    word_vectors = [trainable.pop(name) for name in [TABLE] if name in trainable]
    optimizer: Optimizer = request.recipe.parts["optimizer"].build().over(list(trainable.values()), word_vectors)
    return optimizer


def _learn(sitting: _Sitting, report: Report, stop: Callable[[], bool]) -> bool:
    """Returns False if asked to stop before the end."""
    state, material = sitting.state, sitting.material
    if isinstance(state.model, Counts):
        score_counted(state, sitting.task, material.dev, MetricsLog(path=sitting.files.metrics), report)
        return True
    return _trainer(sitting, report, stop).fit()


def _trainer(sitting: _Sitting, report: Report, stop: Callable[[], bool]) -> Trainer:
    """The trainer, standing where the checkpoint says, if there is one."""
    request, files, state = sitting.request, sitting.files, sitting.state
    plan = request.recipe.training
    log = MetricsLog(path=files.metrics)
    trainer = Trainer(
        state=state,
        task=sitting.task,
        train=as_read(sitting.material.train, plan.segment, streams=plan.batch_size),
        dev=as_read(sitting.material.dev, plan.segment),
        plan=plan,
        seed=request.seed,
        accelerator=sitting.accelerator,
        checkpoint=files.checkpoint,
        log=log,
        report=report,
        budget=request.budget,
        stop=stop,
    )
    if request.resume and not files.checkpoint.is_file():
        report.say(f"nothing to resume in {request.out}: starting anew")
    if files.checkpoint.is_file():
        state.load(files.checkpoint)
        report.say(f"resuming at epoch {state.progress.epoch + 1}, step {state.progress.step + 1}")
    log.cut(state.progress.metrics_bytes)
    return trainer


def _introduce(sitting: _Sitting, report: Report) -> None:
    recipe, record, material = sitting.request.recipe, sitting.record, sitting.material
    report.say(f"{recipe.name}: {recipe.summary}")
    if why := recipe.why_partial(record.complete_data):
        report.say(f"partial or mixed data: {why}")
    for line in material.understood:
        report.say(line)
    counts = ", ".join(f"{count:,} {split}" for split, count in record.examples.items())
    report.say(
        f"{counts} {report.unit}; {len(material.vocabulary):,} words and markers; {record.parameters:,} parameters"
    )
    for what, numbers in (
        ("left out, for want of a label or by this recipe", record.dropped),
        ("texts cut", record.truncated),
    ):
        if any(numbers.values()):
            report.say(f"{what}: " + ", ".join(f"{count:,} in {split}" for split, count in numbers.items() if count))


def _finish(sitting: _Sitting, report: Report) -> RunRecord:
    """Writes weights, temperature and card; the record that says "finished" last, so that a kill redoes it."""
    from safetensors.torch import save

    request, files, task, state = sitting.request, sitting.files, sitting.task, sitting.state
    best = state.best_weights
    durable.write(files.weights, save({name: value.cpu() for name, value in best.items()}))
    state.model.load_state_dict(best)
    dev = as_read(sitting.material.dev, request.recipe.training.segment)
    score = score_split(state.model, task, dev, device=sitting.accelerator.device)
    record = _completed(sitting, task.calibrate(score))
    durable.write_text(files.card, card(request.recipe, record, task, score.metrics(), folder=str(request.out)))
    record.save(files.record)
    by_loss = request.recipe.training.choose_by == "loss"
    which, where = ("dev", ", of the least loss") if by_loss else ("best dev", "")
    told = f"{which} {task.watched} {state.progress.best:.4f} at epoch {state.progress.best_epoch + 1}{where}"
    report.say(f"{record.finished}: {told}; {record.seconds:.0f} s; {request.out}")
    return record


def _completed(sitting: _Sitting, temperature: float | None) -> RunRecord:
    progress, record, task = sitting.state.progress, sitting.record, sitting.task
    record.temperature = 1.0 if temperature is None else temperature
    record.best = {"metric": task.watched, "value": progress.best, "epoch": progress.best_epoch + 1}
    record.epochs, record.seconds = round(progress.trained, 3), round(progress.seconds, 1)
    record.finished, record.budget = progress.finished, sitting.request.budget if progress.cut_short else None
    return record
