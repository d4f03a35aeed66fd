"""`readhead evaluate`: figures of a split or a file, and the run directories and files that it refuses."""

from __future__ import annotations

import json
import pickle
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from readhead.cli import evaluate as evaluate_cli
from readhead.cli.evaluation_tables import print_labels
from readhead.data.corpora.file import FileCorpus
from readhead.prediction import evaluation
from readhead.run import Run
from readhead.tasks.classification import PairClassification
from readhead.tasks.figure import Figure
from tests.cli.conftest import OWN, trained_run
from tests.cli.refusals import files_below, refusal
from tests.tiny import pairs, tiny_recipe, write_pairs

ROW = '{"premise": "a", "hypothesis": "b", "label": "neutral"}\n'


def strictly(text: str) -> Any:
    """JSON without the NaN and Infinity that Python alone writes."""

    def refuse(word: str) -> None:
        raise AssertionError(f"{word} is no JSON")

    return json.loads(text, parse_constant=refuse)


def test_json_has_the_keys_that_scripts_rely_on(run_cli: Any, pair_run: Path) -> None:
    ended = run_cli("evaluate", pair_run, "--json")
    assert (ended.status, ended.stderr) == (0, "")
    told = strictly(ended.stdout)
    assert told.keys() >= {"run", "data", "n", "metrics", "confusion"}
    assert (told["run"], told["data"], told["n"]) == (str(pair_run), "dev", 16)
    labels = ("contradiction", "entailment", "neutral")
    each = {f"{figure}_{label}" for figure in ("precision", "recall") for label in labels}
    assert told["metrics"].keys() == {"accuracy", "ece", "calibrated_loss"} | each
    assert sum(map(sum, told["confusion"])) == 16
    right = sum(told["confusion"][i][i] for i in range(3))
    assert told["metrics"]["accuracy"] == pytest.approx(right / 16)


def test_the_table_tells_the_same_in_80_columns(run_cli: Any, pair_run: Path) -> None:
    told = strictly(run_cli("evaluate", pair_run, "--split", "train", "--json").stdout)
    ended = run_cli("evaluate", pair_run, "--split", "train")
    assert ended.status == 0
    assert f"accuracy {told['metrics']['accuracy']:.4f}" in ended.stdout
    for shown in ("calibration error", "precision", "recall", "what was said", "the surest of the wrong answers"):
        assert shown in ended.stdout
    after_first = ended.stdout.splitlines()[1:]
    assert max(map(len, after_first)) <= 80
    assert ["gold", "contradiction", "entailment", "neutral"] in [line.split() for line in after_first]


def test_a_confusion_too_wide_for_80_columns_is_told_as_a_list(capsys: pytest.CaptureFixture[str]) -> None:
    names = [f"a-rather-long-label-{letter}" for letter in "abcde"]
    confusion = [[9, 0, 0, 0, 0], [0, 7, 0, 3, 0], [0, 0, 8, 0, 0], [5, 0, 0, 1, 0], [0, 0, 0, 0, 2]]
    metrics = {f"{figure}_{name}": 0.5 for figure in ("precision", "recall") for name in names}
    print_labels(names, metrics, confusion, {})
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= 80
    told = [line.split() for line in lines]
    assert [names[3], names[0], "5"] == told[-2]
    assert [names[1], names[3], "3"] == told[-1]
    assert all(len(row) == 4 for row in told[1:7]), "a label was folded"


class NoAccuracy:
    """What a language model's task will report: lower is better, nothing is right or wrong."""

    metrics: ClassVar = {"perplexity": 91.25}
    shares: ClassVar = frozenset[str]()
    counts: ClassVar[dict[str, int]] = {}
    correct = confusion = None
    mistakes = ()
    figures: ClassVar[dict[str, Figure]] = {}
    units = units_right = None


