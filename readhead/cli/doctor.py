"""`readhead doctor`: what this machine has, and what each part of readhead will run on."""

from __future__ import annotations

import platform
from pathlib import Path
from typing import Any

import typer

from readhead import shipped
from readhead.cli.options import CorporaOption, JSONOption, corpora_folder, print_json
from readhead.cli.table import print_table

PACKAGES = ("readhead", "torch", "numpy", "accelerate", "tokenizers", "safetensors", "torchmetrics", "triton")


def add_to(app: typer.Typer) -> None:
    """Adds the verb."""
    app.command("doctor")(doctor)


def doctor(corpora: CorporaOption = None, as_json: JSONOption = False) -> None:
    """Show versions, backends with the reason for each, threads, shipped models, and the data found."""
    found = {
        "python": platform.python_version(),
        "packages": {name: _version(name) for name in PACKAGES},
        "devices": _devices(),
        "kernels": _kernels(),
        "backends": _backends(),
        "models": _models(),
        "data": _data(corpora),
    }
    if as_json:
        print_json(found)
    else:
        _print(found)


def _version(name: str) -> str:
    from importlib.metadata import PackageNotFoundError, version  # slow, and imported by every --help

    try:
        return version(name)
    except PackageNotFoundError:
        return "not installed"


def _devices() -> dict[str, Any]:
    import torch

    threads = torch.get_num_threads()
    if torch.cuda.is_available():
        names = [torch.cuda.get_device_name(i) for i in range(torch.cuda.device_count())]
        return {"cpu_threads": threads, "cuda": names, "cuda_reason": ""}
    reason = "no device was found" if torch.version.cuda else "this torch was built without CUDA"
    return {"cpu_threads": threads, "cuda": [], "cuda_reason": reason}


def _kernels() -> list[dict[str, Any]]:
    """For each instruction set: whether its kernels run here, and why not."""
    from readhead.ops.native import ISAS, found_kernels

    obstacles = found_kernels().obstacles
    return [{"isa": isa, "runs": isa not in obstacles, "reason": obstacles.get(isa, "")} for isa in ISAS]


def _backends() -> list[dict[str, str]]:
    """For each op and device: the backend that runs, and why each other does not."""
    import torch

    from readhead.errors import InputError
    from readhead.ops import OPS
    from readhead.ops.backends import BACKENDS, chosen_backend

    rows = []
    for op in OPS:
        for device in ["cpu", *(["cuda"] if torch.cuda.is_available() else [])]:
            for backend in ("auto", *BACKENDS):
                try:
                    choice = chosen_backend(op, torch.device(device), backend)
                    runs, reason = choice.backend, choice.reason
                except InputError as error:
                    runs, reason = "", error.message
                rows.append({"op": op, "device": device, "backend": backend, "runs": runs, "reason": reason})
    return rows


def _models() -> list[dict[str, Any]]:
    """The shipped models: name, bytes of weights, what they are."""
    from readhead.recipe import read
    from readhead.run import RunFiles

    return [
        {
            "name": name,
            "bytes": shipped.weights_size(name),
            "summary": read(str(RunFiles(shipped.SHIPPED / name).recipe)).summary,
        }
        for name in shipped.shipped()
    ]


def _data(given: Path | None) -> dict[str, Any]:
    from readhead.data.source import missing_files
    from readhead.data.sources import SOURCES

    folder = corpora_folder(given)
    found = {name: not missing_files(source, folder) for name, source in SOURCES.items()}
    return {"folder": str(folder), "found": found}


def _print(found: dict[str, Any]) -> None:
    print_table("", ("package", "version"), [("python", found["python"]), *found["packages"].items()])
    devices = found["devices"]
    print(f"\nCPU threads: {devices['cpu_threads']}")
    print(f"CUDA: {', '.join(devices['cuda']) or 'none: ' + devices['cuda_reason']}\n")
    kernels = [(k["isa"], "yes" if k["runs"] else "no", k["reason"]) for k in found["kernels"]]
    print_table("", ("kernels", "run", "reason"), kernels)
    print()
    rows = [(r["op"], r["device"], r["backend"], r["runs"] or "–", r["reason"]) for r in found["backends"]]
    print_table("", ("op", "device", "asked for", "runs", "reason"), rows)
    models = [(m["name"], f"{m['bytes'] / 1e6:.1f} MB", m["summary"]) for m in found["models"]]
    print()
    print_table("", ("shipped model", "weights", "what it is"), models or [("none", "", "")])
    print(f"\ndata below {found['data']['folder']}:")
    print_table("", ("name", "found"), [(n, "yes" if there else "no") for n, there in found["data"]["found"].items()])
