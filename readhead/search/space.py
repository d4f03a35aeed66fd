"""What a search on a user's file may set."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path

from readhead.errors import InputError
from readhead.own_data import OwnData, arguments, own_recipe, own_size
from readhead.own_sizes import default_reader
from readhead.own_spaces import ALSO_SEARCHED, SPACES, Value
from readhead.recipe import Recipe

Values = Mapping[str, Value]
"""By "section.key", what a recipe is told."""


def check_optuna() -> None:
    """Raises: InputError where optuna is not installed, naming the extra."""
    if find_spec("optuna") is None:
        raise InputError("--search needs optuna: pip install 'readhead[search]'")


@dataclass(frozen=True, slots=True)
class Setting:
    """A point of a space: a reader, and a value for each of its keys."""

    reader: str
    values: Values


class Space:
    """What can be set of a task's recipes, and the recipe that a setting makes.

    own: the user's file and what the command line says of it.
    vectors: a file of word vectors, or None.
    changes: "section.key=value": these keys are set, and not searched.

    `keys` holds the values of every key, by reader, the default one first; `start` is the setting of the defaults.

    Raises:
        InputError: the file cannot be opened, or a recipe does not fit it and the changes.
    """

    def __init__(self, own: OwnData, vectors: Path | None, changes: Sequence[str]) -> None:
        self._own, self._vectors, self._changes, self._size = own, vectors, list(changes), own_size(own)
        task = str(own.task)
        first = own.reader or default_reader(task, vectors=vectors is not None)
        readers = [first] if own.reader else [first, *ALSO_SEARCHED.get(task, ())]
        self._one_of = len(set(readers))
        recipes = {reader: self._made(reader, []) for reader in readers}
        fixed = {change.partition("=")[0].strip() for change in changes}
        self.keys = {reader: _open_keys(made, fixed) for reader, made in recipes.items()}
        self._defaults = {
            reader: {key: _value(made, key) for key in self.keys[reader]} for reader, made in recipes.items()
        }
        self.start = Setting(readers[0], self._defaults[readers[0]])

    @property
    def size(self) -> int:
        """How many settings there are."""
        total = 0
        for keys in self.keys.values():
            count = 1
            for values in keys.values():
                count *= len(values)
            total += count
        return total

    def recipe(self, setting: Setting) -> Recipe:
        """The recipe of a setting: what `readhead train` makes of `changes`."""
        return self._made(setting.reader, self.changes(setting))

    def changes(self, setting: Setting) -> list[str]:
        """What `--set` is told to come from the reader's defaults to a setting."""
        defaults = self._defaults[setting.reader]
        return [f"{key}={json.dumps(value)}" for key, value in setting.values.items() if value != defaults[key]]

    def command(self, setting: Setting, seed: int) -> str:
        """The command line that trains with a setting, and does not search."""
        own = replace(self._own, reader=setting.reader)
        words = arguments(own, self._vectors, [*self._changes, *self.changes(setting)])
        return shlex.join(["readhead", "train", *words, "--seed", str(seed)])

    def _made(self, reader: str, changes: Sequence[str]) -> Recipe:
        own = replace(self._own, reader=reader)
        try:
            return own_recipe(own, self._vectors, [*self._changes, *changes], self._size)
        except InputError as error:
            if self._one_of == 1:
                raise
            told = (
                f"{error.message} (the reader '{reader}', one of {self._one_of} that are searched; --reader names one)"
            )
            raise InputError(told, file=error.file, line=error.line) from None


def _open_keys(made: Recipe, fixed: set[str]) -> dict[str, tuple[Value, ...]]:
    """The keys of a recipe that are searched, each with its values, the default among them."""
    if made.vectors.file is not None:
        fixed = fixed | {"vectors.dim"}
    table = SPACES.get(made.name, {})
    return {key: tuple(sorted({*table[key], _value(made, key)})) for key in table if key not in fixed}


def _value(made: Recipe, key: str) -> Value:
    section, _, name = key.partition(".")
    value: Value = made.parts[section].options[name]
    return value
