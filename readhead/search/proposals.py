"""What to try next: Tree-structured Parzen estimators (Bergstra et al. 2011), by optuna.

A proposal is a function of (seed, number of the trial, trials before it) alone, and no sampler's state is kept: a
search that is killed and goes on proposes what it would have proposed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from readhead.own_spaces import Value
from readhead.search.history import Trial
from readhead.search.space import Setting

if TYPE_CHECKING:
    import optuna

Keys = Mapping[str, Mapping[str, tuple[Value, ...]]]
"""By reader and key, the values."""

DRAWN = 8
"""Trials, the defaults among them, before the estimators are asked: of fewer they would know nothing."""
ATTEMPTS = 200
"""Proposals that may have been tried before, until a space counts as spent."""
READER = "reader"


def propose(keys: Keys, trials: Sequence[Trial], *, seed: int, higher_is_better: bool) -> Setting | None:
    """A setting that no trial had; None where none is found.

    keys: what can be set.
    trials: those that have ended, in order.
    """
    import optuna

    optuna.logging.set_verbosity(optuna.logging.WARNING)
    tried = [trial.setting for trial in trials]
    for attempt in range(ATTEMPTS):
        sequence = np.random.SeedSequence([seed, len(trials), attempt])
        sampler = optuna.samplers.TPESampler(seed=int(sequence.generate_state(1)[0]), n_startup_trials=DRAWN)
        study = optuna.create_study(direction="maximize" if higher_is_better else "minimize", sampler=sampler)
        study.add_trials([_told(keys, trial) for trial in trials])
        setting = _suggested(keys, study.ask())
        if setting not in tried:
            return setting
    return None


def _suggested(keys: Keys, trial: optuna.Trial) -> Setting:
    """optuna is asked for places among the values, so that it knows their order and no value is odd."""
    reader = trial.suggest_categorical(READER, list(keys))
    places = {key: trial.suggest_int(f"{reader} {key}", 0, len(values) - 1) for key, values in keys[reader].items()}
    return Setting(reader, {key: keys[reader][key][place] for key, place in places.items()})


def _told(keys: Keys, trial: Trial) -> optuna.trial.FrozenTrial:
    import optuna

    reader = trial.setting.reader
    params: dict[str, Any] = {READER: reader}
    distributions: dict[str, Any] = {READER: optuna.distributions.CategoricalDistribution(list(keys))}
    for key, values in keys[reader].items():
        params[f"{reader} {key}"] = values.index(trial.setting.values[key])
        distributions[f"{reader} {key}"] = optuna.distributions.IntDistribution(0, len(values) - 1)
    state = optuna.trial.TrialState.FAIL if trial.figure is None else optuna.trial.TrialState.COMPLETE
    return optuna.trial.create_trial(params=params, distributions=distributions, value=trial.figure, state=state)
