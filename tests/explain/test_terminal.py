from __future__ import annotations

import io
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import Console

from readhead.explain.record import Answer, Explanation, Relevance, TextRead
from readhead.explain.terminal import MOST_ROWS, MOST_TEXT_LINES, render, show
from tests.explain.reading_kinds import KINDS, attributed, ranking, rewritten
from tests.explain.readings import SCORES, marked, pair, soft, words

ANY_TEXT = st.text(st.characters(codec=None), max_size=30)

SMALL = Explanation(
    {"premise": marked("two dogs bark"), "hypothesis": words("animals sleep")},
    {
        "premise->hypothesis": np.array([[0.5, 0.5], [0.3, 0.7], [0.96, 0.04], [0.0, 1.0]]),
        "hypothesis->premise": np.array([[0.1, 0.0, 0.9, 0.0], [0.25, 0.25, 0.01, 0.49]]),
        "hypothesis->hypothesis": np.array([[0.2, 0.8], [1.0, 0.0]]),
    },
    Answer("entailment", SCORES),
    truncated=("hypothesis",),
)

WIDE = """\
premise     two dogs bark
hypothesis  animals sleep
            (too long for this reader: it read the first 2 words)

▸ entailment     0.75  ██████████████████████████████
  neutral        0.20  ████████
  contradiction  0.05  ██

premise → hypothesis: where each word of the premise looks
        animals sleep
  ∅     ▓.50    ▓.50
  two   ▒.30    ▓.70
  dogs  █.96    ·
  bark  ·       █1.0

hypothesis → premise: where each word of the hypothesis looks
           ∅    two  dogs bark
  animals  ░.10 ·    █.90 ·
  sleep    ▒.25 ▒.25 ·    ▒.49

hypothesis → hypothesis: where each word looks in its own text
  animals  █ sleep .80  ░ animals .20
  sleep    █ animals 1.0

░ from .05, ▒ from .25, ▓ from .50, █ from .75
∅ = no word: what matches nothing can look there
"""


def attention_lines(explanation: Explanation, name: str, *, width: int) -> list[str]:
    """The lines below a matrix's title."""
    rendered = render(explanation, width=width, colour=False)
    section = rendered.split(name.replace("->", " → ") + ":")[1].split("\n\n")[0]
    return [line for line in section.splitlines()[1:] if line.startswith("  ")]


def test_a_small_pair_in_eighty_columns() -> None:
    assert render(SMALL, width=80, colour=False) == WIDE


def test_a_narrower_grid_drops_its_numbers_and_a_narrow_one_becomes_links() -> None:
    narrow = pair(words("a b c d e f"), words("a b c d e f"))
    assert attention_lines(narrow, "premise->hypothesis", width=34)[0] == "     a    b    c    d    e    f"
    assert attention_lines(narrow, "premise->hypothesis", width=33)[0] == "     a  b  c  d  e  f"
    assert re.fullmatch(r"  a  [░▒▓█] \w \.\d\d.*", attention_lines(narrow, "premise->hypothesis", width=21)[0])


def test_links_are_the_strongest_first() -> None:
    text = words("one two three four five")
    row = [0.3, 0.02, 0.4, 0.07, 0.21]
    within = Explanation({"text": text}, {"text->text": np.array([row] * 5)}, Answer("yes", {"yes": 1.0}))
    assert attention_lines(within, "text->text", width=80)[0] == "  one    ▒ three .40  ▒ one .30  ░ five .21"
    assert attention_lines(within, "text->text", width=34)[1] == "  two    ▒ three .40  ▒ one .30"


def test_an_even_spread_still_shows_where_it_is_highest() -> None:
    text = words(" ".join("abcdefghijklmnopqrstuvwxyz"))
    even = Explanation({"text": text}, {"text->text": np.full((26, 26), 1 / 26)}, Answer("yes", {"yes": 1.0}))
    assert attention_lines(even, "text->text", width=80)[25] == "  z  · a .04"


