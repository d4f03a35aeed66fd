"""One run after another, each with its own setting, and the best of them at last in the search's own folder.

search.json           what was asked for and what was tried
trials/001, 002, ...  a run directory each; all but the best keep only what tells of them
the rest              the best trial's run directory, once the search has ended
"""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from readhead import durable
from readhead.counted import counted
from readhead.errors import InputError
from readhead.recipe import Recipe
from readhead.run import RunFiles, RunRecord
from readhead.search.history import History, Trial, open_history
from readhead.search.proposals import propose
from readhead.search.space import Setting, Space
from readhead.training.layout import locked
from readhead.training.material import Material
from readhead.training.request import Request
from readhead.training.start import Reading, reading, train
from readhead.training.trainer import Diverged

RECORD, TRIALS = "search.json", "trials"
READ_ALIKE = ("corpus", "text", "vectors", "task")
"""The sections of a recipe that its material follows from."""
KEPT = 4  # materials, of which a bag of words and convolutions, narrow and wide, need no more


class Search:
    """A search, anew or from where a killed one left off.

    request: of a training with the defaults; its `out` is the search's folder, its budget that of all trials together.
    space: what can be set.
    count: trials, of which the first has the defaults.
    tell: is given lines for people.

    Raises:
        InputError: the folder is somebody else's or another search's.
    """

    def __init__(self, *, request: Request, space: Space, count: int, tell: Callable[[str], None]) -> None:
        self.request, self.space, self.count, self.tell = request, space, count, tell
        self.folder, self.record = request.out, request.out / RECORD
        self.history = self._history()
        self._read = _remembering(reading(request))

    def run(self) -> History:
        """Tries what is left to try, and puts the best trial's run into the search's folder.

        Raises: InputError for bad data, and where every trial diverged; Interrupted after Ctrl-C.
        """
        if self._is_left():
            material = self._read(self.request.recipe)  # before anything is written
            self._check_data(material)
            self._introduce(material)
        is_new = not self.folder.exists()
        try:
            with locked(self.folder / TRIALS):
                while self._is_left() and (setting := self.history.running or self._proposed()) is not None:
                    self._try(setting)
                self._take_best()
        finally:
            for folder in (self.folder / TRIALS, self.folder) if is_new else ():
                with suppress(OSError):  # something was written in it, and it stays
                    folder.rmdir()
        return self.history

    def _is_left(self) -> bool:
        left = self._budget_left()
        return len(self.history.trials) < self.count and (left is None or left > 0)

    def _budget_left(self) -> float | None:
        spent = sum(trial.seconds for trial in self.history.trials)
        return None if self.request.budget is None else self.request.budget - spent

    def _introduce(self, material: Material) -> None:
        for line in material.understood:
            self.tell(line)
        if (left := self._budget_left()) is not None:
            trials = self.count - len(self.history.trials)
            self.tell(
                f"time: {left:.0f} s for {counted(trials, 'trial')}; each gets an even share of what is left by then"
            )

    def trial_folder(self, number: int) -> Path:
        """The run directory of a trial; its number is its place in the history, and people count from 1."""
        return self.folder / TRIALS / f"{number + 1:03}"

    def _history(self) -> History:
        asked = _as_json(
            {
                "recipe": self.space.recipe(self.space.start).to_toml(),
                "keys": self.space.keys,
                "seed": self.request.seed,
                "precision": self.request.precision,
            }
        )
        if self.folder.is_file():
            raise InputError("this is a file; expected a folder for the search", file=self.folder)
        present = {path.name for path in self.folder.iterdir()} if self.folder.is_dir() else set[str]()
        if present and not self.request.resume:
            raise InputError("the run directory is not empty; give another --out, or --resume", file=self.folder)
        if not self.record.is_file():
            if present - {TRIALS}:
                raise InputError("this folder holds no search to go on with; give another --out", file=self.folder)
            if self.request.resume and not present:
                self.tell(f"nothing to resume in {self.folder}: starting anew")
            return History(asked)
        history = open_history(self.record)
        history.check_same(asked, self.record)
        return history

    def _proposed(self) -> Setting | None:
        history = self.history
        if not history.trials:
            return self.space.start
        setting = propose(
            self.space.keys, history.trials, seed=self.request.seed, higher_is_better=history.higher_is_better
        )
        if setting is None:
            self.tell(f"all settings have been tried: there are {self.space.size}")
        return setting

    def _try(self, setting: Setting) -> None:
        history, number = self.history, len(self.history.trials)
        request = replace(
            self.request,
            recipe=self.space.recipe(setting),
            out=self.trial_folder(number),
            resume=True,
            budget=self._share(),
            quiet=True,
        )
        if number:  # the first has the defaults, and no record to leave behind if it can't begin
            history.running = setting
            history.save(self.record)
        self.tell(f"trial {number + 1} of {self.count}: {told(self.space, setting)}")
        history.trials.append(_trained(request, setting, self._read))
        history.running = None
        history.save(self.record)
        self.tell(f"  {outcome(history, number)}")
        self._lighten()

    def _share(self) -> float | None:
        """Seconds for the next trial."""
        left = self._budget_left()
        return None if left is None else left / (self.count - len(self.history.trials))

    def _check_data(self, material: Material) -> None:
        self.history.metric, self.history.higher_is_better = material.task.watched, material.task.higher_is_better
        before = self.history.data = self.history.data or material.data
        if before != material.data:
            raise InputError("the search was started with other data; resume it with the same", file=self.record)

    def _lighten(self) -> None:
        """Leaves weights, vectors and checkpoint, and the card that tells of them, in the best trial alone."""
        for number in range(len(self.history.trials)):
            if number != self.history.best:
                files = RunFiles(self.trial_folder(number))
                for heavy in (files.weights, files.vectors, files.checkpoint, files.card):
                    heavy.unlink(missing_ok=True)
                with suppress(FileNotFoundError):
                    files.checkpoint.parent.rmdir()

    def _take_best(self) -> None:
        """Copies the best trial's run, its record last: a kill on the way does it again."""
        best = self.history.best
        if best is None:
            raise InputError("training diverged with every setting; try --set optimizer.learning_rate=0.0001")
        self._lighten()
        source, target = RunFiles(self.trial_folder(best)), RunFiles(self.folder)
        if target.record.is_file() and target.record.read_bytes() == source.record.read_bytes():
            return
        target.record.unlink(missing_ok=True)
        for path in sorted(source.folder.rglob("*")):
            if path.is_file() and path not in (source.record, source.card):
                place = target.folder / path.relative_to(source.folder)
                place.parent.mkdir(exist_ok=True)
                durable.write(place, path.read_bytes())
        # The card tells how to read with the run, and where it lies is now another folder.
        card = source.card.read_text(encoding="utf-8").replace(str(source.folder), str(target.folder))
        durable.write_text(target.card, card)
        durable.write(target.record, source.record.read_bytes())


