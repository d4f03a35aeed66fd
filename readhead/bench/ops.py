"""`readhead bench ops`: each op's backends beside torch.nn.LSTM, in one run. A new op is an entry of TIMED_OPS."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from typing import Any

import torch
from torch import Tensor, nn

from readhead.bench import correctness, memory
from readhead.bench.correctness import DRAWS, Op
from readhead.bench.timed_ops import TIMED_OPS, Inputs, Shape
from readhead.bench.timing import Contestant, Measurement, Schedule, measure, synchronizer
from readhead.ops import OPS
from readhead.ops.backends import BACKENDS, Implementation

LSTM = "nn.LSTM"

FULL, QUICK = Schedule(inputs=4, rounds=15), Schedule(inputs=2, rounds=3, reruns=0)


def implementations(op: str) -> Mapping[str, Implementation]:
    """An op's backends by name, the fastest first."""
    listed: Mapping[str, Implementation] = import_module(OPS[op]).IMPLEMENTATIONS
    return {name: listed[name] for name in BACKENDS if name in listed}


def sizes() -> list[str]:
    """What is timed, as `--op` names it: `lstmn:32,30,300`."""
    return [f"{op}:{','.join(map(str, shape))}" for op, timed in TIMED_OPS.items() for shape in timed.shapes]


def not_timed(device: torch.device) -> list[str]:
    """A sentence for each backend that cannot run on the device."""
    return [
        f"{op}: {name} is not timed: {obstacle}"
        for op in TIMED_OPS
        for name, backend in implementations(op).items()
        if (obstacle := backend.obstacle(device, torch.float32)) is not None
    ]


def rows(
    device: torch.device, schedule: Schedule, wanted: Callable[[str, Shape], bool] = lambda op, shape: True
) -> Iterator[dict[str, Any]]:
    """One row for each op, shape, mode and backend, as `readhead bench --json` has them.

    wanted: which ops are timed, at which of their sizes.

    Raises:
        RuntimeError: a backend's answers are not those of the reference.
    """
    for op, timed in TIMED_OPS.items():
        for shape in (shape for shape in timed.shapes if wanted(op, shape)):
            inputs = timed.draw(shape, schedule.inputs, device)
            backends, packed = _backends(op, inputs, device), _packed(op, inputs, device)
            _demand_correct(backends, packed, timed.draw_anew(shape, DRAWS, device), f"{op} at {list(shape)}")
            lstm = _recurrence(shape, device, schedule.inputs)
            for work, contenders in ((Training(), [*backends, lstm]), (Inference(), [*packed, *backends, lstm])):
                for row in _rows(contenders, work, schedule, device):
                    yield {"op": op, "shape": list(shape), **row}


@dataclass(frozen=True, slots=True)
class Contender:
    """One backend, or torch.nn.LSTM.

    op: tensors in, a tuple of tensors out.
    inputs: by argument, several that take turns.
    """

    name: str
    op: Op
    inputs: list[Inputs]


class Training:
    """Forward and backward, by every input and parameter."""

    mode = "train"

    def contestant(self, op: Op, inputs: list[Inputs]) -> Contestant:
        """Does it on one of the inputs."""
        leaves = [_leaves(given) for given in inputs]
        with torch.no_grad():
            gradients = [correctness.directions(op(**given)) for given in inputs]

        def run(number: int) -> object:
            learning = [*_learning(leaves[number]), *_parameters(op)]
            return torch.autograd.grad(op(**leaves[number]), learning, gradients[number])

        return run

    def saved_bytes(self, op: Op, given: Inputs) -> int | None:
        """What the forward pass keeps for the backward."""
        leaves = _leaves(given)
        return memory.saved_bytes(lambda: op(**leaves), given=[*leaves.values(), *_parameters(op)])