def test_colour_changes_the_look_and_nothing_else() -> None:
    coloured = render(SMALL, width=80, colour=True)
    assert "\x1b[" in coloured
    plain = re.sub(r"\x1b\[[\d;]*m", "", coloured)
    assert [line.rstrip() for line in plain.splitlines()] == WIDE.splitlines()


def test_it_depends_on_nothing_but_its_arguments(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"COLUMNS": "30", "NO_COLOR": "1", "FORCE_COLOR": "1", "TERM": "dumb"}.items():
        monkeypatch.setenv(name, value)
    assert render(SMALL, width=80, colour=False) == WIDE


def test_show_prints_the_same_on_a_console() -> None:
    file = io.StringIO()
    show(SMALL, Console(file=file, width=80, color_system=None))
    assert file.getvalue() == WIDE


def test_markup_emoji_codes_and_escape_sequences_are_shown_as_text() -> None:
    hostile = words("[bold]x[/bold] :smile: \x1b]0;owned\x07 \x1b[2J end\r")
    rendered = render(pair(hostile, hostile), width=80, colour=False)
    assert "[bold]x[/bold] :smile: ␛]0;owned␇ ␛[2J end␍" in rendered
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]", rendered)


def test_wide_and_right_to_left_words_keep_the_columns_straight() -> None:
    texts = {"a": words("日本 שלום 👍 dog"), "b": words("猫 كلب x")}
    mixed = Explanation(texts, {"a->b": np.full((4, 3), 0.3)}, Answer("yes", {"yes": 1.0}))
    head, *rows = attention_lines(mixed, "a->b", width=80)
    assert head == "        猫   \u2068كلب\u2069  x"
    assert {cell_len(row[: row.index("▒")]) for row in rows} == {8}
    assert {cell_len(row) for row in rows} == {8 + 3 * 4 + 2}
    assert rows[1].startswith("  \u2068שלום\u2069  ▒")


def test_texts_without_a_word() -> None:
    empty = render(pair(words(""), marked("")), width=80, colour=False)
    assert "premise     (empty)\nhypothesis  (empty)\n" in empty
    assert "hypothesis → premise: where each word of the hypothesis looks\n  (no words)\n" in empty


def test_a_reader_without_attention_shows_text_and_answer() -> None:
    plain = Explanation({"text": words("one two")}, {}, Answer("yes", {"yes": 1.0, "no": 0.0}))
    bar = "█" * 40
    assert render(plain, width=80, colour=False) == f"text  one two\n\n▸ yes  1.00  {bar}\n  no   0.00\n"


def test_a_long_reading_stays_on_a_few_screens_and_says_what_it_left_out() -> None:
    long = words(" ".join(["word"] * 10_000))
    weights = np.zeros((10_000, 1))
    texts = {"text": long, "other": words("one")}
    rendered = render(Explanation(texts, {"text->other": weights}, Answer("yes", {"yes": 1.0})), width=80, colour=False)
    assert len(rendered.splitlines()) < MOST_ROWS + MOST_TEXT_LINES + 13
    per_line = (80 - len("other  ")) // len("word ")
    assert f"… and {10_000 - MOST_TEXT_LINES * per_line} more words" in rendered
    assert f"… and {10_000 - MOST_ROWS} more words" in rendered


@given(
    premise=st.lists(ANY_TEXT, max_size=12),
    hypothesis=st.lists(ANY_TEXT, max_size=6),
    label=ANY_TEXT,
    score=st.floats(allow_nan=False, allow_infinity=False),
    look=st.fixed_dictionaries({"width": st.integers(20, 100), "colour": st.booleans()}),
)
def test_any_text_is_rendered_and_no_line_is_too_wide(
    premise: list[str], hypothesis: list[str], label: str, score: float, look: dict[str, int]
) -> None:
    texts = {
        name: TextRead(" ".join(tokens), tuple(tokens), (None,) * len(tokens))
        for name, tokens in {"premise": premise, label: hypothesis}.items()
    }
    attention = {f"{a}->{b}": soft(texts[a], texts[b]) for a in texts for b in texts if "->" not in label}
    answer = Answer(label, {"neutral": 0.5, label: score})
    rendered = render(Explanation(texts, attention, answer, (label,)), **look)
    for line in re.sub(r"\x1b\[[\d;]*m", "", rendered).split("\n"):
        assert cell_len(line) <= look["width"], repr(line)
        assert not re.search(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]", line)


