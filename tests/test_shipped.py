"""Shipped models: what a name means, and what ships."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from readhead import shipped
from readhead.errors import InputError
from readhead.run import Run

MOST = 20e6  # bytes of all weights together


@pytest.fixture
def two(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two models that are shipped, as far as their names go; the current directory is empty."""
    for name in ("moods", "pairs"):
        (tmp_path / "trained" / name).mkdir(parents=True)
        (tmp_path / "trained" / name / "run.json").write_text("{}")
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    monkeypatch.setattr(shipped, "SHIPPED", tmp_path / "trained")
    return tmp_path / "trained"


def found(name: str) -> tuple[Path, list[str]]:
    notes: list[str] = []
    return shipped.find(name, tell=notes.append), notes


def test_a_name_is_that_of_a_shipped_model(two: Path) -> None:
    assert shipped.shipped() == ["moods", "pairs"]
    assert found("moods") == (two / "moods", [])


def test_a_directory_of_that_name_wins_and_it_is_told(two: Path) -> None:
    Path("moods").mkdir()
    assert found("moods") == (Path("moods"), ["moods: the directory here is read, not the shipped model of that name"])
    assert found("./moods") == (Path("moods"), [])


def test_another_name_is_told_with_the_nearest(two: Path) -> None:
    with pytest.raises(InputError, match=r"mood: no such run directory, and no shipped .* did you mean 'moods'"):
        found("mood")
    Path("file").touch()
    with pytest.raises(InputError, match="file: this is a file; expected a run directory"):
        found("file")
    with pytest.raises(InputError, match=r"runs/moods: no such run directory$"):
        found("runs/moods")


@pytest.mark.parametrize("verb", ["predict", "evaluate", "explain", "export"])
def test_every_verb_that_reads_takes_a_name(run_cli: Any, two: Path, verb: str) -> None:
    rest = {"explain": ["a"], "export": ["out", "--format", "arpa"]}.get(verb, [])
    assert f"{two / 'pairs' / 'recipe.toml'}: this file of the run is missing" in run_cli(verb, "pairs", *rest).stderr
    told = run_cli(verb, "pair", *rest)
    assert (told.status, "did you mean 'pairs'?" in told.stderr) == (2, True)


def test_the_note_of_the_command_line_is_on_standard_error(run_cli: Any, two: Path) -> None:
    Path("pairs").mkdir()
    told = run_cli("predict", "pairs")
    assert told.stderr.startswith("note: pairs: the directory here is read")
    assert told.stdout == ""


def test_what_lies_there_is_in_the_package() -> None:
    assert (shipped.SHIPPED / "README.md").is_file()


def test_all_weights_together_are_small() -> None:
    assert sum(path.stat().st_size for path in shipped.SHIPPED.rglob("*.safetensors")) <= MOST


@pytest.mark.parametrize("name", shipped.shipped())
def test_every_shipped_model_opens_and_has_a_card(name: str) -> None:
    run = Run.open(shipped.SHIPPED / name)
    assert run.files.card.is_file()
    assert not run.files.checkpoint.exists()
