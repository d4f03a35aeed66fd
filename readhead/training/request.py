"""What is asked of a training, and what of it can be refused before anything is read."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import torch

from readhead.errors import InputError
from readhead.recipe import Recipe
from readhead.run import going_on

if TYPE_CHECKING:
    from accelerate import Accelerator


@dataclass(frozen=True, kw_only=True, slots=True)
class Request:
    """One training.

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

    @property
    def going_on(self) -> str:
        """The command that resumes it."""
        return going_on(self.out, self.seed, self.corpora)


def accelerator(request: Request) -> Accelerator:
    """Device and precision. Raises: InputError for a device that is not here, or a precision it does not have."""
    from accelerate import Accelerator
    from accelerate.state import AcceleratorState

    device = torch.device("cuda" if request.device == "auto" and torch.cuda.is_available() else _named(request.device))
    if device.type == "cuda":
        if not torch.cuda.is_available():
            raise InputError(f"--device {request.device}: no CUDA device can be used here (`readhead doctor` says why)")
        torch.cuda.set_device(device.index or 0)
    elif request.precision == "fp16":
        raise InputError("--precision fp16: a CPU has none; expected no or bf16, or --device cuda")
    # It is one for the whole process otherwise, and a second training could have no other device or precision.
    AcceleratorState._reset_state(reset_partial_state=True)
    return Accelerator(cpu=device.type == "cpu", mixed_precision=request.precision)


def _named(device: str) -> str:
    return "cpu" if device == "auto" else device
