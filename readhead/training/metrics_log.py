"""metrics.jsonl: one JSON object an epoch, cut back to the checkpoint when a run resumes."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from readhead.errors import InputError


class MetricsLog:
    """Appends lines; knows its length.

    path: the file; made by the first line.
    """

    def __init__(self, *, path: Path) -> None:
        self.path = path

    def append(self, line: Mapping[str, Any]) -> int:
        """Writes one line through to the disk. Returns the file's length in bytes."""
        # JSON has no word for what is not finite.
        sayable = {k: None if isinstance(v, float) and not math.isfinite(v) else v for k, v in line.items()}
        with self.path.open("ab") as file:
            file.write(json.dumps(sayable, allow_nan=False).encode() + b"\n")
            file.flush()
            os.fsync(file.fileno())
            return file.tell()

    def cut(self, length: int) -> None:
        """Drops what stands behind `length` bytes: epochs that a resumed run will see again.

        Raises: InputError when the file is shorter than that.
        """
        there = self.path.stat().st_size if self.path.exists() else 0
        if there < length:
            raise InputError(f"expected at least {length} bytes, as the checkpoint says; found {there}", file=self.path)
        if there > length:
            os.truncate(self.path, length)