class Inference:
    """Forward alone, in inference mode."""

    mode = "inference"

    def contestant(self, op: Op, inputs: list[Inputs]) -> Contestant:
        """Does it on one of the inputs."""

        def run(number: int) -> object:
            with torch.inference_mode():
                return op(**inputs[number])

        return run

    def saved_bytes(self, op: Op, given: Inputs) -> int | None:
        """Nothing is kept."""
        return None


class Recurrence(nn.Module):
    """torch.nn.LSTM as an op: [B, T, H] to [B, T, H]. What everybody's recurrence is measured against."""

    def __init__(self, *, hidden_dim: int) -> None:
        super().__init__()
        self.lstm = nn.LSTM(hidden_dim, hidden_dim, batch_first=True)

    def forward(self, embedded: Tensor) -> tuple[Tensor]:
        """embedded: [B, T, H]. Returns every h, [B, T, H]."""
        return (self.lstm(embedded)[0],)


def _backends(op: str, inputs: list[Inputs], device: torch.device) -> list[Contender]:
    """Those that can run on the device."""
    return [
        Contender(name, TIMED_OPS[op].form(backend.run), inputs)
        for name, backend in implementations(op).items()
        if not backend.obstacle(device, torch.float32)
    ]


def _packed(op: str, inputs: list[Inputs], device: torch.device) -> list[Contender]:
    """The native kernels with weights laid out before, if the op has that and they run on the device."""
    packing = TIMED_OPS[op].packing
    if packing is None or implementations(op)["cpu"].obstacle(device, torch.float32):
        return []
    return [Contender("cpu, packed", packing(inputs[0]), inputs)]


def _recurrence(shape: Shape, device: torch.device, count: int) -> Contender:
    inputs = [{"embedded": torch.randn(shape, device=device)} for _ in range(count)]
    return Contender(LSTM, Recurrence(hidden_dim=shape[-1]).to(device), inputs)


def _demand_correct(backends: list[Contender], packed: list[Contender], draws: list[Inputs], label: str) -> None:
    reference = next(one.op for one in backends if one.name == "reference")
    for one in backends:
        correctness.demand_correct(one.op, reference, draws, name=f"the {one.name} backend of {label}")
    for one in packed:
        correctness.demand_correct_outputs(one.op, reference, one.inputs, name=f"the {one.name} backend of {label}")


def _rows(
    contenders: list[Contender], work: Training | Inference, schedule: Schedule, device: torch.device
) -> Iterator[dict[str, Any]]:
    contestants = {one.name: work.contestant(one.op, one.inputs) for one in contenders}
    measured = measure(contestants, schedule, synchronize=synchronizer(device))
    for one in contenders:
        saved = work.saved_bytes(one.op, one.inputs[0])
        yield {
            "mode": work.mode,
            "backend": one.name,
            **_figures(measured, one.name),
            "peak_mb": memory.peak_bytes(partial(contestants[one.name], 0)) / 1e6,
            "saved_mb": None if saved is None else saved / 1e6,
        }


def _figures(measured: Measurement, name: str) -> dict[str, Any]:
    timing = measured.timings[name]
    return {
        "median_ms": 1e3 * timing.median,
        "min_ms": 1e3 * timing.minimum,
        "ratio_to_nn_lstm": measured.ratio(name, LSTM),
        "ratio_to_nn_lstm_minima": measured.ratio_of_minima(name, LSTM),
        "ratio_to_reference": measured.ratio(name, "reference"),
        "ratio_to_reference_minima": measured.ratio_of_minima(name, "reference"),
        **measured.circumstances(),
    }


def _leaves(given: Inputs) -> Inputs:
    return {name: x.detach().clone().requires_grad_(x.is_floating_point()) for name, x in given.items()}


def _learning(leaves: Inputs) -> list[Tensor]:
    return [x for x in leaves.values() if x.requires_grad]


def _parameters(op: Op) -> list[Tensor]:
    """An op has none; torch.nn.LSTM does."""
    return list(op.parameters()) if isinstance(op, nn.Module) else []