def told(space: Space, setting: Setting) -> str:
    """A setting in words: the reader, and what differs from its defaults."""
    changes = space.changes(setting)
    return f"{setting.reader}, {', '.join(changes) if changes else 'the defaults'}"


def outcome(history: History, number: int) -> str:
    """What came of a trial, in words."""
    trial = history.trials[number]
    if trial.figure is None:
        return trial.ended
    best = " (best so far)" if history.best == number else ""
    return (
        f"dev {history.metric} {trial.figure:.4f}{best}, {counted(round(trial.epochs), 'epoch')}, {trial.seconds:.1f} s"
    )


def _trained(request: Request, setting: Setting, read: Reading) -> Trial:
    try:
        record = train(request, read)
    except Diverged as error:
        return Trial(setting, None, 0, 0, 0, str(error))
    return _as_trial(record, setting)


def _as_trial(record: RunRecord, setting: Setting) -> Trial:
    cut, best = record.budget is not None, record.best
    return Trial(setting, best["value"], best["epoch"], record.epochs, record.seconds, record.finished, cut)


def _remembering(read: Reading) -> Reading:
    """Reads as `read` does, but what was read lately only once."""
    lately: dict[str, Material] = {}

    def remembered(recipe: Recipe) -> Material:
        key = json.dumps({section: recipe.parts[section].options for section in READ_ALIKE if section in recipe.parts})
        lately[key] = lately.pop(key) if key in lately else read(recipe)  # the last is the youngest
        for old in list(lately)[:-KEPT]:
            del lately[old]
        return lately[key]

    return remembered


def _as_json(value: Any) -> Any:
    return json.loads(json.dumps(value))
