"""Which pictures there are for which reading, and which one stands for all."""

from __future__ import annotations

import numpy as np
import pytest

from readhead.explain.figures import figures, main_figure
from readhead.explain.pictures import pictures
from readhead.explain.record import Explanation
from readhead.explain.svg.grid import MOST_CELLS
from tests.explain.reading_kinds import KINDS, SAYS, shared, tape
from tests.explain.readings import soft, words


@pytest.mark.parametrize(
    ("kind", "names"),
    [
        ("no attention", ["answer"]),
        ("tape", ["answer", "attention-text-text", "reading-text-text"]),
        ("layers", ["answer", "attention-text-text-intra-1", "attention-text-text-intra-2"]),
        ("rewritten", ["answer", "attention-text-text", "states-text-text", "reading-text-text"]),
        (
            "shared",
            ["answer", *(f"{what}-hypothesis-premise-memory" for what in ("attention", "states", "reading"))],
        ),
        ("attributed", ["answer", "attribution"]),
        ("surprise", ["answer"]),
        ("names", ["answer", "attention-text", "attention-text-2"]),
    ],
)
def test_each_reading_has_its_pictures(kind: str, names: list[str]) -> None:
    explained = KINDS[kind]
    assert isinstance(explained, Explanation)
    assert [picture.name for picture in pictures(explained)] == names


@pytest.mark.parametrize(
    ("kind", "drawn"),
    [
        ("tape", "picture arcs"),
        ("rewritten", "picture associations"),
        ("pair", "picture grid"),
        ("attributed", "picture attribution"),
        ("surprise", "picture surprisal"),
        ("no attention", "picture scores"),
        ("ranking", "picture scores"),
    ],
)
def test_one_stands_for_all(kind: str, drawn: str) -> None:
    assert drawn in main_figure(KINDS[kind])


def test_a_ranking_has_each_candidates_pictures() -> None:
    names = [name for name, _ in figures(KINDS["ranking"])]
    assert names[:3] == ["ranking", "candidate-1-answer", "candidate-1-attention-question-candidate"]
    assert len(names) == 7


def test_what_is_too_large_for_a_grid_is_drawn_as_lines() -> None:
    one, other = words("word " * (MOST_CELLS // 10)), words("a b c d e f g h i j k")
    explained = Explanation({"p": one, "h": other}, {"p->h": soft(one, other)}, SAYS)
    (picture,) = pictures(explained)[1:]
    assert "picture arcs" in picture.draw(720) and "strongest links" in picture.caption


def test_rows_that_look_nowhere_are_left_out_and_counted() -> None:
    one, other = words("a b c"), words("d e")
    weights = np.array([[0.0, 0.0], [0.0, 0.0], [0.5, 0.5]])
    (picture,) = pictures(Explanation({"p": one, "h": other}, {"p->h": weights}, SAYS))[1:]
    assert "2 words look nowhere and have no row." in picture.caption
    assert picture.draw(720).count('role="gridcell"') == 2


def test_a_narrow_page_has_narrow_drawings() -> None:
    for picture in pictures(tape(words("word " * 30 + "end"))):
        assert picture.flows and 'width="328"' in picture.draw(328)
    assert not pictures(shared(words("a"), words("b")))[1].flows
