"""Results: the interval over seeds, and the names of what was changed."""

from __future__ import annotations

import math

import numpy as np
import pytest

from readhead.results import T_95, printed, summary, variation


def within(bound: float, freedom: int) -> float:
    """How much of Student's t lies within ± bound, by Simpson's rule over its density."""
    log_scale = math.lgamma((freedom + 1) / 2) - math.lgamma(freedom / 2) - math.log(freedom * math.pi) / 2
    x = np.linspace(0.0, bound, 20_001)
    density = np.exp(log_scale - (freedom + 1) / 2 * np.log1p(x**2 / freedom))
    weights = np.ones_like(x)
    weights[1:-1:2], weights[2:-1:2] = 4.0, 2.0
    return float(2 * (density * weights).sum() * (x[1] - x[0]) / 3)


@pytest.mark.parametrize("freedom", range(1, 31))
def test_95_percent_of_students_t_lie_within_the_tables_bound(freedom: int) -> None:
    assert len(T_95) == 30
    assert within(T_95[freedom - 1], freedom) == pytest.approx(0.95, abs=5e-5)


def test_the_interval_of_few_seeds_is_students() -> None:
    assert summary([80.0, 82.0]) == {
        "mean": 81.0,
        "interval": pytest.approx(12.706 * math.sqrt(2) / math.sqrt(2)),
        "per_seed": [80.0, 82.0],
    }
    assert summary([1.0, 2.0, 3.0])["interval"] == pytest.approx(4.303 / math.sqrt(3))
    assert summary([80.0])["interval"] is None


def test_the_interval_of_many_seeds_is_never_too_narrow() -> None:
    many = [0.0, 1.0] * 50
    assert summary(many)["interval"] == pytest.approx(2.042 * math.sqrt(25 / 99) / 10)


def test_changes_make_another_name_and_none_make_none() -> None:
    assert variation("snli/bow", ()) == "snli/bow"
    one, two = (variation("snli/bow", (f"training.epochs={n}",)) for n in (1, 2))
    assert one != two
    assert one.startswith("snli/bow@")
    assert len(one) == len("snli/bow@") + 8
    assert variation("snli/bow", ("a.b=1", "c.d=2")) != variation("snli/bow", ("a.b=1c.d=2",))


@pytest.mark.parametrize(
    ("metric", "value", "shown"),
    [
        ("map", 0.68114, "0.6811"),
        ("dev_mrr", 0.7, "0.7000"),
        ("accuracy", 86.349, "86.3"),
        ("long_accuracy", 50.0, "50.0"),
        ("accuracy[phenomenon=word order]", 33.333, "33.3"),
        ("perplexity", 101.25, "101.2"),
    ],
)
def test_figures_are_printed_as_the_papers_do(metric: str, value: float, shown: str) -> None:
    assert printed(metric, value) == shown
