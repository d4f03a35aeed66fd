"""Attention-and-memory text readers: train one on your own file, read with it, and see why.

`readhead.load("nli")` opens a shipped model, `readhead.load("path/to/run")` a run of your own: a `readhead.Reader`.
`readhead.train(task="classify", data="your.csv", out="runs/yours")` trains one.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from readhead.pretrained.reader import Reader, load
    from readhead.pretrained.training import train

__version__ = "0.1.0"
__all__ = ["Reader", "__version__", "load", "train"]

_AT_HOME = {
    "Reader": "readhead.pretrained.reader",
    "load": "readhead.pretrained.reader",
    "train": "readhead.pretrained.training",
}


def __getattr__(name: str) -> Any:
    # What reads needs torch, which takes a second to import: it is, when it is first asked for.
    if name not in _AT_HOME:
        raise AttributeError(f"module 'readhead' has no attribute '{name}'")
    return getattr(import_module(_AT_HOME[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
