"""A reader of one's own file, from Python: what `readhead train --task TASK --data FILE` does, and the reader."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

from readhead.errors import InputError
from readhead.own_data import OwnData, own_recipe
from readhead.pretrained.reader import Reader
from readhead.run import Run
from readhead.schema import nearest
from readhead.training.request import Request
from readhead.training.start import train as start

_OWN = tuple(field.name for field in fields(OwnData) if field.name not in ("task", "data", "dev"))


def train(
    *,
    task: str,
    data: str | Path,
    out: str | Path,
    dev: str | Path | None = None,
    vectors: str | Path | None = None,
    changes: Mapping[str, Any] | None = None,
    seed: int = 0,
    budget: float | None = None,
    resume: bool = False,
    quiet: bool = False,
    **own: Any,
) -> Reader:
    """Trains on your own file as `readhead train` does, on the CPU, and opens what came of it.

        reader = readhead.train(task="classify", data="messages.csv", out="runs/messages")
        reader("The lock is broken.")

    The same file and seed on the command line give the same weights.

    task: `classify`, `pair`, `rank` or `language-model`.
    data: the file, in any format that the command line reads.
    out: the run's directory, which must not hold a run yet unless it is resumed.
    dev: a file to choose the best weights by; None = a tenth of the data is kept apart.
    vectors: a file of word vectors to start from.
    changes: values by "section.key", as --set has them.
    seed: of everything random.
    budget: seconds after which training ends with the best weights so far.
    resume: whether to go on in `out`.
    quiet: whether nothing is printed; `train.log` in the run holds it all the same.
    own: the rest of what the command line can say of a file, by the names of `readhead.own_data.OwnData`: reader,
        text_columns, label_column, soft_labels, ordinal.

    Raises: InputError for what `readhead train` refuses, before anything is written.
    """
    for name in own:
        if name not in _OWN:
            raise InputError(f"{name}: {nearest(name, _OWN)}")
    file = OwnData(task=task, data=Path(data), dev=None if dev is None else Path(dev), **own)
    # Strings stay as they are, so that a value in TOML's own words can be given too.
    told = [f"{key}={value if isinstance(value, str) else json.dumps(value)}" for key, value in (changes or {}).items()]
    recipe = own_recipe(file, None if vectors is None else Path(vectors), told)
    folder = Path(out)
    start(
        Request(
            recipe=recipe,
            out=folder,
            corpora=folder,
            seed=seed,
            device="cpu",
            resume=resume,
            budget=budget,
            quiet=quiet,
        )
    )
    return Reader(Run.open(folder))
