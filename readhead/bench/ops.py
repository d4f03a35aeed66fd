"""`readhead bench ops`: each op's backends beside torch.nn.LSTM, in one run.

An op is data here: what goes in, and the sizes. A new one is an entry of TIMED_OPS.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from typing import Any

import torch
from torch import Tensor, nn

from readhead.bench import correctness, memory
from readhead.bench.timing import Contestant, Measurement, Schedule, measure, synchronizer
from readhead.ops import OPS
from readhead.ops.backends import BACKENDS, Implementation

Shape = tuple[int, int, int]
"""[B, T, H]: texts, tokens of each, features of each token."""

Inputs = dict[str, Tensor]
Op = correctness.Op

LSTM = "nn.LSTM"


@dataclass(frozen=True, slots=True)
class TimedOp:
    """What is needed to time an op.

    inputs: draws its arguments by name, for a shape.
    shapes: the sizes it is timed at.
    form: makes of a backend's op what is timed, where that is more than the op: it gets the inputs.
    """

    inputs: Callable[[Shape, torch.Generator], Inputs]
    shapes: tuple[Shape, ...]
    form: Callable[[Op], Op] = lambda op: op


def attend_inputs(shape: Shape, generator: torch.Generator) -> Inputs:
    """As many queries as slots; texts are half to fully as long as the longest."""
    B, T, H = shape
    lengths = torch.randint((T + 1) // 2, T + 1, (B, 1), generator=generator)
    return {
        "scores": torch.randn(B, T, T, generator=generator),
        "values": torch.randn(B, T, H, generator=generator),
        "mask": torch.arange(T) < lengths,  # [B, T]
    }


def lstmn_inputs(shape: Shape, generator: torch.Generator) -> Inputs:
    """Full texts, as torch.nn.LSTM gets them; weights as it draws its own; one empty slot to begin with."""
    B, T, H = shape
    zeros = torch.zeros(B, 1, H)
    return {
        "inputs": torch.randn(B, T, H, generator=generator),
        "mask": torch.ones(B, T, dtype=torch.bool),
        **_weights(LSTMN_WEIGHTS, H, generator),
        "hidden_tape": zeros,
        "memory_tape": zeros.clone(),
        "written": torch.ones(B, 1, dtype=torch.bool),
        "blend": torch.zeros(B, H),
    }


def fusion_inputs(shape: Shape, generator: torch.Generator) -> Inputs:
    """The same, and a source of as many slots as there are tokens."""
    B, T, H = shape
    return {
        **lstmn_inputs(shape, generator),
        "source_hidden": torch.rand(B, T, H, generator=generator) * 2 - 1,
        "source_memory": torch.randn(B, T, H, generator=generator),
        "source_mask": torch.ones(B, T, dtype=torch.bool),
        **_weights(FUSION_WEIGHTS, H, generator),
        "source_blend": torch.zeros(B, H),
    }


def nse_inputs(shape: Shape, generator: torch.Generator) -> Inputs:
    """Full texts, which `whole_nse` reads; weights as torch.nn.LSTM draws its own."""
    B, T, H = shape
    return {
        "embedded": torch.randn(B, T, H, generator=generator),
        "mask": torch.ones(B, T, dtype=torch.bool),
        **_weights(READ_WEIGHTS, H, generator),
        **_weights(NSE_WEIGHTS, H, generator),
        **{name: weight.unsqueeze(0) for name, weight in _weights(WRITE_WEIGHTS, H, generator).items()},
    }


def whole_nse(op: Op) -> Op:
    """A whole reading: the read LSTM, which is torch's, and the op on one memory that starts as the text."""

    def reading(*, embedded: Tensor, mask: Tensor, **weights: Tensor) -> tuple[Tensor, ...]:
        B, T, H = embedded.shape
        zeros = embedded.new_zeros(1, B, H)
        read = [weights.pop(name) for name in READ_WEIGHTS]
        reads, *_ = torch.lstm(embedded, (zeros, zeros), read, True, 1, 0.0, False, False, True)  # [B, T, H]
        kept, upper = embedded.new_ones(1, 1, 1).expand(B, T, 2 * H), embedded.new_zeros(0, 4 * H, H)
        return op(
            reads=reads, mask=mask, memory=embedded, slots=mask, kept=kept, write_upper=upper, sizes=[T], **weights
        )

    return reading


LSTMN_WEIGHTS = {
    "attend_hidden": (1, 1),
    "attend_input": (1, 1),
    "attend_blend": (1, 1),
    "attend_bias": (1,),
    "attend_score": (1,),
    "gate_input": (4, 1),
    "gate_blend": (4, 1),
    "gate_bias": (4,),
}
"""Sizes in units of H."""

