"""Runs the blocks of a page, in a shell whose `readhead` and `python` start at once."""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.docs.pages import ROOT, Block, blocks, given
from tests.docs.warm import CALLER

FIXTURES = ROOT / "tests" / "fixtures"
TUTORIAL = ROOT / "docs" / "tutorial.md"
SECONDS = 300.0


@dataclass(frozen=True, slots=True)
class Shell:
    """A shell in a folder.

    programs: the folder that its `readhead` and `python` lie in.
    """

    programs: Path

    def run(self, block: Block, folder: Path) -> str:
        """Runs a block in a folder. Returns what it printed, to both streams."""
        command = block.text
        if block.language == "python":
            (folder / "snippet.py").write_text(block.text, encoding="utf-8")
            command = "python snippet.py"
        ran = subprocess.run(
            ["bash", "-c", "set -euo pipefail\n" + command],
            cwd=folder,
            env={"PATH": f"{self.programs}:/usr/bin:/bin", "HOME": str(folder)},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=SECONDS,
            check=False,
        )
        assert ran.returncode == block.status, f"{block.text}\nended with {ran.returncode}:\n{ran.stdout}"
        return ran.stdout

    def run_page(self, page: Path, folder: Path, tutorial: Path) -> dict[Block, str]:
        """Runs a page's blocks, one after the other. Returns what each printed.

        folder: where, empty as yet.
        tutorial: the folder that the tutorial left behind, for pages that go on from it.
        """
        for name in given(page):
            _lay_out(name, folder, tutorial)
        printed: dict[Block, str] = {}
        for block in blocks(page):
            if block.file:
                (folder / block.file).write_text(block.text, encoding="utf-8")
            elif not block.why_not:
                printed[block] = self.run(block, folder)
        return printed


@contextmanager
def warm_shell(programs: Path) -> Iterator[Shell]:
    """A shell, and the process behind its programs as long as it is used.

    programs: an empty folder.
    """
    address = programs / "warm"
    for program in ("readhead", "python"):
        caller = programs / program
        caller.write_text(CALLER.format(python=sys.executable, address=str(address), program=program))
        caller.chmod(0o755)
    with subprocess.Popen([sys.executable, "-m", "tests.docs.warm", str(address)], cwd=ROOT) as warm:
        try:
            until = time.monotonic() + SECONDS
            while not address.exists() and time.monotonic() < until and warm.poll() is None:
                time.sleep(0.05)
            assert address.exists(), "tests/docs/warm.py has not come up"
            yield Shell(programs)
        finally:
            warm.kill()


def _lay_out(name: str, folder: Path, tutorial: Path) -> None:
    """Puts what a page is given into its folder."""
    if name == "tutorial":
        shutil.copytree(tutorial, folder, dirs_exist_ok=True)
    elif name == "corpora":
        shutil.copytree(FIXTURES / "corpora", folder / "corpora")
    else:
        shutil.copy(FIXTURES / "own" / name, folder)
