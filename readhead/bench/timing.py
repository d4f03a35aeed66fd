"""Several contestants timed in turns, so that a disturbance of the machine hits all of them alike."""

from __future__ import annotations

import gc
import os
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from statistics import fmean, median
from typing import Any

import torch

Contestant = Callable[[int], object]
"""Does the timed work on one of several inputs, told by its number."""

FEWEST = 5
"""Rounds of which a median can still be taken."""

TOLERANCE = 0.1
"""By what share ratios of medians and of minima may differ; where they do by more, it is disturbed."""


@dataclass(frozen=True, slots=True)
class Schedule:
    """How much is timed.

    inputs: different inputs that take turns, so that no contestant finds its data in the cache.
    rounds: how often each contestant works on each input, at most.
    reruns: how often a disturbed measurement is taken again.
    seconds: how long a contestant may work in all; a slow one then sits rounds out, but for FEWEST.
    """

    inputs: int
    rounds: int
    reruns: int = 2
    seconds: float = 20.0

    def rounds_of(self, warm_up: Timing) -> int:
        """How many rounds fit for a contestant whose first one took so long."""
        fit = int(self.seconds / max(1e-9, sum(map(sum, warm_up.seconds))))
        return min(self.rounds, max(FEWEST, fit))


@dataclass(frozen=True, slots=True)
class Timing:
    """How long one contestant took: for each input, a time in seconds each round."""

    seconds: tuple[tuple[float, ...], ...]

    @property
    def median(self) -> float:
        """In seconds; each input's median, averaged over the inputs."""
        return fmean(median(rounds) for rounds in self.seconds)

    @property
    def minimum(self) -> float:
        """In seconds; each input's minimum, averaged over the inputs."""
        return fmean(min(rounds) for rounds in self.seconds)


@dataclass(frozen=True, slots=True)
class Measurement:
    """Contestants timed together.

    timings: by contestant.
    disturbed: after reruns too, two contestants' ratio of medians is over 10 % from that of their minima.
    load_before, load_after: the machine's load average over a minute; 1 is one busy core.
    """

    timings: Mapping[str, Timing]
    disturbed: bool
    load_before: float
    load_after: float

    def ratio(self, of: str, to: str) -> float:
        """How many times as long `of` takes as `to`, by medians."""
        return self.timings[of].median / self.timings[to].median

    def ratio_of_minima(self, of: str, to: str) -> float:
        """The same by minima: what it would be on a quiet machine."""
        return self.timings[of].minimum / self.timings[to].minimum

    def circumstances(self) -> dict[str, Any]:
        """What a reader of the figures should know, as a row has it."""
        return {
            "threads": torch.get_num_threads(),
            "load_before": self.load_before,
            "load_after": self.load_after,
            "disturbed": self.disturbed,
        }


def measure(
    contestants: Mapping[str, Contestant],
    schedule: Schedule,
    *,
    synchronize: Callable[[], None] = lambda: None,
    clock: Callable[[], float] = time.perf_counter,
) -> Measurement:
    """Times the contestants in turns, A B A B; again, as often as the schedule allows, if that was disturbed.

    contestants: by name.
    synchronize: waits until the device has done what was asked of it.
    clock: seconds.

    Returns the least disturbed of the attempts.
    """
    load_before = os.getloadavg()[0]
    warm_up = interleave(contestants, dict.fromkeys(contestants, 1), schedule.inputs, synchronize, clock)
    rounds = {name: schedule.rounds_of(timing) for name, timing in warm_up.items()}
    attempts: list[Mapping[str, Timing]] = []
    while len(attempts) <= schedule.reruns and (not attempts or disagreement(attempts[-1]) > TOLERANCE):
        attempts.append(interleave(contestants, rounds, schedule.inputs, synchronize, clock))
    steadiest = min(attempts, key=disagreement)
    return Measurement(steadiest, disagreement(steadiest) > TOLERANCE, load_before, os.getloadavg()[0])


def interleave(
    contestants: Mapping[str, Contestant],
    rounds: Mapping[str, int],
    inputs: int,
    synchronize: Callable[[], None],
    clock: Callable[[], float],
) -> dict[str, Timing]:
    """Every round goes through the inputs, and on each input every contestant of that round has its turn.

    rounds: of each contestant; those of one that has fewer are spread over those of the others.
    """
    seconds: dict[str, list[list[float]]] = {name: [[] for _ in range(inputs)] for name in contestants}
    most = max(rounds.values())
    with _without_garbage_collection():
        for turn in range(most):
            playing = [name for name in contestants if turn * rounds[name] // most != (turn - 1) * rounds[name] // most]
            for number in range(inputs):
                for name in playing:
                    work = contestants[name]
                    synchronize()
                    start = clock()
                    work(number)
                    synchronize()
                    seconds[name][number].append(clock() - start)
    return {name: Timing(tuple(map(tuple, rounds))) for name, rounds in seconds.items()}


def disagreement(timings: Mapping[str, Timing]) -> float:
    """By what share the ratio of medians and the ratio of minima differ, at the worst two contestants."""
    # (median_a / median_b) / (minimum_a / minimum_b) is how much more a was slowed down than b.
    slowdown = [timing.median / timing.minimum for timing in timings.values()]
    return max(slowdown) / min(slowdown) - 1


@contextmanager
def using_threads(count: int) -> Iterator[None]:
    """Torch works on so many threads inside, and on as many as before afterwards."""
    before = torch.get_num_threads()
    torch.set_num_threads(count)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def synchronizer(device: torch.device) -> Callable[[], None]:
    """What waits until a device has done what was asked of it; a CPU always has."""
    return (lambda: torch.cuda.synchronize(device)) if device.type == "cuda" else (lambda: None)


@contextmanager
def _without_garbage_collection() -> Iterator[None]:
    collecting = gc.isenabled()
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()