def test_a_terminal_narrower_than_twenty_columns_counts_as_twenty() -> None:
    assert render(SMALL, width=5, colour=False) == render(SMALL, width=20, colour=False)


def test_matrices_between_the_same_texts_are_told_apart() -> None:
    text, weights = words("animals sleep"), np.eye(2)
    twice = {"text->text (intra 1)": weights, "text->text (intra 2)": weights[::-1]}
    rendered = render(Explanation({"text": text}, twice, Answer("entailment", SCORES)), width=80, colour=False)
    assert "text → text (intra 1): where each word looks in its own text\n  animals  █ animals 1.0\n" in rendered
    assert "text → text (intra 2): where each word looks in its own text\n  animals  █ sleep 1.0\n" in rendered


def test_how_likely_a_candidate_is_right_is_shown_with_a_bar() -> None:
    texts = {"question": words("who sings"), "candidate": words("the baker")}
    rendered = render(Explanation(texts, {}, Relevance(0.75)), width=80, colour=False)
    assert f"right with probability 0.75  {'█' * 30}\n" in rendered
    assert all(cell_len(line) <= 20 for line in render(Explanation(texts, {}, Relevance(0.5)), width=20, colour=False))


ATTRIBUTED = """\
what the probability of good rests on
  ▒never−.50 dull , ░always+.20 █good+1.5
bits that a word adds to log2 of the probability, or takes from it; ░ from .1 of
the greatest, ▒ .25, ▓ .5, █ .75
"""

REWRITTEN = """\
text → text: what was put together in the memory
     input  slot       now holds
  1  red    dog   1.0  (red dog)
  2  dog    red   1.0  (dog red)
  3  saw    dog   1.0  (saw (red dog))
"""

RANKED = """\
who came ?

  1  0.67  █████████████▍        nobody
  2  0.33  ██████▋               a dog

the first one's reading; a page (--html FILE) has those of the others
"""


def test_an_attribution_is_shaded_words_with_numbers() -> None:
    shown = render(attributed(words("never dull , always good"), [-0.5, 0.01, 0.0, 0.2, 1.5]), width=80, colour=False)
    assert ATTRIBUTED in shown
    assert shown.count("\n") == 9, "and nothing else but the text and the answer"


def test_a_rewritten_memory_is_told_step_by_step() -> None:
    explained = rewritten(words("red dog saw"))
    explained.attention["text->text"][:] = [[0, 1, 0], [1, 0, 0], [0, 1, 0]]  # type: ignore[index]
    assert REWRITTEN in render(explained, width=80, colour=False)
    narrow = render(explained, width=28, colour=False)
    assert "    (saw (red dog))\n" in narrow


def test_a_ranking_is_told_in_its_order_with_the_first_ones_reading() -> None:
    shown = render(ranking("who came ?", "a dog", "nobody"), width=80, colour=False)
    assert shown.startswith(RANKED)
    assert "candidate  nobody" in shown and "candidate  a dog" not in shown


@pytest.mark.parametrize("kind", KINDS)
def test_colour_adds_nothing(kind: str) -> None:
    plain, coloured = (render(KINDS[kind], width=60, colour=colour) for colour in (False, True))
    assert re.sub(r"\x1b\[[\d;]*m", "", coloured) == plain


def test_groups_of_labels_stand_below_the_labels() -> None:
    grouped = Answer("2", {"1": 0.4, "2": 0.6}, {"low": 0.75, "high": 0.25})
    shown = render(Explanation({"text": words("two dogs")}, {}, grouped), width=40, colour=False)
    heads = [line.split("█")[0].split() for line in shown.splitlines()[2:7]]
    assert heads == [["1", "0.40"], ["▸", "2", "0.60"], [], ["▸", "low", "0.75"], ["high", "0.25"]]
