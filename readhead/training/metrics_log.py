"""metrics.jsonl: one JSON object an epoch, cut back to the checkpoint when a run resumes."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any


class MetricsLog:
    """Appends lines; knows its length.

    path: the file; made by the first line.
    """

    def __init__(self, *, path: Path) -> None:
        self.path = path

    def append(self, line: Mapping[str, Any]) -> int:
        """Writes one line through to the disk. Returns the file's length in bytes."""
        with self.path.open("ab") as file:
            file.write(json.dumps(line).encode() + b"\n")
            file.flush()
            os.fsync(file.fileno())
            return file.tell()

    def cut(self, length: int) -> None:
        """Drops what stands behind `length` bytes: epochs that a resumed run will see again."""
        if self.path.exists():
            os.truncate(self.path, length)
