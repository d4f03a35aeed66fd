"""search.json: what a search was asked for and what it has tried; written anew after every trial."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from readhead import durable
from readhead.errors import InputError
from readhead.search.space import Setting

FORMAT = 1
ASKED = {
    "recipe": "defaults (its file, reader, --set or --vectors)",
    "keys": "values to search among",
    "seed": "--seed",
    "precision": "--precision",
}
"""What must be the same to go on, and how it is called."""


@dataclass(frozen=True, slots=True)
class Trial:
    """One setting that was trained with.

    setting: what was tried.
    figure: the best dev score; None where training diverged.
    epoch: the one that it was reached in; epochs: how many were trained.
    seconds: how long they took.
    ended: why training ended.
    cut: whether the time budget ended it.
    """

    setting: Setting
    figure: float | None
    epoch: int
    epochs: float
    seconds: float
    ended: str
    cut: bool = False


@dataclass(slots=True)
class History:
    """The trials of one search.

    asked: what the search was started with; see `ASKED`.
    metric: the name of the dev score; higher_is_better: which of two is better.
    data: SHA-256 of every file read, by name.
    trials: those that have ended, in order; the first has the defaults.
    running: the setting that is being trained with.
    """

    asked: Mapping[str, Any]
    metric: str = ""
    higher_is_better: bool = True
    data: Mapping[str, str] = field(default_factory=dict)
    trials: list[Trial] = field(default_factory=list)
    running: Setting | None = None

    @property
    def best(self) -> int | None:
        """The number of the best trial, the earliest of equals; None where all diverged."""
        told = [(trial.figure, number) for number, trial in enumerate(self.trials) if trial.figure is not None]
        sign = 1 if self.higher_is_better else -1
        return max(told, key=lambda one: (sign * one[0], -one[1]))[1] if told else None

    def save(self, path: Path) -> None:
        """Writes it durably."""
        durable.write_json(path, {"format": FORMAT, **dataclasses.asdict(self)})

    def check_same(self, asked: Mapping[str, Any], path: Path) -> None:
        """Raises: InputError, naming the first of `ASKED` that was another one when the search was started."""
        for what, called in ASKED.items():
            if self.asked.get(what) != asked[what]:
                raise InputError(f"the search was started with other {called}; resume it with the same", file=path)


def open_history(path: Path) -> History:
    """Reads what `save` wrote. Raises: InputError when it is damaged, or of a later version."""
    try:
        told = json.loads(path.read_text(encoding="utf-8"))
        if (found := told.pop("format")) > FORMAT:
            raise InputError(f"expected a search of format {FORMAT} or older, found {found}", file=path)
        trials = [Trial(**{**trial, "setting": Setting(**trial["setting"])}) for trial in told.pop("trials")]
        running = None if told["running"] is None else Setting(**told["running"])
        return History(**{**told, "trials": trials, "running": running})
    except (ValueError, KeyError, TypeError) as error:
        raise InputError(f"this is no record of a search: {error}", file=path) from None
