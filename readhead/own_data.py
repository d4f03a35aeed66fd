"""A task and a user's own file, made into a recipe."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from readhead import recipe
from readhead.data.own_file import OwnFile
from readhead.errors import InputError
from readhead.own_sizes import DEFAULT_READER, READER_OF_VECTORS, Size, default_reader, size_of
from readhead.recipe import Recipe
from readhead.schema import nearest


@dataclass(frozen=True, kw_only=True, slots=True)
class OwnData:
    """What the command line says of a user's file.

    task: what is asked of it; a folder of recipes has its name.
    data, dev: the files; without dev a tenth of the data is kept apart.
    reader: the recipe of that folder; None = the default for the task, with word vectors or without.
    text_columns, label_column: the columns; empty and None = found by name.
    soft_labels: whether labels are probabilities, in columns `p_LABEL`.
    ordinal: whether labels are numbers of which a near one is less wrong than a far one.
    """

    task: str | None
    data: Path
    dev: Path | None = None
    reader: str | None = None
    text_columns: Sequence[str] = ()
    label_column: str | None = None
    soft_labels: bool = False
    ordinal: bool = False


def own_size(own: OwnData) -> Size:
    """The line of the table of sizes that the user's file falls in; reads it.

    Raises: InputError for an unknown task, columns that do not go with it, or a file that cannot be opened.
    """
    if own.task is None:
        raise InputError(f"--data goes with a --task; known: {', '.join(DEFAULT_READER)}")
    if own.task not in DEFAULT_READER:
        raise InputError(f"--task {own.task}: {nearest(own.task, DEFAULT_READER)}")
    return size_of(
        OwnFile(
            own.data,
            task=own.task,
            text_columns=own.text_columns,
            label_column=own.label_column,
            soft_labels=own.soft_labels,
        )
    )


def own_recipe(own: OwnData, vectors: Path | None, changes: Sequence[str], size: Size | None = None) -> Recipe:
    """The task's recipe, on the user's file, with the defaults for its size.

    vectors: a file of word vectors to start from.
    changes: "section.key=value", applied last.
    size: what `own_size` says of the file; None to read it.
    Raises: InputError for an unknown task or reader, or a change that does not fit.
    """
    size = size or own_size(own)
    name = f"{own.task}/{_reader(own, vectors)}"
    document = recipe.parse(recipe.find(name))
    size.fill(document)
    document["summary"] += f"; {size.told}"
    document["corpus"] = _corpus(own)
    if own.ordinal:
        if own.task not in ("classify", "pair"):
            raise InputError(f"--ordinal: the task {own.task} has no labels of many values; expected classify or pair")
        if own.soft_labels:
            raise InputError(
                "--ordinal and --soft-labels: probabilities say already how wrong a label is; expected one"
            )
        document["task"]["scale"] = "ordinal"
    if vectors is not None:
        if not vectors.is_file():
            raise InputError("no such file; expected word vectors in GloVe's text format", file=vectors)
        others = {key: value for key, value in document.get("vectors", {}).items() if key != "dim"}
        document["vectors"] = others | {"file": str(vectors.resolve())}
    return recipe.changed(document, changes, name=name)


def arguments(own: OwnData, vectors: Path | None, changes: Sequence[str]) -> list[str]:
    """What `readhead train` is told to make `own_recipe` of the same, as words of a command line."""
    told = {"--task": own.task, "--data": own.data, "--dev": own.dev, "--reader": own.reader}
    words = [word for option, value in told.items() if value is not None for word in (option, str(value))]
    words += [word for column in own.text_columns for word in ("--text-column", column)]
    words += [] if own.label_column is None else ["--label-column", own.label_column]
    words += ["--soft-labels"] * own.soft_labels + ["--ordinal"] * own.ordinal
    words += [] if vectors is None else ["--vectors", str(vectors)]
    return [*words, *(word for change in changes for word in ("--set", change))]


def _reader(own: OwnData, vectors: Path | None) -> str:
    known = [name.split("/")[1] for name in recipe.shipped() if name.startswith(f"{own.task}/")]
    reader = own.reader or default_reader(str(own.task), vectors=vectors is not None)
    if reader not in known:
        raise InputError(f"--reader {reader}: {nearest(reader, known)}")
    if vectors is None and reader == READER_OF_VECTORS.get(str(own.task)):
        raise InputError(f"--reader {reader}: it reads word vectors as they are; expected --vectors FILE")
    return reader


def _corpus(own: OwnData) -> dict[str, object]:
    # Whole paths, since the run is resumed and evaluated from other folders too.
    section: dict[str, object] = {"kind": "file", "task": own.task, "train": str(own.data.resolve())}
    if own.dev is not None:
        section["dev"] = str(own.dev.resolve())
    if own.text_columns:
        section["text_columns"] = list(own.text_columns)
    if own.label_column is not None:
        section["label_column"] = own.label_column
    if own.soft_labels:
        section["soft_labels"] = True
    return section
