"""The judges of pages: what counts as the same output, and which blocks a page has."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.docs.pages import blocks, given
from tests.docs.shown import differences


@pytest.mark.parametrize(
    ("shown", "printed"),
    [
        ("accuracy 0.96 [0.91, 1.00]", "accuracy   1.0 [0.9, 1.0]"),
        ("▸ repair    0.70  ████▏", "▸ repair 1.00 ██████"),
        ("░the−.09 █came+.58", "▒the+.12 ▓came−.4"),
        ("first\n…\nlast", "first\na\nb\nlast"),
        ("first\n…", "first\na"),
        ("…\nlast", "a\nlast"),
        ("epoch 1\n…\nepoch 30\nend", "epoch 1\nepoch 2\nepoch 3\nepoch 30\nend"),
        ("a\n…\nc\nd\n…\nz", "a\nb\nc\nx\nc\nd\ny\nz"),
        ("a\n…\nb", "a\nb"),
    ],
)
def test_numbers_bars_and_what_is_left_out_may_differ(shown: str, printed: str) -> None:
    assert not differences(shown, printed)


@pytest.mark.parametrize(
    ("shown", "printed"),
    [
        ('{"label": "repair"}', '{"label": "refund"}'),
        ("  came   █ chain .82  ░ the .16", "  came   ▓ chain .55"),
        ("first", "first\nmore"),
        ("first\nsecond", "first"),
        ("first\n…\nlast", "first\na"),
        ("a\n…\nc\n…\nz", "a\nb\nz"),
        ("a\n…\na", "a"),
        ("epoch 1: dev accuracy 0.4", "epoch 1: dev perplexity 0.4"),
    ],
)
def test_words_and_lines_may_not(shown: str, printed: str) -> None:
    assert differences(shown, printed)


def test_a_page_is_cut_into_blocks(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        "<!-- given: tutorial, corpora -->\n```sh\nreadhead doctor\n```\n\n```text\nfine\n```\n"
        "Prose.\n\n```text\nno output\n```\n\n"
        "```{code-block} python\n:caption: made.py\nprint(1)\n```\n"
        "<!-- exits with 2 -->\n```sh\nfalse\n```\n<!-- not run: no network -->\n```python\nimport x\n```\n",
        encoding="utf-8",
    )
    ran, made, failing, left = blocks(page)
    assert given(page) == ["tutorial", "corpora"]
    assert (ran.text, ran.shown and ran.shown.text) == ("readhead doctor\n", "fine\n")
    assert (made.file, made.text, made.shown) == ("made.py", "print(1)\n", None)
    assert (failing.status, failing.why_not) == (2, "")
    assert (left.language, left.why_not) == ("python", "no network")
