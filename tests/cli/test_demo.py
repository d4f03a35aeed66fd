"""`readhead demo`: reads, trains, shows, and tells the truth; cut short here, the rest as a newcomer sees it."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from readhead import shipped
from readhead.cli import demo
from readhead.cli.demo_shipped import OPINIONS, PAIRS, show_shipped
from readhead.data.grammar.showcase import SHOWCASE


@pytest.fixture(autouse=True)
def _in_a_hurry(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(demo, "SECONDS", 1.5)
    monkeypatch.setattr(shipped, "SHIPPED", tmp_path / "none")
    monkeypatch.chdir(tmp_path)


def ship(monkeypatch: pytest.MonkeyPatch, folder: Path, **runs: Path) -> None:
    for name, run in runs.items():
        shutil.copytree(run, folder / name)
    monkeypatch.setattr(shipped, "SHIPPED", folder)


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
    assert ended.stdout.startswith("Not shipped with this readhead: sentiment, nli, lm.\n\n1. A decomposable")


def test_shipped_models_come_first_and_their_errors_are_told(
    capsys: pytest.CaptureFixture[str], text_run: Path, pair_run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ship(monkeypatch, tmp_path / "trained", sentiment=text_run, nli=pair_run)
    assert show_shipped() == 2
    told = capsys.readouterr().out
    assert re.search(r"^1\. sentiment, 0\.\d MB, .+^2\. nli, 0\.\d MB, ", told, flags=re.M | re.S)
    assert all(opinion in told for opinion, _ in OPINIONS)
    assert all(premise in told and hypothesis in told for premise, hypothesis, _ in PAIRS)
    verdicts = re.findall(r"^      (\w+) \(\d\.\d\d\): (right|WRONG, it is (\w+))$", told, flags=re.M)
    assert [said if right == "right" else truth for said, right, truth in verdicts] == [label for *_, label in PAIRS]
    assert "premise → hypothesis" in told
    assert told.endswith("Not shipped with this readhead: lm.\n\n")


def test_what_ships_is_shown_in_80_columns(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shipped, "SHIPPED", Path(shipped.__file__).parent / "trained")
    assert show_shipped() == len(shipped.shipped())
    assert max(map(len, capsys.readouterr().out.splitlines())) <= 80


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
