"""`readhead reproduce`: from a recipe to its file in results/."""

from __future__ import annotations

import hashlib
import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

import pytest

from readhead import circumstances, recipe, reproduction
from readhead.cli.main import status_of
from readhead.data.corpora import grammar
from readhead.data.grammar.phenomena import PHENOMENA
from readhead.errors import InputError
from readhead.results import variation
from tests.cli.refusals import files_below, refusal

# What the design fixes; scripts rely on it.
KEYS = {
    *("recipe", "recipe_sha256", "rows", "seeds", "data", "complete", "commit", "versions", "machine"),
    *("seconds", "metrics", "paper"),
}
CHANGES = ("corpus.size=96", "vectors.dim=8", "training.epochs=1")
SMALL = """
[corpus]
kind = "grammar"
size = 96
[vectors]
dim = 8
[embedding]
trainable = false
[reader]
kind = "words"
[model]
kind = "sentence-pair"
num_layers = 0
[task]
kind = "pair"
[optimizer]
kind = "adam"
[training]
epochs = {epochs}
"""


@pytest.fixture(scope="module", autouse=True)
def short_splits() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(grammar, "HELD_OUT", 84)
        yield


@pytest.fixture
def shipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The recipes in the package are a small grammar recipe, `small/bow`, and `small/long`, which takes for ever."""
    folder = tmp_path / "recipes"
    (folder / "small").mkdir(parents=True)
    for name, epochs in (("bow", 2), ("long", 100_000)):
        text = SMALL.format(epochs=epochs)
        (folder / "small" / f"{name}.toml").write_text(text)
    monkeypatch.setattr(recipe, "SHIPPED", folder)
    return folder


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory, short_splits: None) -> Path:
    """A folder in which a small grammar recipe was reproduced with two seeds."""
    folder = tmp_path_factory.mktemp("reproduced")
    assert status_of(_typed(folder)) == 0
    return folder


def _typed(folder: Path) -> list[str]:
    sets = [word for change in CHANGES for word in ("--set", change)]
    where = ["--runs", str(folder / "runs"), "--results", str(folder / "results")]
    return ["reproduce", "grammar/bow", *sets, *where, "--seeds", "2", "--device", "cpu"]


def _told(made: Path) -> dict[str, Any]:
    """What stands in the one results file."""
    (file,) = (made / "results" / "grammar").iterdir()
    told: dict[str, Any] = json.loads(file.read_text())
    return told


def _reproduced(name: str, folder: Path, changes: tuple[str, ...] = (), **plan: Any) -> tuple[str, dict[str, Any]]:
    """The results file's name and content."""
    where = {"runs": folder / "runs", "corpora": folder, "device": "cpu", "folder": folder / "results"}
    path, told = reproduction.reproduce(name, reproduction.Plan(**where, **plan), changes)
    assert told == json.loads(path.read_text())
    return path.relative_to(folder / "results").as_posix(), told


def test_the_results_file_has_the_keys_that_scripts_rely_on(made: Path) -> None:
    told = _told(made)
    assert told.keys() >= KEYS
    assert told["changes"] == list(CHANGES)
    resolved = recipe.read("grammar/bow", CHANGES).to_toml()
    assert told["recipe_sha256"] == hashlib.sha256(resolved.encode()).hexdigest()
    assert (told["seeds"], len(told["seconds"])) == ([0, 1], 2)
    assert (told["best_epochs"], told["budget"]) == ([1, 1], None)
    assert told["load"] >= 0


def test_the_course_of_training_is_told_epoch_by_epoch(made: Path) -> None:
    for seed, course in enumerate(_told(made)["by_epoch"]["dev_accuracy"]):
        (log,) = made.rglob(f"seed-{seed}/metrics.jsonl")
        assert course == [json.loads(line)["dev_accuracy"] for line in log.read_text().splitlines()]


