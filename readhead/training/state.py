"""Where a training run stands, and the one file that says so.

Everything the next step depends on is here; batches and dropout are functions of (seed, epoch, step), so no
generator's state is. One file, written beside and renamed: after a kill there is the old state or the new one.
"""

from __future__ import annotations

import dataclasses
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from safetensors import SafetensorError, safe_open
from safetensors.torch import save
from torch import Tensor, nn
from torch.optim import Optimizer

from readhead import durable
from readhead.errors import InputError

FORMAT = 1


@dataclass(slots=True)
class Progress:
    """The plain numbers of a state.

    epoch, step: the next batch to train on, counted from 0.
    examples: trained on in this epoch so far.
    loss_sum, loss_weight: over this epoch so far; their quotient is its mean training loss, in nats.
    best, best_loss: dev score and dev loss of the best weights so far, with their epoch; NaN before the first.
    stale: epochs since the best.
    trained: epochs trained so far; one that the time budget cut short counts as its part.
    seconds: spent so far, over all sittings.
    metrics_bytes: length of metrics.jsonl when this was saved; what stands behind it came later.
    finished: why training is over; empty while it is not.
    cut_short: whether it is a time budget that ended it, and not the plan.
    """

    epoch: int = 0
    step: int = 0
    examples: int = 0
    loss_sum: float = 0.0
    loss_weight: int = 0
    best: float = math.nan
    best_loss: float = math.nan
    best_epoch: int = -1
    stale: int = 0
    trained: float = 0.0
    seconds: float = 0.0
    metrics_bytes: int = 0
    finished: str = ""
    cut_short: bool = False


@dataclass(slots=True)
class State:
    """A training run between two steps.

    model: trained in place.
    optimizer: over the model's parameters; None of a model that has none.
    scaler: of fp16's gradients; None in other precisions.
    progress: the plain numbers.
    best_weights: the model's tensors at the best dev score; empty before the first.
    carried: what the reader knows of a running text so far, by name; empty where texts stand alone.
    average: the running mean of the model's weights, by name; empty where none is kept.
    """

    model: nn.Module
    optimizer: Optimizer | None
    scaler: Any = None
    progress: Progress = field(default_factory=Progress)
    best_weights: dict[str, Tensor] = field(default_factory=dict)
    carried: dict[str, Tensor] = field(default_factory=dict)
    average: dict[str, Tensor] = field(default_factory=dict)

    def keep_best(self) -> None:
        """Copies the model's tensors as the best so far."""
        self.best_weights = {name: value.detach().clone() for name, value in self.model.state_dict().items()}

    def save(self, path: Path) -> None:
        """Writes the state durably. Raises: OSError when it can't be written; the old file then still stands."""
        tensors = _prefixed("model", self.model.state_dict()) | _prefixed("best", self.best_weights)
        tensors |= _prefixed("carried", self.carried) | _prefixed("average", self.average)
        optimizer = self._descent.state_dict()
        for index, values in optimizer["state"].items():
            tensors |= _prefixed(f"optimizer.{index}", values)
        words = {
            "format": FORMAT,
            "progress": dataclasses.asdict(self.progress),
            "groups": optimizer["param_groups"],
            "scaler": None if self.scaler is None else self.scaler.state_dict(),
        }
        durable.write(path, save(tensors, metadata={"state": json.dumps(words)}))

    def load(self, path: Path) -> None:
        """Takes up a saved state, bit for bit. Raises: InputError when the file is damaged or another model's."""
        tensors, words = _read(path)
        try:
            self.model.load_state_dict(_under("model.", tensors))
            self._load_optimizer(_under("optimizer.", tensors), words["groups"])
            if self.scaler is not None:
                self.scaler.load_state_dict(words["scaler"])
            self.progress = Progress(**words["progress"])
        except (KeyError, RuntimeError, TypeError, ValueError) as error:
            raise InputError(f"this checkpoint belongs to another model: {error}", file=path) from None
        self.best_weights, self.carried = _under("best.", tensors), _under("carried.", tensors)
        where = {name: weight.device for name, weight in self.model.named_parameters()}
        self.average = {name: value.to(where[name]) for name, value in _under("average.", tensors).items()}

    @property
    def _descent(self) -> Optimizer:
        assert self.optimizer is not None, "a model without parameters has no checkpoint"
        return self.optimizer

    def _load_optimizer(self, tensors: Mapping[str, Tensor], groups: list[dict[str, Any]]) -> None:
        state: dict[int, dict[str, Tensor]] = {}
        for name, value in tensors.items():
            index, _, key = name.partition(".")
            state.setdefault(int(index), {})[key] = value
        self._descent.load_state_dict({"state": state, "param_groups": groups})


def _prefixed(prefix: str, tensors: Mapping[str, Tensor]) -> dict[str, Tensor]:
    # A copy each: safetensors refuses tensors that share memory, which tied weights do.
    return {f"{prefix}.{name}": _own_copy(value) for name, value in tensors.items()}


def _own_copy(value: Tensor) -> Tensor:
    return value.detach().to("cpu", copy=True).contiguous()


def _under(prefix: str, tensors: Mapping[str, Tensor]) -> dict[str, Tensor]:
    return {name.removeprefix(prefix): value for name, value in tensors.items() if name.startswith(prefix)}


def _read(path: Path) -> tuple[dict[str, Tensor], dict[str, Any]]:
    try:
        with safe_open(path, framework="pt") as file:
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118 - it is no mapping
            words = json.loads(file.metadata()["state"])
    except (SafetensorError, KeyError, TypeError, ValueError) as error:
        raise InputError(f"the checkpoint is damaged: {error}", file=path) from None
    if words.get("format") != FORMAT:
        raise InputError(f"expected a checkpoint of format {FORMAT}; another readhead made this one", file=path)
    return tensors, words
