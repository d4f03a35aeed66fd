"""What the pages are built with: equations, docstrings, figures, and that nothing is loaded from elsewhere."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("sphinx")

import docstrings
import figures
import mathml
import offline

ROOT = Path(__file__).parents[2]


def test_an_accent_stands_on_its_letter_and_the_index_beside_it() -> None:
    made = mathml.mathml(r"\tilde{h}_t", block=False)
    assert "munderover" not in made
    assert made.index("<msub>") < made.index("<mover") < made.index("~") < made.index(">t<")


def test_a_sum_keeps_its_limits() -> None:
    assert "munderover" in mathml.mathml(r"\sum_{i=1}^{t-1} s_i", block=True)


def test_tex_that_cannot_be_drawn_is_told() -> None:
    with pytest.raises(Exception, match=r"\\unheardof"):
        mathml.mathml(r"\unheardof{x}", block=True)


def test_a_docstring_becomes_prose_equations_and_items() -> None:
    said = """Reads by *_one_* step.

    h_t = o_t ⊙ tanh(c_t)

    inputs: [B, T], for
        each token.
    note: this is prose.

    Returns [B, T].
    Raises: InputError if it can't.
    """
    assert docstrings.as_rst(said, {"inputs"}) == [
        r"Reads by \*\_one\_\* step.",
        "",
        "::",
        "",
        "    h_t = o_t ⊙ tanh(c_t)",
        "",
        "",
        "- ``inputs``: [B, T], for",
        "  each token.",
        "  note: this is prose.",
        "",
        "",
        "- *Returns* [B, T].",
        "- *Raises* InputError if it can't.",
        "",
    ]


def test_a_table_of_figures_says_what_is_partial_and_what_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "ptb").mkdir()
    measured = '{"metrics": {"perplexity": {"mean": 144.26}}, "paper": {"perplexity": 115}, "epochs": [3.124], '
    (tmp_path / "ptb" / "lstm@0a.json").write_text(measured + '"complete": false, "partial": "cut"}')
    monkeypatch.setattr(figures, "RESULTS", tmp_path)
    _, _, found, missing = figures.recipe_table(["ptb/lstm", "ptb/none"], [])
    assert found == "| `ptb/lstm` | 3.1 | 144.3 | 115 | partial |"
    assert list(figures.reasons(["ptb/lstm", "ptb/none"])) == ["- partial, `ptb/lstm`: cut"]
    assert missing == "| `ptb/none` | – | – | – | not measured yet |"


@pytest.mark.parametrize(
    "loads",
    [
        '<script async src="https://elsewhere.example/x.js">',
        '<link rel="stylesheet" href="//elsewhere.example/x.css">',
        "@font-face { src: url(https://elsewhere.example/x.woff) }",
        "<img alt='a' src='https://elsewhere.example/x.png'>",
    ],
)
def test_what_is_loaded_from_elsewhere_is_seen(loads: str) -> None:
    assert list(offline.loaded_from_elsewhere(loads))


def test_a_link_to_follow_is_no_loading() -> None:
    assert not list(offline.loaded_from_elsewhere('<a href="https://elsewhere.example">x</a> <script src="x.js">'))


@pytest.mark.slow
def test_the_pages_are_built_without_a_warning(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "sphinx", "-E", "-W", "--keep-going", "-n", "-q", ROOT / "docs", tmp_path]
    built = subprocess.run(command, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stderr
