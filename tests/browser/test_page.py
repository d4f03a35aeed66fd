"""The page at /: type, see the answer and the picture, change a word, share, download."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING
from urllib.parse import quote

import pytest

from readhead.explain.html import read
from readhead.explain.record import Explanation
from tests.serve.running import Running, running
from tests.serve.small_runs import PAIR, QUESTION, trained_once

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

HOSTILE = "<script>document.title='taken'</script><img src=x onerror=\"document.title='taken'\">"


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(trained_once(tmp_path_factory)) as service:
        yield service


def opened(page: Page, served: Running, fragment: str) -> Page:
    """The page at a fragment, with its answer there."""
    page.goto(f"{served.url}/#{fragment}")
    page.wait_for_selector("#result:not(:empty)")
    settled(page)
    return page


def settled(page: Page) -> None:
    """Once nothing is being asked any more."""
    page.wait_for_selector('#picture[aria-busy="false"]')


def field(page: Page, name: str) -> Locator:
    """Where a text is typed."""
    return page.get_by_role("textbox", name=name)


def shown(page: Page, text: str) -> None:
    """Once the picture is of this text; its texts stand above it."""
    page.locator("#picture dl").get_by_text(text, exact=True).wait_for()
    settled(page)


def test_type_a_pair_and_see_its_label(page: Page, served: Running) -> None:
    opened(page, served, "model=pair")
    field(page, "premise").fill(PAIR["premise"])
    field(page, "hypothesis").fill(PAIR["hypothesis"])
    shown(page, PAIR["hypothesis"])
    right = served.ask("/v1/predict?model=pair", PAIR).json
    assert page.inner_text("#result") == f"{right['label']} {100 * right['scores'][right['label']]:.1f} %"


def test_hover_a_word_and_see_its_arcs(page: Page, served: Running) -> None:
    opened(page, served, "model=text&text=A slow and warm little film .")
    figure = page.locator("figure:has(svg.arcs)")
    drawing = figure.locator("svg.arcs >> visible=true").first
    assert drawing.locator("path.own").count() == 0
    drawing.get_by_role("option", name=re.compile("^warm")).hover()
    drawing.locator("path.own").first.wait_for(state="attached")
    assert "warm" in figure.locator(".readout").inner_text()


def test_change_a_word_and_the_picture_changes(page: Page, served: Running) -> None:
    opened(page, served, "model=pair&premise=The baker sings.&hypothesis=A baker sings.")
    picture = page.inner_html("#picture")
    field(page, "hypothesis").fill("A nurse sings.")
    shown(page, "A nurse sings.")
    assert page.inner_html("#picture") != picture
    asked = {"premise": "The baker sings.", "hypothesis": "A nurse sings."}
    assert page.inner_text("#result").startswith(served.ask("/v1/predict?model=pair", asked).json["label"])


def test_what_each_word_adds_is_shown_where_there_is_nothing_else(
    page: Page, served: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    choice, (_, text, _, lm) = page.get_by_label("What each word adds"), served.service.info["models"]
    opened(page, served, "model=text&text=a slow film")
    assert not choice.is_checked() and page.locator("#attribution").count() == 1
    monkeypatch.setitem(text, "attends", False)
    monkeypatch.setitem(lm, "attributable", False)
    page.reload()
    page.wait_for_selector("#picture .attribution-figure")
    assert choice.is_checked()
    page.get_by_label("Model").select_option("lm")
    assert choice.is_hidden() and not choice.is_checked()
    page.wait_for_selector("#result >> text=perplexity")


def test_the_last_of_many_keystrokes_is_answered(page: Page, served: Running) -> None:
    opened(page, served, "model=text&text=a")
    field(page, "text").press_sequentially(" slow film")
    shown(page, "a slow film")
    asked = served.ask("/v1/predict?model=text", {"text": "a slow film"}).json
    assert page.inner_text("#result").startswith(asked["label"])


def test_the_address_holds_what_was_asked(page: Page, served: Running) -> None:
    opened(page, served, "model=rank")
    field(page, "question").fill(QUESTION["question"])
    field(page, "candidates").fill("\n".join(QUESTION["candidates"]))
    page.wait_for_selector(f"#result li >> text={QUESTION['candidates'][2]}")
    settled(page)
    shared, answer = page.url, page.inner_text("#result")
    page.goto("about:blank")
    page.goto(shared)
    page.wait_for_selector("#result li")
    assert page.input_value("#model") == "rank"
    assert field(page, "candidates").input_value().split("\n") == QUESTION["candidates"]
    assert page.inner_text("#result") == answer
    page.evaluate("location.hash = 'model=lm&text=the%20company%20said'")  # a link that is followed
    shown(page, "the company said")
    assert page.inner_text("#result").startswith("perplexity")


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        (HOSTILE, HOSTILE),
        ("a\0b \u202e c", "a␀b \ufffd c"),
        ("half \ud800 a pair", "half \ufffd a pair"),
    ],
    ids=["script", "control-codes", "half-a-surrogate-pair"],
)
def test_hostile_text_is_shown_as_text(page: Page, served: Running, text: str, seen: str) -> None:
    opened(page, served, "model=text&text=a")
    put(page, json.dumps(text))
    shown(page, seen)
    assert page.title() == "readhead"
    assert page.locator("#picture script, #picture img").count() == 0


def test_a_megabyte_of_one_word_is_shown(page: Page, served: Running) -> None:
    opened(page, served, "model=text&text=a")
    put(page, "'word'.repeat(262_144)")
    page.wait_for_selector("#picture dd >> text=/^(word){20}/")
    settled(page)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "and does not widen the page"
    assert page.url.endswith("#model=text"), "a link cannot hold it"
    assert page.get_by_role("button", name="Copy link").is_disabled()


def put(page: Page, expression: str) -> None:
    """A text as if it were typed; playwright's own way is slow for much, and refuses half a surrogate pair."""
    page.evaluate(
        f"""() => {{
            const area = document.querySelector("textarea");
            area.value = {expression};
            area.dispatchEvent(new InputEvent("input", {{ bubbles: true }}));
        }}"""
    )


