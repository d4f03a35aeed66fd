"""The kernels in C++ (`native/`): which libraries there are, which run on this processor, and why others do not."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path

from readhead.errors import InputError

ISAS = ("avx512", "avx2", "portable")
"""The instruction sets that the kernels are built for, the fastest first; `portable` runs everywhere."""

INTERFACE = 1
"""The version of `native/include/readhead.h` that this package is written for."""


@dataclass(frozen=True, slots=True)
class Kernels:
    """One loaded library.

    isa: the instruction set it is built for, one of ISAS.
    library: its functions, as `native/include/readhead.h` has them.
    """

    isa: str
    library: ctypes.CDLL


@dataclass(frozen=True, slots=True)
class Found:
    """What there is of the kernels on this machine.

    kernels: by instruction set, the fastest first: those that run here.
    obstacles: why each other instruction set's do not, in a clause.
    """

    kernels: Mapping[str, Kernels]
    obstacles: Mapping[str, str]


def isas() -> tuple[str, ...]:
    """The instruction sets whose kernels run here, the fastest first; none where there are no kernels."""
    return tuple(found_kernels().kernels)


def obstacle() -> str | None:
    """Why no kernels run here at all, in a clause; None if some do."""
    found = found_kernels()
    if found.kernels:
        return None
    if not any(_library(isa).exists() for isa in ISAS):
        return "the kernels are not there: readhead was installed where no C++ compiler could build them"
    return "; ".join(found.obstacles.values())


# As torch.compiler.assume_constant_result does it, which would import the compiler: what is there does not change.
obstacle._dynamo_marked_constant = True  # type: ignore[attr-defined]


def load_kernels(isa: str | None = None) -> Kernels:
    """The kernels of an instruction set; None = the fastest that runs here.

    Raises:
        InputError: there is no such instruction set, or its kernels cannot run here.
    """
    found = found_kernels()
    if isa is None:
        nothing = obstacle()
        if nothing is not None:
            raise InputError(nothing)
        return next(iter(found.kernels.values()))
    if isa not in ISAS:
        raise InputError(f"there is no instruction set {isa!r}; there are {', '.join(ISAS)}")
    if isa not in found.kernels:
        raise InputError(f"the {isa} kernels cannot run: {found.obstacles[isa]}")
    return found.kernels[isa]


@cache
def found_kernels() -> Found:
    """Every library that can be loaded, loaded; and why the others cannot. Looked for once a process."""
    kernels: dict[str, Kernels] = {}
    obstacles: dict[str, str] = {}
    for isa in ISAS:
        loaded = _load(_library(isa), isa)
        if isinstance(loaded, Kernels):
            kernels[isa] = loaded
        else:
            obstacles[isa] = loaded
    return Found(kernels, obstacles)


def _library(isa: str) -> Path:
    return Path(str(resources.files("readhead.ops") / "kernels" / f"libreadhead-{isa}.so"))


def _load(path: Path, isa: str) -> Kernels | str:
    """The library, or why it cannot be used. It says itself whether this processor has what it needs."""
    if not path.exists():
        return f"there is no {path.name}: it was not built when readhead was installed"
    try:
        library = ctypes.CDLL(str(path))
    except OSError as error:
        return f"{path.name} cannot be loaded: {error}"
    version = library.readhead_version()
    if version != INTERFACE:
        return f"{path.name} is of another readhead (its interface is {version}, not {INTERFACE}): install it again"
    library.readhead_obstacle.restype = ctypes.c_char_p
    missing = library.readhead_obstacle()
    return Kernels(isa, library) if missing is None else missing.decode()
