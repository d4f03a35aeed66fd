"""From a recipe to a finished run directory, anew or from where a killed run left off."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import torch
from torch import nn

from readhead import durable
from readhead.errors import InputError, Interrupted
from readhead.recipe import Recipe
from readhead.run import RunFiles, RunRecord, load_weights, read_recipe, save_table
from readhead.tasks.scoring import score_split
from readhead.tasks.task import Task
from readhead.training.card import card
from readhead.training.interrupt import stop_requests
from readhead.training.material import Material, gather
from readhead.training.metrics_log import MetricsLog
from readhead.training.report import Report
from readhead.training.state import State
from readhead.training.trainer import Trainer

if TYPE_CHECKING:
    from accelerate import Accelerator

LIBRARIES = ("readhead", "torch", "numpy", "accelerate", "tokenizers")


@dataclass(frozen=True, kw_only=True, slots=True)
class Request:
    """What the command line asks of a training.

    recipe: checked.
    out: the run directory.
    corpora: the folder that corpora and vectors lie below.
    seed: of everything random.
    device: `auto`, `cpu`, `cuda` or `cuda:1`.
    precision: `no` = float32; `bf16`, `fp16` = mixed.
    resume: whether to go on in `out`.
    start: a run directory whose weights to start from.
    budget: seconds after which to end with the best weights so far.
    quiet: whether only train.log is written.
    """

    recipe: Recipe
    out: Path
    corpora: Path
    seed: int = 0
    device: str = "auto"
    precision: Literal["no", "bf16", "fp16"] = "no"
    resume: bool = False
    start: Path | None = None
    budget: float | None = None
    quiet: bool = False


def train(request: Request) -> RunRecord:
    """Trains, and leaves a complete run directory. A finished run that is resumed stays as it is.

    Returns the run's record.
    Raises: InputError for bad input, before anything is written; Interrupted after Ctrl-C, with the line that resumes.
    """
    files = RunFiles(request.out)
    _check_folder(request, files)
    if request.resume and files.record.is_file() and (record := RunRecord.open(files.record)).finished:
        _report(request, files).say(f"{request.out}: nothing to do, training has finished ({record.finished})")
        return record
    accelerator = _accelerator(request)
    material = gather(request.recipe, corpora=request.corpora, seed=request.seed)
    model = _model(request, material)
    record = _lay_out(request, files, material, model)
    sitting = _Sitting(request, files, material, model, record, accelerator)
    try:
        sitting.train()
        return sitting.finish()
    finally:
        sitting.report.close()


def _check_folder(request: Request, files: RunFiles) -> None:
    if request.out.exists() and not request.out.is_dir():
        raise InputError("this is a file; expected a folder for the run", file=request.out)
    if not request.resume:
        if request.out.is_dir() and any(request.out.iterdir()):
            raise InputError("the run directory is not empty; give another --out, or --resume", file=request.out)
    elif files.recipe.is_file() and read_recipe(files).to_toml() != request.recipe.to_toml():
        raise InputError("the run was started with another recipe; resume it with that one", file=files.recipe)


def _accelerator(request: Request) -> Accelerator:
    from accelerate import Accelerator

    device = request.device
    if device.startswith("cuda") and not torch.cuda.is_available():
        raise InputError(f"--device {device}: no CUDA device can be used here (`readhead doctor` says why)")
    on_cpu = device == "cpu" or not torch.cuda.is_available()
    return Accelerator(cpu=on_cpu, mixed_precision=request.precision)


def _model(request: Request, material: Material) -> nn.Module:
    torch.manual_seed(request.seed)
    model = request.recipe.build_model(
        table=material.table, pretrained=material.pretrained, num_classes=len(material.labels)
    )
    if request.start is not None:
        load_weights(model, RunFiles(request.start).weights)
    return model


def _lay_out(request: Request, files: RunFiles, material: Material, model: nn.Module) -> RunRecord:
    """Writes all of the run that training does not change. Raises: InputError when resumed data is not the same."""
    record = RunRecord(
        labels=list(material.labels),
        seed=request.seed,
        data=material.data,
        examples={"train": len(material.train), "dev": len(material.dev)},
        dropped=material.dropped,
        truncated=material.truncated,
        versions={library: version(library) for library in LIBRARIES},
        parameters=sum(p.numel() for p in model.parameters() if p.requires_grad),
    )
    if files.checkpoint.is_file():
        before = RunRecord.open(files.record)
        if (before.data, before.seed) != (record.data, record.seed):
            raise InputError("the run was started with other data or another seed", file=files.record)
        return before
    files.checkpoint.parent.mkdir(parents=True, exist_ok=True)
    durable.write_text(files.recipe, request.recipe.to_toml())
    material.vocabulary.save(files.vocabulary)
    material.tokenizer.save(files.tokenizer)
    trainable = request.recipe.parts["embedding"].options["trainable"]
    save_table(files, material.table, material.pretrained, trainable=trainable)
    files.metrics.unlink(missing_ok=True)
    record.save(files.record)
    return record


def _report(request: Request, files: RunFiles, task: Task | None = None) -> Report:
    unit, watched = ("examples", "score") if task is None else (task.unit, task.watched)
    log = files.log if files.folder.is_dir() else None
    return Report(unit=unit, watched=watched, log=log, quiet=request.quiet)


class _Sitting:
    """One sitting of a training: from a laid-out run directory to a finished one, unless it is stopped."""

    def __init__(  # noqa: PLR0917 - only `train` above makes one, from what it has just made
        self,
        request: Request,
        files: RunFiles,
        material: Material,
        model: nn.Module,
        record: RunRecord,
        accelerator: Accelerator,
    ) -> None:
        self.request, self.files, self.material, self.record = request, files, material, record
        self.accelerator = accelerator
        self.task: Task = request.recipe.parts["task"].build(labels=material.labels)
        self.report = _report(request, files, self.task)
        trainable = [parameter for parameter in model.parameters() if parameter.requires_grad]
        self.state = State(model, request.recipe.parts["optimizer"].build().over(trainable))

    def train(self) -> None:
        """Trains to the end. Raises: Interrupted when asked to stop; the state is saved then."""
        log = MetricsLog(path=self.files.metrics)
        with stop_requests() as stop:
            trainer = Trainer(
                state=self.state,
                task=self.task,
                train=self.material.train,
                dev=self.material.dev,
                plan=self.request.recipe.training,
                seed=self.request.seed,
                accelerator=self.accelerator,
                checkpoint=self.files.checkpoint,
                log=log,
                report=self.report,
                budget=self.request.budget,
                stop=stop,
            )
            self._introduce()
            self._take_up(log)
            if not trainer.fit():
                raise Interrupted(f"readhead train {self.request.recipe.name} --out {self.request.out} --resume")

    def finish(self) -> RunRecord:
        """Writes weights, temperature and card; the record that says "finished" last, so that a kill redoes it."""
        from safetensors.torch import save

        progress, best = self.state.progress, self.state.best_weights
        durable.write(self.files.weights, save({name: value.cpu() for name, value in best.items()}))
        self.state.model.load_state_dict(best)
        score = score_split(self.state.model, self.task, self.material.dev, device=self.accelerator.device)
        self._complete_record(self.task.calibrate(score))
        told = card(self.request.recipe, self.record, self.task, score.metrics(), folder=self.request.out.name)
        durable.write_text(self.files.card, told)
        self.record.save(self.files.record)
        score_told = f"best dev {self.task.watched} {progress.best:.4f} at epoch {progress.best_epoch + 1}"
        self.report.say(f"{progress.finished}: {score_told}; {progress.seconds:.0f} s; {self.request.out}")
        return self.record

    def _take_up(self, log: MetricsLog) -> None:
        """Goes on from the checkpoint, if there is one."""
        progress = self.state.progress
        if self.files.checkpoint.is_file():
            self.state.load(self.files.checkpoint)
            progress = self.state.progress
            self.report.say(f"resuming at epoch {progress.epoch + 1}, step {progress.step + 1}")
        log.cut(progress.metrics_bytes)

    def _complete_record(self, temperature: float) -> None:
        progress, record = self.state.progress, self.record
        record.temperature = temperature
        record.best = {"metric": self.task.watched, "value": progress.best, "epoch": progress.best_epoch + 1}
        record.epochs, record.seconds = round(progress.trained, 3), round(progress.seconds, 1)
        record.finished = progress.finished

    def _introduce(self) -> None:
        recipe, record, say = self.request.recipe, self.record, self.report.say
        say(f"{recipe.name}: {recipe.summary}")
        if recipe.partial:
            say(f"partial or mixed data: {recipe.partial}")
        counts = ", ".join(f"{count:,} {split}" for split, count in record.examples.items())
        rows, parameters = f"{len(self.material.vocabulary):,} rows", f"{record.parameters:,} parameters"
        say(f"{counts} {self.report.unit}; {rows}; {parameters}")
        for what, numbers in (("dropped for want of a label", record.dropped), ("texts cut", record.truncated)):
            if any(numbers.values()):
                say(f"{what}: " + ", ".join(f"{count:,} in {split}" for split, count in numbers.items() if count))
