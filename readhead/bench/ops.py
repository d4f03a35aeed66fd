"""`readhead bench ops`: each op's backends beside torch.nn.LSTM, in one run. A new op is an entry of TIMED_OPS."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import torch

from readhead.bench import contenders, correctness, memory
from readhead.bench.contenders import LSTM, Contender, implementations
from readhead.bench.correctness import DRAWS
from readhead.bench.timed_ops import TIMED_OPS, Inputs, Shape
from readhead.bench.timing import Measurement, Schedule, measure, synchronizer
from readhead.bench.work import Inference, Training

FULL, QUICK = Schedule(inputs=4, rounds=15), Schedule(inputs=2, rounds=3, reruns=0)


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
            backends, packed = contenders.backends(op, inputs, device), contenders.packed(op, inputs, device)
            _demand_correct(backends, packed, timed.draw_anew(shape, DRAWS, device), f"{op} at {list(shape)}")
            lstm = contenders.recurrence(shape, device, schedule.inputs)
            for work, playing in ((Training(), [*backends, lstm]), (Inference(), [*packed, *backends, lstm])):
                for row in _rows(playing, work, schedule, device):
                    yield {"op": op, "shape": list(shape), **row}


def _demand_correct(backends: list[Contender], packed: list[Contender], draws: list[Inputs], label: str) -> None:
    reference = next(one.op for one in backends if one.name == "reference")
    for one in backends:
        correctness.demand_correct(one.op, reference, draws, name=f"the {one.name} backend of {label}")
    for one in packed:
        correctness.demand_correct_outputs(one.op, reference, one.inputs, name=f"the {one.name} backend of {label}")


def _rows(
    playing: list[Contender], work: Training | Inference, schedule: Schedule, device: torch.device
) -> Iterator[dict[str, Any]]:
    contestants = {one.name: work.contestant(one.op, one.inputs) for one in playing}
    measured = measure(contestants, schedule, synchronize=synchronizer(device))
    for one in playing:
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
