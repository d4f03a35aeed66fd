"""The stop-watch: turns, disturbed measurements, what is put back afterwards."""

from __future__ import annotations

import gc
from collections.abc import Callable

import pytest
import torch

from readhead.bench.timing import (
    Contestant,
    Measurement,
    Schedule,
    Timing,
    disagreement,
    measure,
    using_threads,
)


class Workshop:
    """Contestants that take as long as they are told, and the clock they are timed by."""

    def __init__(self) -> None:
        self.now = 0.0
        self.turns: list[tuple[str, int]] = []

    def clock(self) -> float:
        return self.now

    def contestant(self, name: str, seconds: Callable[[int], float]) -> Contestant:
        """seconds: how long a turn takes, by how many turns the contestant has had."""
        had = 0

        def work(number: int) -> None:
            nonlocal had
            self.now += seconds(had)
            self.turns.append((name, number))
            had += 1

        return work


def test_contestants_take_turns_on_every_input() -> None:
    shop = Workshop()
    contestants = {name: shop.contestant(name, lambda had: 1.0) for name in "AB"}
    measure(contestants, Schedule(inputs=2, rounds=3), clock=shop.clock)
    one_round = [("A", 0), ("B", 0), ("A", 1), ("B", 1)]
    assert shop.turns == one_round * 4  # one to warm up, three timed


def test_a_slow_contestant_sits_rounds_out() -> None:
    shop = Workshop()
    contestants = {"A": shop.contestant("A", lambda had: 1.0), "B": shop.contestant("B", lambda had: 3.0)}
    measured = measure(contestants, Schedule(inputs=2, rounds=12, seconds=36.0), clock=shop.clock)
    assert {name: len(timing.seconds[0]) for name, timing in measured.timings.items()} == {"A": 12, "B": 6}
    timed = "".join(name for name, number in shop.turns[4:] if number == 0)
    assert timed == "ABA" * 6


def test_a_contestant_that_is_slower_yet_has_five_rounds_all_the_same() -> None:
    shop = Workshop()
    measured = measure({"A": shop.contestant("A", lambda had: 99.0)}, Schedule(inputs=1, rounds=9), clock=shop.clock)
    assert len(measured.timings["A"].seconds[0]) == 5


def test_medians_and_minima_are_taken_by_input_and_averaged() -> None:
    timing = Timing(((1.0, 2.0, 9.0), (10.0, 20.0, 30.0)))
    assert timing.median == (2 + 20) / 2
    assert timing.minimum == (1 + 10) / 2


def test_the_warm_up_does_not_count() -> None:
    shop = Workshop()
    slow_start = shop.contestant("A", lambda had: 100.0 if had == 0 else 2.0)
    measured = measure({"A": slow_start}, Schedule(inputs=1, rounds=3), clock=shop.clock)
    assert measured.timings["A"].seconds == ((2.0, 2.0, 2.0),)


def test_waiting_for_the_device_is_part_of_the_time() -> None:
    shop = Workshop()
    queued = 0.0

    def launch(number: int) -> None:
        nonlocal queued
        queued = 3.0

    def wait() -> None:
        nonlocal queued
        shop.now, queued = shop.now + queued, 0.0

    measured = measure({"A": launch}, Schedule(inputs=1, rounds=2), synchronize=wait, clock=shop.clock)
    assert measured.timings["A"].seconds == ((3.0, 3.0),)


def test_ratios() -> None:
    timings = {"A": Timing(((6.0, 8.0, 9.0),)), "B": Timing(((2.0, 4.0, 4.0),))}
    measured = Measurement(timings, False, 0.0, 0.0)
    assert measured.ratio("A", "B") == 2
    assert measured.ratio_of_minima("A", "B") == 3
    assert disagreement(timings) == pytest.approx(0.5)  # A is slowed down by 4/3, B by 2


def busy_for(attempts: int, *, rounds: int) -> Callable[[int], float]:
    """A machine that slows most of a contestant's turns down, in its first attempts."""
    return lambda had: 3.0 if 1 <= had <= attempts * rounds and had % rounds else 1.0


@pytest.mark.parametrize(("attempts", "timed", "disturbed"), [(0, 1, False), (2, 3, False), (9, 3, True)])
def test_a_disturbed_measurement_is_taken_again_up_to_twice(attempts: int, timed: int, disturbed: bool) -> None:
    shop = Workshop()
    contestants = {
        "A": shop.contestant("A", busy_for(attempts, rounds=5)),
        "B": shop.contestant("B", lambda had: 1.0),
    }
    measured = measure(contestants, Schedule(inputs=1, rounds=5), clock=shop.clock)
    assert len(shop.turns) == 2 * (1 + 5 * timed)
    assert measured.disturbed == disturbed
    assert measured.circumstances()["disturbed"] == disturbed


def test_a_slowdown_of_all_alike_disturbs_nothing() -> None:
    shop = Workshop()
    contestants = {name: shop.contestant(name, busy_for(9, rounds=5)) for name in "AB"}
    measured = measure(contestants, Schedule(inputs=1, rounds=5), clock=shop.clock)
    assert not measured.disturbed
    assert len(shop.turns) == 2 * (1 + 5)


def test_garbage_is_collected_again_afterwards_even_after_a_failure() -> None:
    collecting: list[bool] = []

    def work(number: int) -> None:
        collecting.append(gc.isenabled())
        raise RuntimeError("broken")

    with pytest.raises(RuntimeError, match="broken"):
        measure({"A": work}, Schedule(inputs=1, rounds=1))
    assert collecting == [False]
    assert gc.isenabled()


def test_threads_are_put_back() -> None:
    with using_threads(2):
        assert torch.get_num_threads() == 2
    assert torch.get_num_threads() == 1
