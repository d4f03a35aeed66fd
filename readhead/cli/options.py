"""Options that several verbs share, and what their words mean."""

from __future__ import annotations

import json
import os
import re
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from readhead import shipped
from readhead.counted import counted
from readhead.errors import InputError


def run_folder(given: Path | None) -> Path | None:
    """A RUN's directory: the one given, or a shipped model's. Raises: InputError where it is neither."""
    return None if given is None else shipped.find(given, tell=lambda note: print(f"note: {note}", file=sys.stderr))


RunArgument = Annotated[
    Path, typer.Argument(metavar="RUN", help="A directory, or a shipped model's name.", callback=run_folder)
]
CorporaOption = Annotated[
    Path | None,
    typer.Option("--corpora", metavar="DIR", help="Where corpora lie. Default: the user's cache."),
]
JSONOption = Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")]
DeviceOption = Annotated[str, typer.Option("--device", help="auto, cpu, cuda or cuda:N.")]
ThreadsOption = Annotated[
    int | None, typer.Option("--threads", min=1, help="CPU threads. Default: as many as there are cores.")
]
TextColumnOption = Annotated[
    list[str] | None, typer.Option("--text-column", metavar="C", help="Column of a text; repeat in order.")
]
LabelColumnOption = Annotated[str | None, typer.Option("--label-column", metavar="C", help="Column of the label.")]
SoftLabelsOption = Annotated[
    bool, typer.Option("--soft-labels", help="Probabilities in columns p_LABEL stand in the label's place.")
]

_UNITS = {"s": 1, "m": 60, "h": 3600}


def corpora_folder(given: Path | None) -> Path:
    """The folder that corpora lie below. Raises: InputError when the one given does not exist."""
    if given is None:
        import pooch

        return Path(pooch.os_cache("readhead"))
    if not given.is_dir():
        raise InputError("--corpora: no such folder", file=given)
    return given


def seconds(written: str | None) -> float | None:
    """ "90", "90s", "5m", "1.5h" in seconds. Raises: InputError for anything else."""
    if written is None:
        return None
    match = re.fullmatch(r"(\d+(?:\.\d+)?)([smh]?)", written.strip())
    if match is None or float(match[1]) <= 0:
        raise InputError(f"'{written}' is no length of time; expected such as 90s, 5m or 1h")
    return float(match[1]) * _UNITS[match[2] or "s"]


def device(written: str) -> str:
    """`auto` decided. Raises: InputError for a device that is none, or can't be used here."""
    import torch

    if not re.fullmatch(r"auto|cpu|cuda(:\d+)?", written):
        raise InputError(f"--device {written}: expected auto, cpu, cuda or cuda:N")
    if written.startswith("cuda") and not torch.cuda.is_available():
        raise InputError(f"--device {written}: no CUDA device can be used here (`readhead doctor` says why)")
    index, count = int(written.partition(":")[2] or 0), torch.cuda.device_count()
    if index >= max(1, count):
        raise InputError(f"--device {written}: found {counted(count, 'CUDA device')}, the first is cuda:0")
    return ("cuda" if torch.cuda.is_available() else "cpu") if written == "auto" else written


def use_threads(count: int | None) -> None:
    """Sets torch's threads, if a count was given. Raises: InputError for more than four a core."""
    if count is not None:
        check_threads(count)
        import torch

        torch.set_num_threads(count)


def check_threads(count: int) -> None:
    """Raises: InputError for more threads than four a core: tens of thousands bring the process down."""
    cores = os.cpu_count() or 1
    if count > 4 * cores:
        raise InputError(f"--threads {count}: this machine has {counted(cores, 'core')}; expected at most {4 * cores}")


def print_json(value: Any) -> None:
    """One JSON value on standard output."""
    json.dump(value, sys.stdout, indent=2, ensure_ascii=False)
    print()
