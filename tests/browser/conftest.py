"""A real Chromium that sees pages as their reader does, and that no request leaves the machine from."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, ViewportSize

SIZE: ViewportSize = {"width": 1000, "height": 900}
HERE = ("http://127.0.0.1:", "http://localhost:", "file:", "data:", "blob:", "about:")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    # A hook sees all tests, those of other folders too.
    for item in items:
        if item.path.is_relative_to(Path(__file__).parent):
            item.add_marker(pytest.mark.browser)


# Not for the session: while it lives, playwright's event loop runs in this thread, and no other can. Nor for the
# package: of a folder without __init__.py, which is none, pytest would take the session.
@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """The browser; tests are skipped where there is none."""
    playwright = pytest.importorskip("playwright.sync_api", reason="needs playwright")
    path = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if path is None:
        pytest.skip("needs Chromium; `make browser` installs it")
    with playwright.sync_playwright() as started:
        browser = started.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def tab(chromium: Browser) -> Iterator[Page]:
    """One for a module, since a new one costs Chromium a process; it keeps what it complains of."""
    context = chromium.new_context(viewport=SIZE, accept_downloads=True)
    opened, complaints = context.new_page(), list[str]()
    opened.on("console", lambda told: complaints.append(told.text) if told.type in ("error", "warning") else None)
    opened.on("pageerror", lambda error: complaints.append(str(error)))
    opened.on("request", lambda made: None if made.url.startswith(HERE) else complaints.append(f"asked {made.url}"))
    opened.complaints = complaints  # type: ignore[attr-defined]  # for tests that expect some
    opened.set_default_timeout(30_000)
    yield opened
    context.close()


@pytest.fixture
def page(tab: Page) -> Iterator[Page]:
    """An empty page. Whatever it says in its console as an error fails the test, and so does a request elsewhere."""
    complaints: list[str] = tab.complaints  # type: ignore[attr-defined]
    complaints.clear()
    tab.set_viewport_size(SIZE)
    tab.emulate_media(color_scheme="null", reduced_motion="null")
    yield tab
    tab.goto("about:blank")
    assert not complaints, "\n".join(complaints)
