from __future__ import annotations

from collections.abc import Sequence

import pytest

from readhead.search.history import Trial
from readhead.search.space import Setting

pytest.importorskip("optuna")

from readhead.search import proposals
from readhead.search.proposals import DRAWN, propose

KEYS = {"words": {"a": (1, 2, 3), "b": (0.0, 0.5)}, "cnn": {"a": (1, 2)}}
ALL = [Setting("words", {"a": a, "b": b}) for a in (1, 2, 3) for b in (0.0, 0.5)] + [
    Setting("cnn", {"a": a}) for a in (1, 2)
]


def trials(settings: Sequence[Setting], figures: Sequence[float | None]) -> list[Trial]:
    return [
        Trial(setting, figure, epoch=1, epochs=1.0, seconds=1.0, ended="")
        for setting, figure in zip(settings, figures, strict=True)
    ]


def proposed(count: int, seed: int) -> list[Setting]:
    """What a search would try whose figures are the first key's values."""
    tried: list[Setting] = []
    while len(tried) < count:
        figures = [setting.values["a"] for setting in tried]
        setting = propose(KEYS, trials(tried, figures), seed=seed, higher_is_better=True)
        assert setting is not None
        tried.append(setting)
    return tried


def test_the_same_seed_gives_the_same_trials_and_another_does_not() -> None:
    assert proposed(4, seed=3) == proposed(4, seed=3)
    assert proposed(4, seed=3) != proposed(4, seed=4)


def test_nothing_is_tried_twice_and_an_end_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proposals, "ATTEMPTS", 40)
    tried = trials(ALL[:-1], [0.5] * (len(ALL) - 1))
    assert propose(KEYS, tried, seed=0, higher_is_better=True) == ALL[-1]
    monkeypatch.setattr(proposals, "ATTEMPTS", 3)
    everything = trials(ALL, [0.5] * len(ALL))
    assert propose(KEYS, everything, seed=0, higher_is_better=True) is None


@pytest.mark.parametrize(("higher_is_better", "least", "most"), [(True, 40, 60), (False, 0, 20)])
def test_it_goes_where_figures_are_good(higher_is_better: bool, least: int, most: int) -> None:
    keys = {"words": {"a": tuple(range(61))}}
    tried = trials([Setting("words", {"a": a}) for a in range(0, 61, 6)], [float(a) for a in range(0, 61, 6)])
    assert len(tried) >= DRAWN
    found = [propose(keys, tried, seed=seed, higher_is_better=higher_is_better) for seed in range(5)]
    inside = [setting for setting in found if setting is not None and least <= setting.values["a"] <= most]
    assert len(inside) >= 4, found


def test_what_diverged_is_told_as_failed_and_not_tried_again() -> None:
    tried = trials(ALL[:2], [None, 0.5])
    setting = propose(KEYS, tried, seed=0, higher_is_better=True)
    assert setting not in ALL[:2]