def test_a_task_without_labels_or_right_answers_is_told_too(
    run_cli: Any, pair_run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(PairClassification, "report", lambda *_, **__: NoAccuracy())
    ended = run_cli("evaluate", pair_run, "--errors", tmp_path / "errors.jsonl")
    assert (ended.status, ended.stdout.splitlines()[1:]) == (0, ["perplexity 91.2500"])
    assert (tmp_path / "errors.jsonl").read_text() == ""
    told = strictly(run_cli("evaluate", pair_run, "--json").stdout)
    assert (told["metrics"], told["confusion"], told["by"]) == ({"perplexity": 91.25}, None, {})


def test_without_a_test_split_it_takes_the_one_to_choose_by(
    run_cli: Any, pair_run: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for splits, taken in ((("train", "valid"), "valid"), (("train", "valid", "test"), "test")):
        monkeypatch.setattr(FileCorpus, "splits", splits)
        asked: list[str] = []
        monkeypatch.setattr(evaluation, "evaluate_split", lambda _, split, **__: asked.append(split))  # noqa: B023
        evaluate_cli._measure(Run.open(pair_run), None, None, pair_run, (), None)
        assert asked == [taken]


def test_errors_are_written_with_their_texts_the_surest_first(run_cli: Any, pair_run: Path, tmp_path: Path) -> None:
    data, file = write_pairs(tmp_path), tmp_path / "errors.jsonl"
    told = strictly(run_cli("evaluate", pair_run, "--data", data, "--errors", file, "--json").stdout)
    wrong = [json.loads(line) for line in file.read_text().splitlines()]
    assert len(wrong) == round(told["n"] * (1 - told["metrics"]["accuracy"])) > 0
    assert [row["probability"] for row in wrong] == sorted((row["probability"] for row in wrong), reverse=True)
    for row in wrong:
        name, _, line = row["origin"].rpartition(":")
        asked = pairs()[int(line) - 1]
        assert (name, row["gold"]) == (data.name, asked["label"])
        assert (row["premise"], row["hypothesis"]) == (asked["premise"], asked["hypothesis"])
        assert row["label"] != row["gold"]


def test_figures_and_parts_have_intervals(run_cli: Any, pair_run: Path) -> None:
    told = strictly(run_cli("evaluate", pair_run, "--split", "train", "--json").stdout)
    low, high = told["intervals"]["accuracy"]
    assert 0 <= low < told["metrics"]["accuracy"] < high <= 1
    assert told["intervals"].keys() == told["metrics"].keys()
    assert sum(one["n"] for one in told["reliability"]) == told["n"]
    for by in ("length", "label"):
        parts = [part for part in told["slices"] if part["by"] == by]
        assert sum(part["n"] for part in parts) == told["n"]
        assert sum(part["n"] * part["accuracy"] for part in parts) == pytest.approx(
            told["n"] * told["metrics"]["accuracy"]
        )
    shown = run_cli("evaluate", pair_run, "--split", "train").stdout
    assert f"accuracy {told['metrics']['accuracy']:.4f} [{low:.4f}, {high:.4f}]" in shown
    assert "in brackets: 95 % of 1,000 bootstrap resamples of the pairs" in shown
    assert "words  accuracy" in shown


@pytest.fixture(scope="module")
def worse_run(pair_run: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """`pair_run`, made to say contradiction, the rarest label, whatever it reads."""
    run = Path(shutil.copytree(pair_run, tmp_path_factory.mktemp("worse") / "run"))
    weights = load_file(run / "weights.safetensors")
    (bias,) = (name for name, values in weights.items() if name.endswith("bias") and values.shape == (3,))
    weights[bias] += np.array([99, 0, 0], dtype=np.float32)
    save_file(weights, run / "weights.safetensors")
    return run


def test_two_runs_are_compared(run_cli: Any, pair_run: Path, worse_run: Path, tmp_path: Path) -> None:
    data, file = write_pairs(tmp_path), tmp_path / "errors.jsonl"
    asked = ("evaluate", pair_run, "--data", data, "--against", worse_run)
    told = strictly(run_cli(*asked, "--errors", file, "--json").stdout)
    against, right = told["against"], told["against"]["right"]
    assert sum(right.values()) == told["n"]
    assert (right["both"] + right["run"]) / told["n"] == pytest.approx(told["metrics"]["accuracy"])
    apart = (right["run"] - right["against"]) / told["n"]
    assert against["differences"]["accuracy"]["value"] == pytest.approx(apart)
    assert apart > 0.1 and against["differences"]["accuracy"]["interval"][0] > 0
    assert against["mcnemar"]["p"] < 0.05 and "more than chance" in against["mcnemar"]["says"]
    rows = [json.loads(line) for line in file.read_text().splitlines()]
    assert len(rows) == told["n"] - right["both"]
    only = [row for row in rows if row["right"] == {"run": True, "against": False}]
    assert len(only) == right["run"]
    assert all(row["label"] == row["gold"] != row["against"]["label"] for row in only)
    shown = run_cli(*asked)
    assert shown.status == 0 and max(map(len, shown.stdout.splitlines()[1:])) <= 80 + len(str(worse_run))
    assert f"right: both {right['both']}, only this run {right['run']}, only the other" in shown.stdout
    assert "McNemar's exact test: p" in shown.stdout
    itself = strictly(run_cli("evaluate", pair_run, "--against", pair_run, "--json").stdout)["against"]
    assert itself["differences"]["accuracy"] == {"value": 0, "interval": [0, 0]}


def test_a_page_is_written_too(run_cli: Any, pair_run: Path, worse_run: Path, tmp_path: Path) -> None:
    file = tmp_path / "errors.html"
    asked = ("evaluate", pair_run, "--data", write_pairs(tmp_path), "--against", worse_run, "--errors", file)
    assert run_cli(*asked).status == 0
    page = file.read_text(encoding="utf-8")
    for title in ("Figures", "Where the two runs differ", "Confusion", "Calibration", "Slices", "Worst errors"):
        assert f">{title}</h2>" in page
    assert run_cli(*asked).status == 0
    assert file.read_text(encoding="utf-8") == page, "the same page again"


def test_another_task_or_other_labels_are_refused(run_cli: Any, pair_run: Path, text_run: Path, tmp_path: Path) -> None:
    message = refusal(run_cli("evaluate", pair_run, "--against", text_run))
    assert message == f"{text_run}: its task is classify; to compare it with {pair_run}, pair"
    file = tmp_path / "own.csv"
    file.write_text("premise,hypothesis,label\n" + "".join(f"a {n},b,{('no', 'yes')[n % 2]}\n" for n in range(20)))
    small = ("vectors.dim=8", "model.hidden_dim=8", "training.epochs=1", f"corpus.train={file}")
    other = trained_run(tiny_recipe(tmp_path, small), tmp_path)
    message = refusal(run_cli("evaluate", pair_run, "--against", other))
    assert message.startswith(f"{other}: its labels are no, yes; those of {pair_run} are contradiction, ")


def test_a_file_of_one_label_is_scored(run_cli: Any, pair_run: Path, tmp_path: Path) -> None:
    (tmp_path / "own.jsonl").write_text(ROW * 3)
    told = strictly(run_cli("evaluate", pair_run, "--data", tmp_path / "own.jsonl", "--json").stdout)
    assert told["n"] == 3


def test_columns_are_those_of_training_if_none_are_named(run_cli: Any, text_run: Path, tmp_path: Path) -> None:
    told = strictly(run_cli("evaluate", text_run, "--data", OWN / "reviews.csv", "--json").stdout)
    assert told["n"] == 30
    (tmp_path / "own.csv").write_text("what,stars\nfine,4\nbad,1\n")
    columns = ("--text-column", "what", "--label-column", "stars")
    assert strictly(run_cli("evaluate", text_run, "--data", tmp_path / "own.csv", *columns, "--json").stdout)["n"] == 2


REFUSED: dict[str, tuple[str | bytes, str]] = {
    "unknown label": (
        ROW + ROW.replace("neutral", "maybe"),
        "own.jsonl:2: this run knows no label 'maybe'; expected one of contradiction, entailment, neutral",
    ),
    "missing key": (ROW + '{"premise": "a", "label": "neutral"}\n', "own.jsonl:2: no 'hypothesis'"),
    "missing column": ('{"premise": "a", "label": "neutral"}\n', "own.jsonl:1: no hypothesis column"),
    "broken JSON": (ROW + '{"premise"', "own.jsonl:2: broken JSON"),
    "wrong encoding": (ROW.encode() + b'{"premise": "\xe9"}\n', "own.jsonl:2: byte 0xe9"),
    "empty file": ("", "own.jsonl: nothing to read here"),
    "no label at all": (ROW.replace("neutral", "-"), "own.jsonl: no row has a label"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_a_mistake_in_a_file_is_told_with_its_line(run_cli: Any, pair_run: Path, tmp_path: Path, case: str) -> None:
    content, told = REFUSED[case]
    file = tmp_path / "own.jsonl"
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    before = files_below(tmp_path)
    message = refusal(run_cli("evaluate", pair_run, "--data", file, "--errors", tmp_path / "errors.jsonl"))
    assert message.startswith(f"{tmp_path}/{told}")
    assert files_below(tmp_path) == before


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--data", "{d}/no.jsonl"), "{d}/no.jsonl: no such file"),
        (("--data", "{d}/no.jsonl", "--split", "dev"), "expected either --data FILE or --split NAME"),
        (("--split", "test"), "no split 'test'; expected one of train, dev"),
        (("--errors", "errors.csv"), "--errors errors.csv: expected a file that ends in .html or .jsonl"),
        (("--errors", "{d}/no/errors.jsonl"), "{d}/no: there is no such folder to write to"),
        (("--label-column", "x"), "--text-column and --label-column name columns of --data FILE"),
        (("--corpora", "{d}/no"), "{d}/no: --corpora: no such folder"),
        (("--device", "cuda:x"), "--device cuda:x: expected auto, cpu, cuda or cuda:N"),
    ],
)
def test_what_it_refuses(run_cli: Any, pair_run: Path, tmp_path: Path, arguments: tuple[str, ...], told: str) -> None:
    given = [argument.format(d=tmp_path) for argument in arguments]
    assert refusal(run_cli("evaluate", pair_run, *given)).startswith(told.format(d=tmp_path))
    assert files_below(tmp_path) == {}


def _cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def _pickle(path: Path) -> None:
    path.write_bytes(pickle.dumps({"weights": 1}))


@pytest.mark.parametrize(
    ("name", "damage", "told"),
    [
        *(
            (name, Path.unlink, "this file of the run is missing")
            for name in (
                "recipe.toml",
                "run.json",
                "vocabulary.txt",
                "tokenizer.json",
                "weights.safetensors",
                "vectors.safetensors",
            )
        ),
        ("recipe.toml", _cut, ""),
        ("run.json", _cut, "this run's record is damaged"),
        ("vocabulary.txt", _cut, ""),
        ("tokenizer.json", _cut, ""),
        ("weights.safetensors", _cut, "the file is damaged or cut short"),
        ("vectors.safetensors", _cut, "the file is damaged or cut short"),
        ("weights.safetensors", _pickle, "this is a pickle, which can run code when opened; expected safetensors"),
    ],
)
@pytest.mark.parametrize("verb", ["evaluate", "predict", "explain"])
def test_a_damaged_run_is_told_by_the_file(
    *, run_cli: Any, pair_run: Path, tmp_path: Path, verb: str, name: str, damage: Callable[[Path], None], told: str
) -> None:
    run = Path(shutil.copytree(pair_run, tmp_path / "run"))
    damage(run / name)
    texts = ("a", "b") if verb == "explain" else ()
    message = refusal(run_cli(verb, run, *texts))
    assert message.startswith(f"{run}/")
    assert name in message
    assert told in message
