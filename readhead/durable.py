"""Files that are whole or absent, whatever happens while they are written; and what a broken one is."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any


def write(path: Path, data: bytes) -> None:
    """Writes beside, flushes to the disk, renames, flushes the folder: a kill leaves the old file or the new one.

    Raises: OSError when the disk is full or the folder read-only; the old file then still stands.
    """
    beside = path.with_name(path.name + ".part")
    with beside.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    beside.replace(path)
    _flush_folder(path.parent)


def write_text(path: Path, text: str) -> None:
    """`write` for text, as UTF-8."""
    write(path, text.encode("utf-8"))


def write_json(path: Path, value: Any) -> None:
    """`write` for a JSON value, indented, with a final newline."""
    write_text(path, json.dumps(value, indent=2, ensure_ascii=False) + "\n")


def why_no_safetensors(path: Path, error: Exception) -> str:
    """What to tell of a file that safetensors could not open, which is what `error` says.

    To be asked only then: a sound file begins with its header's length, which may look like a pickle's beginning.
    """
    with path.open("rb") as file:
        begins = file.read(2)
    if begins in (b"PK", b"\x80\x02", b"\x80\x03", b"\x80\x04", b"\x80\x05"):
        return "this is a pickle, which can run code when opened; expected safetensors"
    return f"the file is damaged or cut short: {error}"


def _flush_folder(folder: Path) -> None:
    # A rename is durable only once the folder that holds the name has reached the disk.
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
