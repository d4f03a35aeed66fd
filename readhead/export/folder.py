"""The folder that an export leaves: all that its own `reader.py` needs."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path
from typing import Any

from readhead import __version__, durable
from readhead.errors import InputError
from readhead.run import Run

FORMAT = 1
LARGE = 2**20  # bytes of a weight


@contextmanager
def whole_or_absent(folder: Path) -> Iterator[Path]:
    """A folder to fill beside the one that is wanted; it takes that one's place at the end, or goes.

    Raises:
        InputError: something is there already, or there is no folder to put it in.
    """
    expect_free(folder)
    beside = folder.with_name(folder.name + ".part")
    shutil.rmtree(beside, ignore_errors=True)
    beside.mkdir()
    try:
        yield beside
        beside.replace(folder)
    finally:
        shutil.rmtree(beside, ignore_errors=True)


def expect_free(folder: Path) -> None:
    """Raises: InputError unless a folder can be made there; an empty one may be there already."""
    if not folder.parent.is_dir():
        raise InputError("there is no such folder to write to", file=folder.parent)
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise InputError("expected a folder that is not there yet, or an empty one", file=folder)


def fill(folder: Path, run: Run, graph: Any, *, int8: bool) -> None:
    """Writes model, tokenizer, vocabulary, config and reader.

    Large weights stand in a file of their own, which onnxruntime maps into memory: a reader with 50,000 word vectors
    starts in half the time.

    graph: an `onnx.ModelProto`, of which large weights are taken away. int8: whether its weights are in eight bits.
    """
    import onnx  # an extra, which a run in `--format run` does without

    path = folder / "model.onnx"
    onnx.save_model(graph, str(path), save_as_external_data=True, location=f"{path.name}.data", size_threshold=LARGE)
    for weights in folder.glob("*.data"):
        shutil.copymode(path, weights)  # it is made for nobody else to read
    durable.write(folder / "tokenizer.json", run.tokenizer.to_bytes())
    run.vocabulary.save(folder / "vocabulary.txt")
    durable.write_json(folder / "config.json", config(run, int8=int8))
    durable.write(folder / "reader.py", files("readhead.export").joinpath("reader.py").read_bytes())


def megabytes(folder: Path) -> float:
    """Of the model, with its weights."""
    return sum(path.stat().st_size for path in folder.glob("model.onnx*")) / 1e6


def _groups(run: Run) -> dict[str, list[str]] | None:
    """By group, the labels that answers put together; None where they are not grouped."""
    groups = run.recipe.parts["task"].options.get("groups")
    return None if groups is None else {name: list(members) for name, members in groups.items()}


def config(run: Run, *, int8: bool) -> dict[str, Any]:
    """What a reader must know of a run beside its weights and words."""
    task, plan = run.task, run.recipe.text
    return {
        "format": FORMAT,
        "made_by": f"readhead {__version__}",
        "recipe": run.recipe.name,
        "answers": "surprisal" if task.foretells else "classes" if task.several is None else "ranking",
        "fields": list(task.fields),
        "reads": list(task.reads),
        "several": task.several,
        "labels": list(task.labels),
        "groups": _groups(run),
        "temperature": run.record.temperature,
        "max_tokens": plan.max_tokens,
        "first": plan.first,
        "last": plan.last,
        "int8": int8,
    }