def test_metrics_are_named_by_split_and_tag_and_have_an_interval(made: Path) -> None:
    metrics = _told(made)["metrics"]
    assert {"accuracy", "dev_accuracy", "long_accuracy", "recall_neutral"} <= metrics.keys()
    tagged = {f"{split}accuracy[phenomenon={tag}]" for split in ("", "dev_", "long_") for tag in PHENOMENA}
    assert tagged == {name for name in metrics if "[" in name}
    assert not any(name.endswith("loss") for name in metrics)
    for figure in metrics.values():
        assert figure.keys() == {"mean", "interval", "per_seed"}
        assert figure["mean"] == pytest.approx(sum(figure["per_seed"]) / 2)
    assert metrics["accuracy"]["mean"] > 1, "percent, not a share of one"


def test_only_shares_are_in_percent(monkeypatch: pytest.MonkeyPatch) -> None:
    class Figures:
        metrics: ClassVar = {"perplexity": 91.25, "map": 0.5, "loss": 4.5}
        shares: ClassVar = frozenset({"map"})

    class Measured:
        report, by_tag = Figures(), {"genre": {"letters": {"accuracy": 0.25, "n": 4}}}

    assert reproduction._figures(Measured()) == {  # type: ignore[arg-type]
        "perplexity": 91.25,
        "map": 50.0,
        "accuracy[genre=letters]": 25.0,
    }


def test_again_it_goes_on_with_the_runs_that_are_there(run_cli: Any, made: Path) -> None:
    weights = sorted((made / "runs").rglob("weights.safetensors"))
    assert len(weights) == 2
    before = [path.stat().st_mtime_ns for path in weights]
    ended = run_cli(*_typed(made), "--json")
    assert ended.status == 0
    (told,) = json.loads(ended.stdout)
    assert told == _told(made)
    assert before == [path.stat().st_mtime_ns for path in weights]


def test_people_are_told_paper_beside_ours(run_cli: Any, made: Path) -> None:
    ended = run_cli(*_typed(made))
    assert ended.status == 0
    assert ended.stdout.lstrip().startswith("grammar/bow: its one epoch done")
    assert "partial, no reproduction: changed: corpus.size=96, vectors.dim=8" in ended.stdout
    assert "half the 95 % interval over 2 seeds, Student's t" in ended.stdout
    table = ended.stdout[ended.stdout.index("metric") : ended.stdout.index("±: half")]
    assert "paper" in table
    assert max(map(len, table.splitlines())) <= 80


def test_a_changed_run_never_stands_in_the_place_of_the_genuine_one(shipped: Path, tmp_path: Path) -> None:
    name, genuine = _reproduced("small/bow", tmp_path)
    assert (name, genuine["complete"], genuine["partial"]) == ("small/bow.json", True, None)
    changed_name, changed = _reproduced("small/bow", tmp_path, ("training.epochs=1",))
    assert changed_name == f"{variation('small/bow', ('training.epochs=1',))}.json"
    assert (changed["recipe"], changed["complete"]) == ("small/bow", False)
    assert changed["partial"] == "changed: training.epochs=1"
    assert json.loads((tmp_path / "results" / "small" / "bow.json").read_text()) == genuine


def test_a_run_that_the_budget_cut_is_partial(shipped: Path, tmp_path: Path) -> None:
    name, told = _reproduced("small/long", tmp_path, budget=0.01)
    assert (name, told["complete"], told["budget"]) == ("small/long.json", False, 0.01)
    assert told["partial"].startswith("seed 0 was cut after ")
    assert told["partial"].endswith(told["finished"][0])


def test_a_budget_that_was_enough_cuts_nothing(shipped: Path, tmp_path: Path) -> None:
    _, told = _reproduced("small/bow", tmp_path, budget=3600.0)
    assert (told["complete"], told["partial"], told["budget"]) == (True, None, 3600.0)


def test_a_lesser_result_is_kept_beside_a_better_one(shipped: Path, tmp_path: Path) -> None:
    _, better = _reproduced("small/bow", tmp_path, seeds=(0, 1))
    name, lesser = _reproduced("small/bow", tmp_path, seeds=(0,))
    assert name == f"{variation('small/bow', ('budget=None', 'seeds=1'))}.json"
    assert (lesser["complete"], lesser["seeds"]) == (True, [0])
    assert json.loads((tmp_path / "results" / "small" / "bow.json").read_text()) == better
    more, _ = _reproduced("small/bow", tmp_path, seeds=(0, 1, 2))
    assert more == "small/bow.json"


