"""The one HTML file in a real browser: from a file, so that nothing could be loaded even if it wanted."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from readhead.explain import html
from readhead.explain.ranking import RankingExplained
from readhead.explain.record import Explanation
from tests.explain.reading_kinds import HOSTILE, KINDS, rewritten, shared, tape
from tests.explain.readings import pair, words

if TYPE_CHECKING:
    from playwright.sync_api import Page

Open = Callable[..., "Page"]


@pytest.fixture
def opened(page: Page, tmp_path: Path) -> Open:
    """Opens the file of an explanation."""

    def go(explained: Explanation | RankingExplained, *, width: int = 1000) -> Page:
        file = tmp_path / "why.html"
        file.write_text(html.document(explained), encoding="utf-8")
        page.set_viewport_size({"width": width, "height": 900})
        page.emulate_media(reduced_motion="reduce")
        page.goto(file.as_uri())
        return page

    return go


def links_in_front(page: Page, kind: str) -> list[str]:
    """The words that the links which are lit lead to."""
    told: list[str] = page.evaluate(
        f"[...document.querySelectorAll('svg.arcs .front path.{kind}')].filter(e => e.getClientRects().length)"
        ".map(e => e.dataset.c)"
    )
    return told


def test_focus_a_word_and_see_its_arcs(opened: Open) -> None:
    page = opened(tape(words("the dog that barked slept")))
    word = page.get_by_role("option", name=re.compile("^barked: ")).first
    assert links_in_front(page, "own") == []
    word.focus()
    own = links_in_front(page, "own")
    assert own and set(own) <= {"0", "1", "2"}
    assert page.locator("figure:has(svg.arcs) .readout").inner_text() == word.get_attribute("aria-label")
    page.keyboard.press("ArrowRight")
    told = page.evaluate("document.activeElement.getAttribute('aria-label')")
    assert told.startswith("slept: ")
    page.keyboard.press("Home")
    assert links_in_front(page, "own") == [] and links_in_front(page, "back"), "the first looks at none, others at it"
    page.keyboard.press("Tab")
    assert links_in_front(page, "back") == [], "left alone, it is as before"


def test_point_at_a_word_and_see_its_arcs(opened: Open) -> None:
    page = opened(tape(words("the dog that barked slept")))
    page.get_by_role("option", name=re.compile("^that: ")).first.hover()
    assert links_in_front(page, "own")
    page.mouse.move(0, 0)
    assert links_in_front(page, "own") == []
    assert "Point at a word" in page.locator("figure:has(svg.arcs) .readout").inner_text()


def test_words_below_are_reached_by_arrows(opened: Open) -> None:
    page = opened(tape(words("word " * 30 + "end")), width=400)
    options = page.locator("[role=option]:visible")
    options.first.focus()
    page.keyboard.press("ArrowDown")
    place = int(page.evaluate("document.activeElement.dataset.w"))
    assert 1 < place < 15
    page.keyboard.press("ArrowUp")
    assert page.evaluate("document.activeElement.dataset.w") == "0"
    page.keyboard.press("End")
    assert page.evaluate("document.activeElement.dataset.w") == "30"


def test_a_cell_lights_its_row_and_its_column(opened: Open) -> None:
    page = opened(pair(words("two dogs bark"), words("dogs sleep")))
    page.get_by_role("gridcell").first.focus()
    for key in ("ArrowDown", "ArrowRight"):
        page.keyboard.press(key)
    assert page.evaluate("document.activeElement.getAttribute('aria-label')").startswith("dogs → sleep: ")
    heads = page.locator("svg.grid.lit .own.head, svg.grid.lit .row.own .head")
    assert sorted(heads.all_text_contents()) == ["dogs", "sleep"]


def test_a_reading_is_stepped_through(opened: Open) -> None:
    page = opened(rewritten(words("a small dog barked")))
    figure = page.locator("figure[data-steps]")
    now, readout = figure.locator("svg:visible .now"), figure.locator(".readout")
    assert now.text_content() == "barked" and readout.inner_text().startswith("4 of 4: barked")
    figure.get_by_role("button", name="Back").click()
    assert now.text_content() == "dog" and readout.inner_text().startswith("3 of 4: dog")
    figure.get_by_role("slider").fill("1")
    assert now.text_content() == "a"
    held = figure.locator(".slots li").all_text_contents()
    assert sorted(map(len, held))[-1] > len("barked") and sum("(" in one for one in held) == 1, "one was written"
    assert figure.get_by_role("slider").get_attribute("aria-valuetext") == readout.inner_text()
    page.keyboard.press("ArrowRight")
    assert now.text_content() == "small"
    figure.get_by_role("button", name="Play").click()
    assert figure.get_by_role("button", name="Pause").is_visible() and now.text_content() == "dog"
    figure.get_by_role("button", name="Pause").click()
    figure.get_by_role("button", name="On").click()
    figure.get_by_role("button", name="On").click()
    assert now.text_content() == "barked", "there is no more"


def test_the_end_of_a_reading_is_where_it_began(opened: Open) -> None:
    page = opened(shared(words("two dogs bark"), words("dogs sleep")))
    drawn = (
        "[...document.querySelectorAll('svg.reading rect, .slots li')].map(e => e.outerHTML.replace(' class=\"\"', ''))"
    )
    before = page.evaluate(drawn)
    figure = page.locator("figure[data-steps]")
    for name in ("Back", "On"):
        figure.get_by_role("button", name=name).click()
    changed = [(a, b) for a, b in zip(before, page.evaluate(drawn), strict=True) if a != b]
    assert not [one for one in changed if _numbers(one[0]) != _numbers(one[1])], changed[:2]


def _numbers(markup: str) -> list[float]:
    return [float(number) for number in re.findall(r"\d*\.?\d+", markup)]


@pytest.mark.parametrize("kind", ["hostile", "hostile text", "hostile memory", "hostile question", "hostile label"])
def test_hostile_text_is_text(opened: Open, kind: str) -> None:
    page = opened(KINDS[kind])
    assert page.evaluate("document.scripts.length") == 2
    assert "</script><script>alert(1)</script>" in page.inner_text("body")
    again = html.read(page.content())
    assert HOSTILE in again.to_json().encode().decode("unicode_escape") or HOSTILE in str(again)


@pytest.mark.parametrize("width", [360, 1200])
def test_it_fits_every_page(opened: Open, width: int) -> None:
    for kind in ("pair", "rewritten", "many labels", "languages"):
        page = opened(KINDS[kind], width=width)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        shown = page.evaluate(
            "[...document.querySelectorAll('.roomy, .tight')].map(e => [e.className, e.checkVisibility()])"
        )
        assert all(visible == (("roomy" in name) == (width == 1200)) for name, visible in shown if visible)


def test_without_script_it_is_a_still_page(chromium: object, tmp_path: Path) -> None:
    file = tmp_path / "why.html"
    file.write_text(html.document(rewritten(words("a small dog barked"))), encoding="utf-8")
    context = chromium.new_context(java_script_enabled=False)  # type: ignore[attr-defined]
    page = context.new_page()
    page.goto(file.as_uri())
    assert page.locator("svg.reading:visible .now").text_content() == "barked"
    assert not page.get_by_role("button", name="Play").is_visible()
    assert page.get_by_text("The same as a table").count() == 3
    context.close()


def test_a_long_text_answers_at_once(opened: Open) -> None:
    page = opened(tape(words("word " * 399 + "end")))
    page.locator("[role=option]:visible").first.scroll_into_view_if_needed()
    spent = page.evaluate(
        """() => [...document.querySelectorAll("[role=option]")].filter(e => e.getClientRects().length)
             .filter((_, place) => place % 8 === 0).map(word => {
               const start = performance.now();
               word.dispatchEvent(new PointerEvent("pointerover", { bubbles: true }));
               word.getBoundingClientRect();
               return performance.now() - start;
             }).sort((a, b) => a - b)"""
    )
    assert spent[len(spent) // 2] < 50, "milliseconds, of the middle one: the machine has other things to do"
