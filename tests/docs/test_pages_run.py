"""Every command and every piece of Python in README and docs is run, and what they are said to print is printed."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.docs.conftest import RunPage
from tests.docs.pages import PAGES, ROOT, RUN, blocks
from tests.docs.shown import differences

README = ROOT / "README.md"  # its blocks are run by test_readme_runs.py
WITH_BLOCKS = [page for page in PAGES if page != README and blocks(page)]

NOT_RUN = {
    "corpora": ["there is no such mirror"],
    "export": ["the tutorial has run it"],
    "share": ["it needs a hub and an account there"],
}
"""By page, why its blocks that are not run are not."""


@pytest.mark.parametrize("page", WITH_BLOCKS, ids=lambda page: page.stem)
def test_a_page_runs_and_prints_what_it_shows(page: Path, run_page: RunPage) -> None:
    for block, printed in run_page(page).items():
        told = differences(block.shown.text, printed) if block.shown else ""
        assert not told, f"{page.name}: {block.text}\n{told}\n\nall it prints:\n{printed}"


def test_what_is_not_run_is_known() -> None:
    told = {page.stem: [block.why_not for block in blocks(page) if block.why_not] for page in WITH_BLOCKS}
    assert {page: reasons for page, reasons in told.items() if reasons} == NOT_RUN


def test_there_are_pages_that_run() -> None:
    assert sum(block.language in RUN for page in WITH_BLOCKS for block in blocks(page)) > 30
