"""`readhead demo`: trains, reads, shows, and tells the truth; cut short here, the rest as a newcomer sees it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from readhead.cli import demo
from readhead.data.grammar.showcase import SHOWCASE


@pytest.fixture(autouse=True)
def _in_a_hurry(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(demo, "SECONDS", 1.5)
    monkeypatch.chdir(tmp_path)


def test_it_trains_reads_shows_and_tells_the_truth(run_cli: Any) -> None:
    ended = run_cli("demo")
    assert ended.status == 0, ended.stderr
    for pair in SHOWCASE:
        assert pair.texts["hypothesis"] in ended.stdout
    verdicts = re.findall(r"\(\d\.\d\d\): (right|WRONG)", ended.stdout)
    assert len(verdicts) == len(SHOWCASE)
    # The last three share a hypothesis and a bag of words: two of the three must be wrong.
    assert verdicts[-3:].count("WRONG") == 2
    assert "premise → hypothesis" in ended.stdout
    assert re.search(r"^word order +33%", ended.stdout, flags=re.M), "chance is 1/3 where only order decides"
    assert "it sees no word order" in ended.stdout
    assert max(map(len, ended.stdout.splitlines())) <= 80


def test_a_second_time_it_reads_with_what_it_has(run_cli: Any) -> None:
    first, second = (run_cli("demo", "--out", "mine") for _ in range(2))
    assert "nothing to do, training has finished" in second.stderr
    assert second.stdout.splitlines()[1:] == first.stdout.splitlines()[1:]


def test_it_keeps_its_hands_off_a_folder_that_is_no_run(run_cli: Any, tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text("keep")
    ended = run_cli("demo", "--out", tmp_path)
    assert ended.status == 2
    assert "holds no run" in ended.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["README.md"]
