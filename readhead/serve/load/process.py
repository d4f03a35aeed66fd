"""`readhead serve` as a process, begun and ended."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from readhead.errors import InputError

MOST_SECONDS = 30.0  # to end in


@dataclass(frozen=True, slots=True)
class Serving:
    """A process that serves one run.

    pid: of the process.
    port: on 127.0.0.1.
    """

    pid: int
    port: int

    def resident_bytes(self) -> int:
        """The memory that it holds."""
        status = Path(f"/proc/{self.pid}/status").read_text(encoding="ascii")
        found = re.search(r"^VmRSS:\s+(\d+) kB$", status, re.MULTILINE)
        assert found is not None, "a process tells how much memory it holds"
        return 1024 * int(found[1])


@contextmanager
def serving(run: Path, *options: str) -> Iterator[Serving]:
    """Serves a run on a free port while it is entered. options: of `readhead serve`, beside the port.

    Raises: InputError with what it said, if it does not begin.
    """
    command: Sequence[str] = [sys.executable, "-m", "readhead", "serve", f"measured={run}", "--port", "0", *options]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    try:
        assert process.stderr is not None
        said = process.stderr.readline()
        while said and "http://" not in said:
            said = process.stderr.readline()
        address = re.search(r"http://127\.0\.0\.1:(\d+)", said)
        if address is None:
            raise InputError(f"the service did not begin: {said.strip() or 'it said nothing'}")
        yield Serving(process.pid, int(address[1]))
    finally:
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=MOST_SECONDS)