FUSION_WEIGHTS = {
    "fuse_source": (1, 1),
    "fuse_input": (1, 1),
    "fuse_blend": (1, 1),
    "fuse_bias": (1,),
    "fuse_score": (1,),
    "gate_source_input": (1, 1),
    "gate_source_blend": (1, 1),
    "gate_source_bias": (1,),
}
"""Sizes in units of H."""


READ_WEIGHTS = {"read_input": (4, 1), "read_hidden": (4, 1), "read_input_bias": (4,), "read_hidden_bias": (4,)}
"""Sizes in units of H."""

NSE_WEIGHTS = {"compose": (2, 2), "compose_bias": (2,), "write_input": (4, 2)}
"""Sizes in units of H."""

WRITE_WEIGHTS = {"write_hidden": (4, 1), "write_bias": (4,)}
"""Of each layer, in units of H."""


def _weights(sizes: Mapping[str, tuple[int, ...]], H: int, generator: torch.Generator) -> Inputs:
    """Each number from U(-1/√H, 1/√H), those of the scores three times that."""
    drawn = {name: torch.rand([size * H for size in each], generator=generator) for name, each in sizes.items()}
    # Attention that is nearly even has gradients of nothing but rounding.
    return {name: (2 * x - 1) / H**0.5 * (3 if name.endswith("score") else 1) for name, x in drawn.items()}


_RECURRENT = ((32, 30, 300), (40, 35, 300), (16, 100, 300))

TIMED_OPS = {
    "attend": TimedOp(attend_inputs, shapes=((32, 30, 200), (40, 35, 300), (16, 100, 300))),
    "lstmn": TimedOp(lstmn_inputs, shapes=_RECURRENT),
    "fusion": TimedOp(fusion_inputs, shapes=_RECURRENT),
    "nse": TimedOp(nse_inputs, shapes=_RECURRENT, form=whole_nse),
}

FULL, QUICK = Schedule(inputs=4, rounds=15), Schedule(inputs=2, rounds=3, reruns=0)


def implementations(op: str) -> Mapping[str, Implementation]:
    """An op's backends by name, the fastest first."""
    listed: Mapping[str, Implementation] = import_module(OPS[op]).IMPLEMENTATIONS
    return {name: listed[name] for name in BACKENDS if name in listed}


def not_timed(device: torch.device) -> list[str]:
    """A sentence for each backend that cannot run on the device."""
    return [
        f"{op}: {name} is not timed: {obstacle}"
        for op in TIMED_OPS
        for name, backend in implementations(op).items()
        if (obstacle := backend.obstacle(device, torch.float32)) is not None
    ]


def rows(device: torch.device, schedule: Schedule) -> Iterator[dict[str, Any]]:
    """One row for each op, shape, mode and backend, as `readhead bench --json` has them.

    Raises:
        RuntimeError: a backend's answers are not those of the reference.
    """
    for op, timed in TIMED_OPS.items():
        for shape in timed.shapes:
            contenders = _backends(op, shape, device, schedule.inputs)
            _demand_correct(contenders, f"{op} at {list(shape)}")
            contenders.append(_recurrence(shape, device, schedule.inputs))
            for work in (Training(), Inference()):
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


def _backends(op: str, shape: Shape, device: torch.device, count: int) -> list[Contender]:
    """Those that can run on the device, all on the same inputs."""
    generator = torch.Generator().manual_seed(0)
    drawn = [TIMED_OPS[op].inputs(shape, generator) for _ in range(count)]
    inputs = [{name: x.to(device) for name, x in given.items()} for given in drawn]
    runs = {
        name: TIMED_OPS[op].form(backend.run)
        for name, backend in implementations(op).items()
        if not backend.obstacle(device, torch.float32)
    }
    return [Contender(name, run, inputs) for name, run in runs.items()]


def _recurrence(shape: Shape, device: torch.device, count: int) -> Contender:
    inputs = [{"embedded": torch.randn(shape, device=device)} for _ in range(count)]
    return Contender(LSTM, Recurrence(hidden_dim=shape[-1]).to(device), inputs)


def _demand_correct(backends: list[Contender], label: str) -> None:
    reference = next(one.op for one in backends if one.name == "reference")
    for one in backends:
        name = f"the {one.name} backend of {label}"
        correctness.demand_correct(one.op, reference, one.inputs[0], name=name)


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
