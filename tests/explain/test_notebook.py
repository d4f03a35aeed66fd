"""An explanation in a notebook's cell: what stands in it, escaped and bounded."""

from __future__ import annotations

import re

import numpy as np

from readhead.explain.notebook import MOST, fragment
from readhead.explain.record import Explanation, Relevance, Surprise
from tests.explain.reading_kinds import KINDS, attributed, ranking
from tests.explain.readings import marked, pair, words


def test_every_weight_is_a_shade_and_a_number() -> None:
    premise, hypothesis = words("a dog"), marked("cats")
    weights = np.array([[0.25, 0.75], [0.0, 1.0]])
    html = fragment(Explanation({"p": premise, "h": hypothesis}, {"p->h": weights}, Relevance(0.5)))
    cells = re.findall(r'<td title="([^"]*)"[^>]*rgba\([\d, ]+, ([\d.]+)\)[^>]*>([\d.]*)</td>', html)
    assert cells == [
        ("a → ∅: 0.250", "0.25", ".25"),
        ("a → cats: 0.750", "0.75", ".75"),
        ("dog → ∅: 0.000", "0.00", ""),
        ("dog → cats: 1.000", "1.00", "1.00"),
    ]
    assert "right with probability" in html


def test_a_text_cannot_add_to_the_page() -> None:
    evil = words('<script>alert("1")</script> "onload=x\u202e')
    html = fragment(pair(evil, words("'>"), truncated=("premise",)))
    assert "<script" not in html
    assert '"onload' not in html
    assert "\u202e" not in html
    assert "&lt;script&gt;" in html
    assert "too long: the first 2 words were read" in html


def test_of_a_long_text_the_beginning_is_drawn() -> None:
    html = fragment(pair(words("word " * 300 + "end"), words("one")))
    assert f"of 301 words, the first {MOST} are shown" in html
    assert html.count("<td title") == MOST + MOST + MOST * MOST  # to the other text, from it, and within
    assert len(html) < 400_000


def test_surprise_is_a_shade_behind_each_word() -> None:
    html = fragment(Explanation({"text": marked("a dog")}, {}, Surprise(8.0, (2.0, 4.0))))
    assert re.findall(r'<span title="([\d.]+ bits)" style="background: rgba\([\d, ]+, ([\d.]+)\)', html) == [
        ("2.0 bits", "0.50"),
        ("4.0 bits", "1.00"),
    ]
    assert "perplexity 8.0" in html


def test_an_attribution_is_a_shade_of_either_colour() -> None:
    html = attributed(words("never good"), [-0.5, 1.0])._repr_html_()
    found = re.findall(r'title="([^"]*) bits" style="background: rgba\((\d+), \d+, \d+, ([\d.]+)\)', html)
    assert found == [("-0.50", "166", "0.50"), ("+1.00", "31", "1.00")]


def test_a_ranking_is_its_order() -> None:
    html = ranking("who ?", "a dog", "nobody")._repr_html_()
    assert html.index("nobody") < html.index("a dog") and "0.67" in html
    assert "… and 5 more" in KINDS["many candidates"]._repr_html_()
    assert "<script" not in KINDS["hostile question"]._repr_html_()
