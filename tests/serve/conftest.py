"""Runs of every task, served once for all tests here."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.serve.running import Running, running
from tests.serve.small_runs import trained_once


@pytest.fixture(scope="session")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    return trained_once(tmp_path_factory)


# Not for the session: while it serves, an event loop lives in this process, and other tests set the clock.
@pytest.fixture(scope="module")
def served(runs: dict[str, Path]) -> Iterator[Running]:
    """All four runs."""
    with running(runs) as service:
        yield service