def test_a_recipes_own_words_on_what_is_missing_come_first(shipped: Path, tmp_path: Path) -> None:
    file = shipped / "small" / "long.toml"
    file.write_text('partial = "half of the pairs"\n' + file.read_text())
    _, told = _reproduced("small/long", tmp_path, ("training.batch_size=8",), budget=0.01)
    assert told["complete"] is False
    first, second, third = told["partial"].split("; ")
    assert (first, second) == ("half of the pairs", "changed: training.batch_size=8")
    assert third.startswith("seed 0 was cut")


def test_a_corpus_that_is_not_whole_makes_it_partial(
    shipped: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(grammar.GrammarCorpus, "complete", False)
    _, told = _reproduced("small/bow", tmp_path)
    assert (told["complete"], told["partial"]) == (False, "the corpus grammar is not whole, as published")


def test_rows_that_disagree_are_refused_before_anything_is_trained(shipped: Path, tmp_path: Path) -> None:
    file = shipped / "small" / "bow.toml"
    rows = '[paper."a/1/x"]\naccuracy = 80.0\n[paper."a/2/x"]\naccuracy = 81.0\n'
    file.write_text(rows + file.read_text())
    with pytest.raises(InputError, match=r"a/2/x: accuracy = 81.0, but 80.0"):
        _reproduced("small/bow", tmp_path)
    assert not (tmp_path / "runs").exists()


def test_the_commit_is_this_files_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, stranger = tmp_path / "package" / "code.py", tmp_path / "notes.txt"
    file.parent.mkdir()
    for path in (file, stranger):
        path.write_text("first\n")
    monkeypatch.setattr(circumstances, "__file__", str(file))
    assert circumstances.commit() is None, "no checkout"

    def git(*arguments: str) -> str:
        me = ("-c", "user.name=me", "-c", "user.email=me@example.org", "-c", "commit.gpgsign=false")
        command = ["git", "-C", str(tmp_path), *me, *arguments]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()

    git("init", "--quiet")
    git("add", "notes.txt")
    git("commit", "--quiet", "-m", "notes")
    assert circumstances.commit() is None, "a checkout of something else"
    git("add", "package")
    git("commit", "--quiet", "-m", "code")
    assert circumstances.commit() == git("rev-parse", "HEAD")
    file.write_text("second\n")
    assert circumstances.commit() == git("rev-parse", "HEAD") + "+dirty"


def test_targets_are_papers_tables_rows_and_recipes() -> None:
    assert reproduction.matching("da/1/our-approach-vanilla") == ["snli/decomposable"]
    assert set(reproduction.matching("lstmn/1")) == {
        *("ptb/kn5", "ptb/rnn", "ptb/lstm", "ptb/lstmn", "ptb/slstm", "ptb/glstm", "ptb/dlstm", "ptb/lstmn-3-layers")
    }
    assert set(reproduction.matching("lstmn/2/lstmn")) == {"sst/lstmn-fine", "sst/lstmn-binary"}
    assert reproduction.matching("grammar/lstm") == ["grammar/lstm"]
    assert set(reproduction.matching(None)) >= {"snli/bow", "snli/decomposable"}


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("d",), "no recipe fills 'd'; `readhead recipes` lists the rows that have one"),
        (("da/1", "--corpora", "{d}/no"), "{d}/no: --corpora: no such folder"),
        (("da/1", "--corpora", "{d}"), "{d}/snli/snli_1.0_train.jsonl: not found"),
        (("grammar/bow", "--budget", "long"), "'long' is no length of time; expected such as 90s, 5m or 1h"),
        (("grammar/bow", "--set", "corpus.sise=3"), "did you mean 'size'?"),
        (("grammar/bow", "--seeds", "0"), "--seeds"),
        (("grammar/bow", "--device", "tpu"), "--device tpu: expected auto, cpu, cuda or cuda:N"),
    ],
)
def test_what_it_refuses(
    run_cli: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], told: str
) -> None:
    monkeypatch.chdir(tmp_path)
    given = [argument.format(d=tmp_path) for argument in arguments]
    assert told.format(d=tmp_path) in refusal(run_cli("reproduce", *given))
    assert files_below(tmp_path) == {}
