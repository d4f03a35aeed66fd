from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from readhead.explain.printable import isolate, pad, shorten, visible, wrap

ANY_TEXT = st.text(st.characters(codec=None))


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("plain, with don't", "plain, with don't"),
        ("a\x00b", "a␀b"),
        ("\x1b[31mred", "␛[31mred"),
        ("one\rtwo\nthree\tfour", "one␍two␊three␉four"),
        ("\x7f", "␡"),
        ("\x9b31m", "�31m"),  # the one-character form of ESC [
        ("a\u202eb\u2066c", "a�b�c"),  # an override, an isolate
        ("\ud800", "�"),  # half a surrogate pair can't be written to a terminal
        ("日本", "日本"),
        ("שלום", "שלום"),
        ("👨\u200d👩\u200d👧", "👨\u200d👩\u200d👧"),
        ("\u200d👧", "�👧"),
        ("\u0301e", "◌\u0301e"),
        ("e\u0301", "e\u0301"),
    ],
)
def test_what_acts_on_a_terminal_is_shown_instead(text: str, seen: str) -> None:
    assert visible(text) == seen


@given(ANY_TEXT)
def test_nothing_visible_acts_and_seeing_twice_is_seeing_once(text: str) -> None:
    seen = visible(text)
    assert not {unicodedata.category(c) for c in seen} & {"Cc", "Cs", "Zl", "Zp"}
    assert visible(seen) == seen
    seen.encode("utf-8")


@given(ANY_TEXT, st.integers(1, 12))
def test_padded_is_exactly_as_wide_as_asked(text: str, width: int) -> None:
    assert cell_len(pad(visible(text), width)) == width


@pytest.mark.parametrize(
    ("text", "short"),
    [("guitar", "guitar"), ("guitars", "guita…"), ("日本語", "日本語"), ("日本語文", "日本…")],
)
def test_shorten_counts_cells(text: str, short: str) -> None:
    assert shorten(text, 6) == short


def test_right_to_left_text_is_isolated() -> None:
    assert isolate("שלום!") == "\u2068שלום!\u2069"
    assert isolate("peace!") == "peace!"
    assert cell_len(isolate("שלום")) == 4


def test_wrap_cuts_between_words_and_inside_long_ones() -> None:
    assert wrap("one two three", 8) == ["one two", "three"]
    assert wrap("one antidisestablish two", 8) == ["one", "antidise", "stablish", "two"]
    assert wrap("日本語日本語 a", 6) == ["日本語", "日本語", "a"]
    assert wrap(" \u3000 ", 8) == []


@given(ANY_TEXT, st.integers(6, 30))
def test_wrapped_lines_fit_and_lose_nothing(text: str, width: int) -> None:
    seen = visible(text)
    lines = wrap(seen, width)
    assert all(cell_len(line) <= width for line in lines)
    assert "".join("".join(lines).split()) == "".join(seen.split())
