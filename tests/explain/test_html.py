"""One HTML file: what stands in it, that it is safe, and that it can be read again."""

from __future__ import annotations

import re
from base64 import b64encode
from hashlib import sha256
from html import unescape
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from readhead.errors import InputError
from readhead.explain import html
from readhead.explain.page import LONGEST
from readhead.explain.record import Explanation
from tests.explain.reading_kinds import HOSTILE, KINDS, SAYS, ranking, rewritten, tape
from tests.explain.readings import marked, pair, words
from tests.explain.shown import Outline, expect_shown

ANY_TEXT = st.text(st.characters(codec=None), max_size=30)


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_reading_is_shown(kind: str) -> None:
    expect_shown(KINDS[kind])


@given(ANY_TEXT, ANY_TEXT)
@settings(max_examples=10)
def test_any_text_is_shown(one: str, other: str) -> None:
    expect_shown(pair(words(one), marked(other), truncated=("premise",)))


def policy(page: str) -> dict[str, str]:
    found = re.search(r'Content-Security-Policy" content="([^"]*)"', page)
    assert found
    return dict(part.strip().partition(" ")[::2] for part in unescape(found[1]).split(";"))  # type: ignore[misc]


def digest(source: str) -> str:
    return f"'sha256-{b64encode(sha256(source.encode()).digest()).decode()}'"


def test_its_policy_allows_its_own_style_and_script_and_nothing_else() -> None:
    page = html.document(KINDS["hostile"])
    (style,), (script,) = (
        re.findall("<style>(.*?)</style>", page, re.S),
        re.findall("<script>(.*?)</script>", page, re.S),
    )
    assert policy(page) == {
        "default-src": "'none'",
        "script-src": digest(script),
        "style-src": digest(style),
        "base-uri": "'none'",
        "form-action": "'none'",
    }
    assert script == html.SCRIPT and style.startswith(html.STYLE)


def test_a_text_cannot_add_to_the_page() -> None:
    for kind in ("hostile", "hostile text", "hostile memory", "hostile question", "hostile label"):
        page = html.document(KINDS[kind])
        tags = {tag for tag, _ in Outline(page).seen}
        assert page.count("<script") == 2 and page.count("</script>") == 2 and not tags & {"img", "iframe", "object"}
        assert not [raw for raw in ("\x00", "\x1b", "\u202e", "\u2066", "<!--") if raw in page]
        assert "␛[2J" in page


def test_the_record_is_in_it() -> None:
    page = html.document(KINDS["hostile"])
    again = html.read(page)
    assert isinstance(again, Explanation) and again.texts["premise"].text == HOSTILE
    with pytest.raises(InputError, match="expected a page that `readhead explain --html` wrote"):
        html.read("<html></html>")


def test_a_word_of_a_million_letters_is_shortened() -> None:
    explained = tape(words(f"a {'x' * 1_000_000} b"))
    shown = html.fragment(explained)
    assert len(shown) < 40_000
    assert f"{1_000_004 - LONGEST:,} more characters" in shown
    assert len(html.document(explained)) < 2_100_000  # the record has it twice


def outline_of(explanation: Any) -> Outline:
    return Outline(html.fragment(explanation))


def test_what_is_left_out_is_told() -> None:
    long = "".join(Outline(html.fragment(tape(words("word " * 60 + "end")))).text)
    assert re.search(
        r"Drawn are each word's 3 strongest links from \.05 on: \d+, which carry \d+% of all attention", long
    )
    assert "What a row lacks of 1" not in long
    cut = "".join(outline_of(KINDS["pair"]).text)
    assert "Too long for this reader: it read the first 3 words." in cut
    assert "Of 200 labels the 30 likeliest are drawn; the table has them all." in "".join(
        outline_of(KINDS["many labels"]).text
    )
    many = outline_of(KINDS["many candidates"])
    assert "45 candidates, the likeliest answer first; each opens. The first 20 have pictures." in "".join(many.text)
    assert sum(tag == "details" and "open" in given for tag, given in many.seen) == 1


def test_attention_to_an_empty_place_is_told() -> None:
    read = words("a b")
    some = Explanation({"text": read}, {"text->text": np.array([[0.0, 0.0], [0.5, 0.0]])}, SAYS)
    assert "What a row lacks of 1 went to an empty place before the text." in html.fragment(some)


def test_it_says_that_attention_alone_explains_nothing() -> None:
    assert html.NOT_ALONE in html.fragment(KINDS["pair"])
    assert html.NOT_ALONE not in html.fragment(KINDS["no attention"])
    assert html.RESTS_ON[False] in html.fragment(KINDS["pair"])


def test_signs_that_are_no_words_are_explained() -> None:
    told = html.fragment(pair(marked("a dog"), words("a cat")))
    assert "∅ = no word: what matches nothing can look there.</p>" in told
    assert "no word:" not in html.fragment(pair(words("a ∅ dog"), words("a cat"))), "there it is one of the text's own"


def test_arcs_that_all_lead_back_are_said_to() -> None:
    back = "An arc joins a word and one that it looks at, always before it."
    assert back in html.fragment(tape(words("one two three")))
    assert back not in html.fragment(pair(words("two dogs"), words("dogs")))


def test_words_can_be_visited_by_keyboard_and_heard() -> None:
    outline = outline_of(tape(words("one two three")))
    options = [given for tag, given in outline.seen if given.get("role") == "option"]
    assert [given["tabindex"] for given in options] == ["0", "-1", "-1"] * 2  # for a wide page and a narrow one
    assert options[0]["aria-label"] == "one: no strong link"
    assert options[1]["aria-label"] == "two: one 1.0"
    cells = [given for tag, given in outline_of(KINDS["pair"]).seen if given.get("role") == "gridcell"]
    assert [given["tabindex"] for given in cells].count("0") == 2  # grids
    assert all(re.fullmatch(r"\S+ → \S+: \d\.\d\d", str(given["aria-label"])) for given in cells)


def test_every_picture_with_numbers_has_them_as_a_table() -> None:
    for kind in ("pair", "tape", "rewritten", "attributed", "surprise", "shared"):
        figures = re.findall("<figure.*?</figure>", html.fragment(KINDS[kind]), re.S)
        assert figures and all("<table>" in figure or 'class="reading-figure"' in figure for figure in figures)


def test_a_reading_can_be_stepped_through() -> None:
    shown = html.fragment(rewritten(words("a small dog")))
    assert 'data-steps="3"' in shown and 'max="3" value="3"' in shown
    slots = re.findall(r'data-word="(\w+)" data-writes="([\d ]*)"', shown)
    assert [word for word, _ in slots] == ["a", "small", "dog"]
    assert sorted(step for _, writes in slots for step in writes.split()) == ["0", "1", "2"]


def test_a_ranking_has_its_order_and_each_candidates_pictures() -> None:
    outline = outline_of(ranking("who came ?", "a dog", "nobody"))
    text = "".join(outline.text)
    assert text.index("0.67 nobody") < text.index("0.33 a dog")
    ids = [given["id"] for _, given in outline.seen if "id" in given]
    assert "candidate-1-attention-question-candidate" in ids and "candidate-2-attention-question-candidate" in ids


def test_headings_begin_where_they_are_told_to() -> None:
    assert "<h4>" in html.fragment(KINDS["tape"], level=4) and "<h2>" not in html.fragment(KINDS["tape"], level=4)
