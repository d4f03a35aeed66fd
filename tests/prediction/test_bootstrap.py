"""Bootstrap intervals: against the normal approximation, seeded, paired, and where figures cannot be made."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from readhead.prediction import bootstrap
from readhead.prediction.bootstrap import RESAMPLES, draws, interval, intervals
from readhead.tasks.classification_report import classification_report
from readhead.tasks.figure import mean, share
from readhead.tasks.language_modelling import LanguageModelReport

RIGHT = np.arange(400) % 4 != 0  # 300 of 400


def test_an_interval_of_a_share_is_the_normal_one() -> None:
    told = intervals({"accuracy": mean(RIGHT)})["accuracy"]
    half = 1.96 * (0.75 * 0.25 / 400) ** 0.5  # 0.0424
    assert told == pytest.approx((0.75 - half, 0.75 + half), abs=0.006)
    assert told == intervals({"accuracy": mean(RIGHT)})["accuracy"], "it follows from a seed"


def test_resamples_are_of_the_units_with_replacement(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = draws({"mean": mean(np.arange(7.0))})["mean"]
    assert len(whole) == RESAMPLES
    assert whole.std() == pytest.approx(2 / 7**0.5, rel=0.1)  # 0..6 have the deviation 2
    monkeypatch.setattr(bootstrap, "_AT_ONCE", 50)  # a few resamples at a time
    few = draws({"mean": mean(np.arange(7.0))})["mean"]
    assert len(few) == RESAMPLES and 0 <= few.min() < few.max() <= 6


def test_two_figures_of_the_same_units_are_drawn_alike() -> None:
    worse = RIGHT.copy()
    worse[1] = False
    first, second = draws({"a": mean(RIGHT)})["a"], draws({"a": mean(worse)})["a"]
    assert set(np.round((first - second) * 400).astype(int)) <= set(range(10)), "they differ by one unit's draws alone"


def test_what_makes_no_figure_has_no_interval() -> None:
    never = share(np.zeros(9), np.zeros(9))
    once = share(np.arange(9) == 0, np.arange(9) == 0)  # in two of three resamples
    told = intervals({"never": never, "once": once})
    assert np.isnan(never.value)
    assert told == {"never": None, "once": (1.0, 1.0)}
    assert intervals({}) == {}


def test_an_infinite_figure_is_told_as_one() -> None:
    told = intervals(LanguageModelReport({}, [np.array([1e4]), np.array([1.0]), np.array([1.0])]).figures)
    assert told["perplexity"] == (pytest.approx(np.e), np.inf)


def test_a_figure_that_noise_moves_up_is_moved_back() -> None:
    drawn = np.array([0.5, 0.6, 0.7])
    assert interval(drawn, 0.2, biased=True) == pytest.approx((0.1, 0.3))
    assert interval(drawn, 0.2, biased=False) == (0.5, 0.7)
    logits = torch.randn(300, 3)
    labels = torch.distributions.Categorical(logits=logits).sample()  # as calibrated as can be
    report = classification_report(logits, labels, names=list("abc"), temperature=1.0)
    told = intervals(report.figures)["ece"]
    assert told is not None and 0 <= told[0] <= report.metrics["ece"] <= told[1]


def test_every_figure_of_a_classifier_is_its_metric() -> None:
    logits, labels = torch.randn(200, 4) * 3, torch.randint(3, (200,))
    logits[:5] = torch.tensor([99.0, 0.0, 0.0, 0.0])  # certain: torchmetrics has a bin of their own for these
    logits[:, 3] = -50  # never said
    report = classification_report(logits, labels, names=list("abcd"), temperature=1.5)
    assert report.figures.keys() == report.metrics.keys()
    for name, figure in report.figures.items():
        if name.endswith("_d"):
            assert np.isnan(figure.value)
        else:
            assert figure.value == pytest.approx(report.metrics[name], abs=1e-6), name
    inside = np.arange(200) < 50
    assert report.figures["accuracy"].within(inside).value == pytest.approx(np.mean(report.correct[:50]))
    bins = report.reliability()
    assert sum(one.n for one in bins) == 200
    gap = sum(one.n * abs(one.accuracy - one.sureness) for one in bins) / 200
    assert gap == pytest.approx(report.metrics["ece"], abs=0.01)
