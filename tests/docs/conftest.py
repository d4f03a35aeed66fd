"""A folder in which pages are run, and what they are run by."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.docs.pages import ROOT, Block
from tests.docs.shell import TUTORIAL, Shell, warm_shell

sys.path.insert(0, str(ROOT / "docs" / "_ext"))  # what the pages are built with


RunPage = Callable[[Path], dict[Block, str]]


@pytest.fixture(scope="session")
def shell(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shell]:
    with warm_shell(tmp_path_factory.mktemp("bin")) as shell:
        yield shell


@pytest.fixture(scope="session")
def tutorial(shell: Shell, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[Block, str]]:
    """The folder that the tutorial leaves behind, and what its blocks printed; other pages go on from a copy."""
    folder = tmp_path_factory.mktemp("tutorial")
    return folder, shell.run_page(TUTORIAL, folder, folder)


@pytest.fixture
def run_page(shell: Shell, tutorial: tuple[Path, dict[Block, str]], tmp_path: Path) -> RunPage:
    """Runs a page's blocks in a folder of its own. Gives what each printed."""
    folder, printed = tutorial
    return lambda page: printed if page == TUTORIAL else shell.run_page(page, tmp_path, folder)
