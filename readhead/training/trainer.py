"""One loop for every recipe.

A step is a function of (weights, optimiser, seed, epoch, step) alone: the batch's order comes from (seed, epoch),
dropout from (seed, epoch, step). So a run that is killed and resumed ends with bitwise the same weights on a CPU.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import torch
from torch import nn

from readhead.counted import counted
from readhead.data.encoded import EncodedSplit
from readhead.data.sampler import BucketSampler
from readhead.data.stream import StreamSplit
from readhead.errors import InputError
from readhead.plans import TrainingPlan
from readhead.tasks.scoring import carried, going_on, score_split
from readhead.tasks.task import Metrics, Task
from readhead.training import averaging, schedule
from readhead.training.metrics_log import MetricsLog
from readhead.training.report import Report
from readhead.training.state import State

if TYPE_CHECKING:
    from accelerate import Accelerator


class Diverged(InputError):
    """The loss or a weight is no longer finite: this training can't go on, another may."""


class Trainer:
    """Trains until the epochs, the patience or the time are spent.

    state: model and optimiser, new or loaded from a checkpoint.
    task: gives loss and score.
    train, dev: the splits: texts that stand alone, or one running text.
    plan: epochs, batch size and the rest.
    seed: with the epoch it gives the order of batches, with epoch and step the dropout.
    accelerator: device and precision.
    checkpoint: where the state is saved.
    log: metrics.jsonl.
    report: told of every step and epoch, for people.
    budget: seconds after which training ends with the best weights so far; None = no limit.
    stop: asked after every step; True = save and leave.
    """

    def __init__(
        self,
        *,
        state: State,
        task: Task,
        train: EncodedSplit | StreamSplit,
        dev: EncodedSplit | StreamSplit,
        plan: TrainingPlan,
        seed: int,
        accelerator: Accelerator,
        checkpoint: Path,
        log: MetricsLog,
        report: Report,
        budget: float | None,
        stop: Callable[[], bool],
    ) -> None:
        self.state, self.task, self.train, self.dev = state, task, train, dev
        self.plan, self.seed = plan, seed
        self.accelerator, self.checkpoint, self.log, self.report = accelerator, checkpoint, log, report
        self.budget, self.stop = budget, stop
        self.model: nn.Module = accelerator.prepare(state.model)
        self.optimizer = accelerator.prepare(state.optimizer)
        self.sampler = (
            BucketSampler(lengths=train.lengths, batch_size=plan.batch_size, seed=seed)
            if isinstance(train, EncodedSplit)
            else train
        )
        self._clock = self._saved = time.monotonic()

    def fit(self) -> bool:
        """Trains to the end. Returns False if `stop` asked to leave first; the state is saved either way.

        When the budget is spent the state stays where it is, in the middle of an epoch, so that a later sitting goes
        on as if there had been no budget; only what is told of this sitting closes the epoch.

        Raises: OSError when a checkpoint can't be written; Diverged when the loss or a weight is no longer finite.
        """
        progress = self.state.progress
        while not progress.finished:
            whole = self._epoch()
            if not whole:
                self._save()
            if self.stop():
                return False
            self._close_epoch()
            if whole:
                self._save()
            if not whole or (self._out_of_time() and not progress.finished):
                progress.finished, progress.cut_short = f"the time budget of {self.budget:.6g} s is spent", True
        return True

    def _epoch(self) -> bool:
        """Trains from the state's step to the epoch's end. Returns False if asked to stop, or out of time, before."""
        progress = self.state.progress
        batches = self.sampler.epoch(progress.epoch)
        self.report.start_epoch(progress, steps=len(batches), examples=len(self.train))
        self.model.train()
        if progress.step == 0:
            self.state.carried = {}
        while progress.step < len(batches):
            indices = batches[progress.step]
            done = progress.epoch + progress.step / len(batches)
            schedule.set_before_step(self.plan, self.state.model, self._groups(), epochs=done)
            total, weight = self._step(indices)
            progress.loss_sum += total
            progress.loss_weight += weight
            progress.examples += len(indices)
            progress.step += 1
            if self.plan.average:
                taken = progress.epoch * len(batches) + progress.step
                averaging.update(self.state.average, self.state.model, taken=taken, kept=self.plan.average)
            self._tick()
            self.report.step(progress)
            if progress.step < len(batches) and (self.stop() or self._out_of_time()):
                return False
            if time.monotonic() - self._saved > self.plan.checkpoint_seconds:
                self._save()
        return True

    def _step(self, indices: np.ndarray) -> tuple[float, int]:
        """One gradient step on one batch. Returns its whole loss in nats, and of how many things it is one."""
        torch.manual_seed(self._step_seed())
        batch = going_on(self.train.batch(indices), self.state.carried).to(self.accelerator.device)
        output = self.model(batch)
        loss = self.task.loss(output, batch)
        value = loss.item()
        if not math.isfinite(value):
            raise self._diverged(f"the loss is {value}")
        self.optimizer.zero_grad()
        self.accelerator.backward(loss)
        if self.plan.gradient_norm is not None:
            self.accelerator.clip_grad_norm_(self.model.parameters(), self.plan.gradient_norm)
        self.optimizer.step()
        self.state.carried = carried(output)
        return self.task.total(value, batch), self.task.weight(batch)

    def _diverged(self, what: str) -> Diverged:
        where = f"epoch {self.state.progress.epoch + 1}, step {self.state.progress.step + 1}"
        advice = "try a smaller [optimizer] learning_rate, or a [training] gradient_norm"
        return Diverged(f"{what} at {where}: training has diverged; {advice}")

    def _step_seed(self) -> int:
        progress = self.state.progress
        sequence = np.random.SeedSequence([self.seed, progress.epoch, progress.step])
        return int(sequence.generate_state(1, np.uint64)[0] >> np.uint64(1))

    def _close_epoch(self) -> None:
        """Scores the dev split, keeps the best weights, decays, and decides whether to go on."""
        progress = self.state.progress
        with averaging.in_place(self.state.average, self.state.model):
            metrics = score_split(self.model, self.task, self.dev, device=self.accelerator.device).metrics()
            improved = self._keep_if_best(metrics)
        self._tick()
        self._log_epoch(metrics)
        progress.trained += progress.examples / len(self.train)
        progress.epoch, progress.step, progress.examples = progress.epoch + 1, 0, 0
        progress.loss_sum, progress.loss_weight = 0.0, 0
        if not improved:
            schedule.decay(self.plan, self._groups())
        progress.finished = self._why_finished()

    def _keep_if_best(self, metrics: Metrics) -> bool:
        """Keeps weights that do better than any before. Returns whether the gain counts against decay."""
        progress, score, loss = self.state.progress, metrics[self.task.watched], metrics["loss"]
        if self.plan.choose_by == "loss":
            before, gain = progress.best_loss, progress.best_loss - loss
        else:
            before = progress.best
            gain = score - before if self.task.higher_is_better else before - score
        first = math.isnan(before)
        enough = first or gain > self.plan.decay_threshold * abs(before)
        if first or gain > 0:
            progress.best, progress.best_loss, progress.best_epoch, progress.stale = score, loss, progress.epoch, 0
            self.state.keep_best()
        else:
            progress.stale += 1
        return enough

    def _log_epoch(self, metrics: Metrics) -> None:
        progress = self.state.progress
        line = {
            "epoch": progress.epoch + 1,
            "steps": progress.step,
            "train_loss": progress.loss_sum / progress.loss_weight,
            **{f"dev_{name}": value for name, value in metrics.items()},
            "learning_rate": self._groups()[0]["lr"],
            "best": progress.stale == 0,
            "seconds": round(progress.seconds, 3),
        }
        progress.metrics_bytes = self.log.append(line)
        self.report.epoch(line)

    def _groups(self) -> list[dict[str, float]]:
        return self.optimizer.param_groups  # type: ignore[no-any-return]

    def _why_finished(self) -> str:
        progress, plan = self.state.progress, self.plan
        if plan.patience is not None and progress.stale >= plan.patience:
            watched = "loss" if plan.choose_by == "loss" else self.task.watched
            return f"no better {watched} on dev for {counted(progress.stale, 'epoch')}"
        done = "its one epoch done" if plan.epochs == 1 else f"all {plan.epochs} epochs done"
        return done if progress.epoch >= plan.epochs else ""

    def _out_of_time(self) -> bool:
        return self.budget is not None and self.state.progress.seconds >= self.budget

    def _tick(self) -> None:
        now = time.monotonic()
        self.state.progress.seconds += now - self._clock
        self._clock = now

    def _save(self) -> None:
        if not all(bool(weight.isfinite().all()) for weight in self.state.model.parameters()):
            raise self._diverged("a weight is no longer finite")
        self.state.save(self.checkpoint)
        self._saved = time.monotonic()
