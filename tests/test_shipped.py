"""Shipped models: what a name means, and what ships."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from readhead import load, shipped
from readhead.errors import InputError
from readhead.reproduction import shipped_figures
from readhead.run import Run
from readhead.training.request import Request
from readhead.training.start import train
from tests.tiny import tiny_recipe

MOST = 20e6  # bytes of all weights together
NAMES = ("sentiment", "nli", "lm")


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
    assert shipped.shipped() == sorted(NAMES)


def test_all_weights_together_are_small() -> None:
    assert sum(path.stat().st_size for path in shipped.SHIPPED.rglob("*.safetensors")) <= MOST


def test_a_result_of_its_recipe_holds_the_figures_of_what_ships(two: Path, tmp_path: Path) -> None:
    recipe = tiny_recipe(tmp_path, ("training.epochs=1",))
    shutil.rmtree(two / "pairs")
    train(Request(recipe=recipe, out=two / "pairs", corpora=tmp_path, device="cpu", quiet=True))
    told = shipped_figures("shipped/pairs", tmp_path)["shipped"]
    assert told["bytes"] == shipped.weights_size("pairs") > 1000
    assert 0 <= told["metrics"]["dev_accuracy"] <= 100
    assert shipped_figures("snli/pairs", tmp_path) == shipped_figures("shipped/songs", tmp_path) == {}


@pytest.mark.parametrize("name", shipped.shipped())
def test_every_shipped_model_opens_and_has_a_card(name: str) -> None:
    run = Run.open(shipped.SHIPPED / name)
    assert run.files.card.is_file()
    assert not run.files.checkpoint.exists()


@pytest.mark.parametrize(
    ("text", "side", "stars"),
    [
        ("A wonderful film, funny and moving from the first scene to the last.", "positive", {"4 stars", "5 stars"}),
        ("Dull, badly acted and much too long.", "negative", {"1 star", "2 stars"}),
    ],
)
def test_sentiment_knows_praise_from_blame(text: str, side: str, stars: set[str]) -> None:
    answer = load("sentiment")(text)
    assert answer["label"] in stars
    assert max(answer["groups"], key=answer["groups"].get) == side


@pytest.mark.parametrize(
    ("premise", "hypothesis", "label"),
    [
        ("A man is playing a guitar on the street.", "A man is playing an instrument.", "entailment"),
        ("Two boys are playing football in the rain.", "The boys are asleep in bed.", "contradiction"),
        ("A woman is reading a book on a train.", "The woman is going to visit her sister.", "neutral"),
    ],
)
def test_nli_knows_the_plain_cases(premise: str, hypothesis: str, label: str) -> None:
    assert load("nli")(premise=premise, hypothesis=hypothesis)["label"] == label


def test_lm_is_surprised_by_what_does_not_belong() -> None:
    told = load("lm")(
        ["It is one of the best films I have ever seen.", "It is one of the best films I have ever eaten."]
    )
    seen, eaten = (answer["surprisal"][answer["tokens"].index("ever") + 1] for answer in told)
    assert seen < 2
    assert eaten > 10
    assert told[0]["perplexity"] < 10
