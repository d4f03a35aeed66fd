from __future__ import annotations

from pathlib import Path

import pytest

from readhead.errors import InputError
from readhead.search.history import FORMAT, History, Trial, open_history
from readhead.search.space import Setting

ASKED = {"recipe": "r", "keys": {"words": {"a": [1, 2]}}, "seed": 0, "precision": "no"}


def trial(figure: float | None) -> Trial:
    return Trial(Setting("words", {"a": 0.1}), figure, epoch=2, epochs=3.0, seconds=1.5, ended="all 3 epochs done")


def test_what_is_saved_is_read(tmp_path: Path) -> None:
    history = History(ASKED, "accuracy", True, {"f": "s"}, [trial(0.5), trial(None)], Setting("cnn", {"b": 2}))
    history.save(tmp_path / "search.json")
    assert open_history(tmp_path / "search.json") == history


@pytest.mark.parametrize(
    ("figures", "higher", "best"),
    [([0.5, 0.7, 0.7], True, 1), ([90.0, 80.0, 80.0], False, 1), ([None, 0.1], True, 1), ([None], True, None)],
)
def test_the_best_is_the_earliest_of_the_best(figures: list[float | None], higher: bool, best: int | None) -> None:
    assert History(ASKED, "m", higher, {}, [trial(figure) for figure in figures]).best == best


@pytest.mark.parametrize(
    ("what", "called"), [("seed", "--seed"), ("keys", "values to search"), ("recipe", "defaults"), ("precision", "--p")]
)
def test_another_search_is_told_by_what_differs(tmp_path: Path, what: str, called: str) -> None:
    with pytest.raises(InputError, match=f"started with other {called}"):
        History(ASKED).check_same({**ASKED, what: "another"}, tmp_path)


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"format": 1, "trials": [{}], "running": null}'])
def test_what_is_no_search_is_named(tmp_path: Path, text: str) -> None:
    (tmp_path / "search.json").write_text(text)
    with pytest.raises(InputError, match="no record of a search"):
        open_history(tmp_path / "search.json")


def test_a_later_format_is_refused(tmp_path: Path) -> None:
    (tmp_path / "search.json").write_text(f'{{"format": {FORMAT + 1}}}')
    with pytest.raises(InputError, match=f"expected a search of format {FORMAT} or older"):
        open_history(tmp_path / "search.json")
