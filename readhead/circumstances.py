"""What a figure was measured with: which files of ours, on what machine."""

from __future__ import annotations

import os
import platform
import subprocess
from pathlib import Path
from typing import Any


def commit() -> str | None:
    """The commit that this package's files are of, with "+dirty" if they differ from it; None if they are not tracked.

    An installed package may lie below a checkout of something else, whose commit would say nothing.
    """
    here = Path(__file__)
    if _git("ls-files", "--error-unmatch", here.name) is None:
        return None
    found = _git("rev-parse", "HEAD")
    return found if found is None or _git("diff", "--quiet", "HEAD", "--", ".") is not None else f"{found}+dirty"


def machine() -> dict[str, Any]:
    """System, processor, cores, and what torch makes of them."""
    import torch

    return {
        "system": platform.system(),
        "processor": platform.machine(),
        "cores": os.cpu_count(),
        "cpu_capability": torch.backends.cpu.get_cpu_capability(),
        "threads": torch.get_num_threads(),
    }


def _git(*arguments: str) -> str | None:
    """What git answers in this file's folder; None if it fails, or is not there."""
    command = ["git", "-C", str(Path(__file__).parent), *arguments]
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return None
