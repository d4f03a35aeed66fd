"""All of a run directory that training does not change: written once, or found to be the same when it resumes."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path

from torch import nn

from readhead import durable
from readhead.errors import InputError
from readhead.run import RunFiles, RunRecord, read_recipe, save_table
from readhead.training.material import Material
from readhead.training.request import Request

LIBRARIES = ("readhead", "torch", "numpy", "accelerate", "tokenizers")


def check_folder(request: Request, files: RunFiles) -> None:
    """Raises: InputError for a folder that is somebody else's, or a run of another recipe."""
    if not request.out.exists():
        return
    if not request.out.is_dir():
        raise InputError("this is a file; expected a folder for the run", file=request.out)
    present = {path.name for path in request.out.iterdir()}
    if not request.resume and present:
        raise InputError("the run directory is not empty; give another --out, or --resume", file=request.out)
    if present and not present & {files.recipe.name, files.record.name, files.checkpoint.parent.name}:
        raise InputError("this folder holds no run to go on with; give another --out", file=request.out)
    if files.recipe.is_file() and read_recipe(files).parts != request.recipe.parts:
        told = f"the run was started with another recipe; to resume it: {request.going_on}"
        raise InputError(told, file=files.recipe)


@contextmanager
def locked(inner: Path) -> Iterator[None]:
    """A run directory for ourselves alone.

    inner: a folder in it that all who work in the run directory lock; made if it is not there.
    Raises: InputError when another training is at work in it.
    """
    inner.mkdir(parents=True, exist_ok=True)
    folder = os.open(inner, os.O_RDONLY)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    except BlockingIOError:
        raise InputError("another training is at work in this run directory", file=inner.parent) from None
    finally:
        os.close(folder)


def new_record(request: Request, material: Material, model: nn.Module) -> RunRecord:
    """The record of a run that is about to begin."""
    return RunRecord(
        labels=list(material.labels),
        seed=request.seed,
        precision=request.precision,
        max_tokens=request.recipe.text.max_tokens,
        data=material.data,
        examples={"train": len(material.train), "dev": len(material.dev)},
        dropped=material.dropped,
        truncated=material.truncated,
        versions={library: version(library) for library in LIBRARIES},
        complete_data=material.complete,
        started_from=None if request.start is None else str(request.start),
        parameters=sum(p.numel() for p in model.parameters() if p.requires_grad),
    )


def lay_out(request: Request, files: RunFiles, material: Material, record: RunRecord) -> RunRecord:
    """Writes what training does not change; where there is a checkpoint, all of it must be as it was.

    Returns the record to go on with.
    Raises: InputError when data, seed or precision are not those that the run was started with.
    """
    if not files.checkpoint.is_file():
        durable.write_text(files.recipe, request.recipe.to_toml())
        files.metrics.unlink(missing_ok=True)
    else:
        before = RunRecord.open(files.record)
        for what in ("data", "seed", "precision"):
            if getattr(before, what) != getattr(record, what):
                raise InputError(f"the run was started with other {what}; resume it with the same", file=files.record)
        record.started_from = before.started_from
    _same_or_new(files.vocabulary, material.vocabulary.to_bytes())
    _same_or_new(files.tokenizer, material.tokenizer.to_bytes())
    save_table(files, material.table, material.pretrained, trainable=request.recipe.table_trains)
    record.save(files.record)
    return record


def _same_or_new(path: Path, data: bytes) -> None:
    if path.is_file() and path.read_bytes() != data:
        raise InputError("the data gives another file than the run was started with", file=path)
    durable.write(path, data)