def test_what_is_refused_is_told(page: Page, served: Running) -> None:
    opened(page, served, "model=text&text=a")
    put(page, "'a '.repeat(2 ** 20 + 1)")
    page.wait_for_selector("#problem:visible")
    assert "longer than the 2,097,152 bytes" in page.inner_text("#problem")
    assert page.inner_text("#result") == ""
    (complaint,) = page.complaints  # type: ignore[attr-defined]
    assert "413" in complaint
    page.complaints.clear()  # type: ignore[attr-defined]
    field(page, "text").fill("a")
    page.wait_for_selector("#problem", state="hidden")


def test_examples_are_a_choice(page: Page, served: Running) -> None:
    opened(page, served, "model=pair")
    page.get_by_label("Example").select_option(index=4)
    assert field(page, "premise").input_value() == "No dog in the park was off its leash."
    page.get_by_label("Model").select_option("rank")
    page.wait_for_selector("#result li")
    assert "puffins" in field(page, "question").input_value()


def test_it_reads_word_by_word_and_goes_on(page: Page, served: Running) -> None:
    opened(page, served, "model=lm&text=the company said")
    page.get_by_role("button", name="Read word by word").click()
    page.wait_for_selector("#words li:nth-child(4)")
    assert "company" in page.inner_text("#words")
    assert "bits" in page.inner_text("#words")
    page.get_by_role("button", name="Go on").click()
    page.wait_for_selector("#words:not(:has-text('bits')) li")  # be it that here the text ends
    page.get_by_label("Model").select_option("pair")
    assert page.get_by_role("button", name="Go on").is_hidden()


def test_the_file_that_is_kept_holds_the_record(page: Page, served: Running) -> None:
    opened(page, served, "&".join(["model=pair", *(f"{name}={quote(text)}" for name, text in PAIR.items())]))
    page.get_by_label("What each word adds").check()
    with page.expect_download() as kept:
        page.get_by_role("button", name="Download").click()
    assert kept.value.suggested_filename == "pair.html"
    explanation = read(kept.value.path().read_text(encoding="utf-8"))
    assert isinstance(explanation, Explanation)
    assert {name: text.text for name, text in explanation.texts.items()} == PAIR
    assert explanation.attribution.keys() == PAIR.keys()


def test_every_control_is_reached_by_keyboard(page: Page, served: Running) -> None:
    opened(page, served, "model=lm&text=the company said")
    reached = []
    for _ in range(12):
        page.keyboard.press("Tab")
        reached.append(page.evaluate("(document.activeElement.labels?.[0] ?? document.activeElement).innerText.trim()"))
    controls = ["Model", "Example", "Text", "What each word adds (slower)", "Read word by word", "Go on"]
    assert reached[:10] == ["To the answer", "The same over HTTP", *controls, "Download as HTML", "Copy link"]
    assert page.evaluate("document.activeElement.closest('#picture') !== null"), "and then the picture's own"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_letters_stand_out_in_both_schemes(page: Page, served: Running, scheme: str) -> None:
    page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    opened(page, served, "model=pair")
    back, ink = page.evaluate(
        "(({backgroundColor, color}) => [backgroundColor, color])(getComputedStyle(document.body))"
    )
    assert (brightness(back) > brightness(ink)) == (scheme == "light")
    assert abs(brightness(back) - brightness(ink)) > 150


def test_the_api_is_tried_from_its_page(page: Page, served: Running) -> None:
    page.goto(f"{served.url}/docs")
    form = page.locator("form.try").first
    form.locator("textarea").fill('{"text": "A slow one.", "model": "text"}')
    form.get_by_role("button", name="Send").click()
    page.wait_for_selector(".sent >> text=/^200/")
    assert '"scores"' in form.locator(".sent").inner_text()


def brightness(color: str) -> float:
    """Of `rgb(r, g, b)`, from 0 to 255."""
    return sum(map(float, color.partition("(")[2].rstrip(")").split(",")[:3])) / 3
