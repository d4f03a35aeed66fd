"""`readhead train`: what it trains on, where it puts the run, and everything that it refuses."""

from __future__ import annotations

import json
import pickle
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
import torch

from readhead.run import Run
from tests.cli.conftest import OWN
from tests.cli.refusals import files_below, refusal
from tests.tiny import tiny_recipe, write_pairs

CORPORA = OWN.parent / "corpora"
SMALL = (
    *("--set", "vectors.dim=8", "--set", "model.hidden_dim=8", "--set", "training.epochs=1"),
    *("--device", "cpu", "--threads", "1"),
)
GOOD = "premise,hypothesis,label\n" + "".join(f"text {i},other {i},{'ab'[i % 2]}\n" for i in range(20))


def finished(run: Path) -> str:
    return str(json.loads((run / "run.json").read_text())["finished"])


@pytest.mark.parametrize("name", ["pairs.csv", "pairs.tsv", "pairs.jsonl"])
def test_own_pairs_of_every_format_are_trained_on(run_cli: Any, tmp_path: Path, name: str) -> None:
    ended = run_cli("train", "--task", "pair", "--data", OWN / name, "--out", tmp_path / "run", *SMALL)
    assert (ended.status, ended.stdout) == (0, "")
    assert Run.open(tmp_path / "run").record.labels == ["contradiction", "entailment", "neutral"]


def test_it_says_what_it_understood_before_it_trains(run_cli: Any, tmp_path: Path) -> None:
    own, dev = tmp_path / "own.csv", tmp_path / "dev.csv"
    own.write_text("body,topic,label\n" + "".join(f"w {i // 2},x,{'aab'[i % 3]}\n" for i in range(30)))
    dev.write_text("body,topic,label\nw 1,x,a\nw new words,x,b\n")
    data = ("--task", "classify", "--data", own, "--dev", dev, "--reader", "words")
    ended = run_cli("train", *data, "--out", tmp_path / "run", *SMALL)
    lines = ended.stderr.splitlines()
    start = lines.index("columns: text = 'body', label = 'label'")
    assert lines[start + 1 : start + 14] == [
        "dev: dev.csv",
        "train: 30 rows",
        "  text: 2 to 2 words, median 2",
        "  15 rows repeat the texts of an earlier one, 10 with another label",
        "dev: 2 rows",
        "  text: 2 to 3 words, median 2",
        "dev is small: its figures may be 50 points off",
        "  label      train    share      dev",
        "  a             20    66.7%        1",
        "  b             10    33.3%        1",
        "balance: 2.0 to 1; always saying the most frequent label is right in 66.7%",
        "overlap: 1 of dev's texts stands in train too",
        lines[start + 13],
    ]
    assert lines[start + 13].startswith("30 train, 2 dev texts")
    log = (tmp_path / "run" / "train.log").read_text()
    assert all(line in log for line in lines[start : start + 13])


def test_it_learns_from_a_teachers_probabilities(run_cli: Any, tmp_path: Path) -> None:
    own = tmp_path / "own.csv"
    own.write_text("text,p_no,p_yes\n" + "".join(f"word {i},{i / 30},{1 - i / 30}\n" for i in range(30)))
    data = ("--task", "classify", "--data", own, "--soft-labels", "--out", tmp_path / "run")
    assert run_cli("train", *data, *SMALL).status == 0
    run = Run.open(tmp_path / "run")
    assert run.record.labels == ["no", "yes"]
    assert run.recipe.parts["corpus"].options["soft_labels"]
    assert run_cli("evaluate", tmp_path / "run").status == 0


@pytest.mark.parametrize("reader", ["lstm", "kn5"])
def test_a_language_model_of_plain_text(run_cli: Any, tmp_path: Path, reader: str) -> None:
    data = ("--task", "language-model", "--data", OWN / "stories.txt", "--reader", reader)
    small = SMALL if reader == "lstm" else ("--device", "cpu")
    changes = [
        word.replace("model.hidden_dim", "reader.hidden_dim") if isinstance(word, str) else word for word in small
    ]
    ended = run_cli("train", *data, "--out", tmp_path / "run", *changes)
    assert ended.status == 0, ended.stderr
    assert "train: 13 rows" in ended.stderr
    ended = run_cli("evaluate", tmp_path / "run", "--data", OWN / "stories.txt", "--json")
    told = json.loads(ended.stdout)
    assert told["n"] == 14
    assert told["metrics"]["perplexity"] > 1


def test_a_column_of_texts_makes_a_language_model(run_cli: Any, tmp_path: Path) -> None:
    data = ("--task", "language-model", "--data", OWN / "reviews.csv", "--text-column", "review", "--reader", "kn5")
    assert run_cli("train", *data, "--out", tmp_path / "run", "--device", "cpu").status == 0
    assert Run.open(tmp_path / "run").record.labels == []


def test_columns_reader_and_dev_file_are_as_told(run_cli: Any, tmp_path: Path) -> None:
    columns = ("--text-column", "review", "--label-column", "sentiment")
    data = ("--task", "classify", "--data", OWN / "reviews.csv", "--dev", OWN / "reviews.csv")
    ended = run_cli("train", *data, *columns, "--reader", "words", "--out", tmp_path / "run", *SMALL)
    assert ended.status == 0, ended.stderr
    run = Run.open(tmp_path / "run")
    assert (run.recipe.parts["reader"].kind, run.record.labels) == ("words", ["bad", "good", "mixed"])
    assert run.record.examples["train"] == run.record.examples["dev"] == 30


def test_own_vectors_are_used(run_cli: Any, tmp_path: Path) -> None:
    vectors = tmp_path / "own.txt"
    vectors.write_text("bench 1 0 0 0 0 0 0 0\ntrees 0 1 0 0 0 0 0 0\n")
    data = ("--task", "pair", "--data", OWN / "pairs.csv", "--vectors", vectors)
    assert run_cli("train", *data, "--out", tmp_path / "run", *SMALL).status == 0
    run = Run.open(tmp_path / "run")
    assert "vectors/own.txt" in run.record.data


def test_where_a_run_goes_if_nothing_is_said(run_cli: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    monkeypatch.chdir(folder)
    (tmp_path / "mine.toml").write_text(tiny_recipe(tmp_path).to_toml())
    assert run_cli("train", "--task", "pair", "--data", "../pairs.jsonl", *SMALL).status == 0
    assert run_cli("train", "../mine.toml", *SMALL).status == 0
    assert run_cli("train", tmp_path / "mine.toml", *SMALL, "--resume").status == 0
    assert {path.name for path in (folder / "runs").iterdir()} == {"pair-pairs", "mine"}
    assert {path.name for path in tmp_path.iterdir()} == {"elsewhere", "mine.toml", "pairs.jsonl"}


def test_a_run_on_own_data_is_evaluated_and_resumed_from_anywhere(
    run_cli: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_pairs(tmp_path)
    monkeypatch.chdir(tmp_path)
    data = ("--task", "pair", "--data", "pairs.jsonl", *SMALL)
    assert run_cli("train", *data, "--out", "run").status == 0
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    assert run_cli("evaluate", "../run").status == 0
    ended = run_cli("train", "../run/recipe.toml", "--out", "../run", "--resume", *SMALL)
    assert ended.status == 0
    assert "nothing to do, training has finished" in (tmp_path / "run" / "train.log").read_text()


def test_the_same_seed_gives_the_same_weights_with_and_without_a_budget_that_is_not_reached(
    run_cli: Any, tmp_path: Path
) -> None:
    data = ("--task", "classify", "--data", OWN / "reviews.csv", "--text-column", "review", "--label-column", "rating")
    for out, more in {"one": (), "two": ("--time-budget", "1h"), "other": ("--seed", "1")}.items():
        assert run_cli("train", *data, "--out", tmp_path / out, *more, "--set", "training.epochs=3").status == 0
    found = {out: (tmp_path / out / "weights.safetensors").read_bytes() for out in ("one", "two", "other")}
    assert found["one"] == found["two"] != found["other"]
    cards = [(tmp_path / out / "README.md").read_text().replace(str(tmp_path / out), "RUN") for out in ("one", "two")]
    assert cards[0] == cards[1]


def test_a_time_budget_ends_it_with_the_best_so_far(run_cli: Any, tmp_path: Path) -> None:
    endless = ("--set", "training.epochs=1000000", "--set", "training.patience=1000000")
    data = ("--task", "pair", "--data", write_pairs(tmp_path), *SMALL, *endless)
    assert run_cli("train", *data, "--out", tmp_path / "run", "--time-budget", "0.5s").status == 0
    assert "budget" in finished(tmp_path / "run")


def test_it_starts_at_another_runs_weights(run_cli: Any, pair_run: Path, tmp_path: Path) -> None:
    still = ("--set", "optimizer.learning_rate=1e-30", "--set", "training.epochs=1", "--device", "cpu")
    ended = run_cli("train", pair_run / "recipe.toml", "--from", pair_run, "--out", tmp_path / "run", *still)
    assert ended.status == 0, ended.stderr
    before, after = (Run.open(path).model.state_dict() for path in (pair_run, tmp_path / "run"))
    assert all(torch.allclose(before[name], after[name]) for name in before)


# What stands in the folder, by file name; what is typed behind `readhead train`; what is answered.
# {d} is the folder. Own data is trained as pairs if nothing else is typed.
Files = Mapping[str, str | bytes]
OWN_DATA = ("--task", "pair", "--data", "{d}/own.csv")
OWN_LINES = ("--task", "pair", "--data", "{d}/own.jsonl")
LINE = '{"premise": "a", "hypothesis": "b", "label": "x"}\n'
NO_CUDA = pytest.mark.skipif(torch.cuda.is_available(), reason="a CUDA device can be used here")

REFUSED: dict[str, tuple[Files, Sequence[str], str]] = {
    "missing column": (
        {"own.csv": "premise,label\na,x\n"},
        OWN_DATA,
        "{d}/own.csv:1: no hypothesis column",
    ),
    "missing column that was named": (
        {"own.csv": GOOD},
        (*OWN_DATA, "--label-column", "gold"),
        "{d}/own.csv:1: no column 'gold'",
    ),
    "missing key": (
        {"own.jsonl": LINE + '{"premise": "a", "label": "x"}\n'},
        OWN_LINES,
        "{d}/own.jsonl:2: no 'hypothesis'; expected a string",
    ),
    "one text column for two texts": (
        {"own.csv": GOOD},
        (*OWN_DATA, "--text-column", "premise"),
        "1 text column named; expected 2, for premise and hypothesis",
    ),
    "unknown label in dev": (
        {"own.csv": GOOD, "dev.csv": "premise,hypothesis,label\na,b,a\na,b,c\n"},
        (*OWN_DATA, "--dev", "{d}/dev.csv"),
        "{d}/dev.csv:3: label 'c' never occurs in own.csv; expected one of a, b",
    ),
    "one label": (
        {"own.csv": "premise,hypothesis,label\na,b,x\nc,d,x\n"},
        OWN_DATA,
        "{d}/own.csv: every row has the label 'x'; expected at least two different labels",
    ),
    "empty label": (
        {"own.csv": "premise,hypothesis,label\na,b,x\nc,d,\n"},
        OWN_DATA,
        "{d}/own.csv:3: no label in 'label'",
    ),
    "broken JSON": ({"own.jsonl": LINE + '{"premise": \n'}, OWN_LINES, "{d}/own.jsonl:2: broken JSON"),
    "JSON that is no object": ({"own.jsonl": LINE + "[1]\n"}, OWN_LINES, "{d}/own.jsonl:2: this is a list"),
    "broken CSV": (
        {"own.csv": GOOD + '"open,b,a\n'},
        OWN_DATA,
        "{d}/own.csv:22: a quoted field is still open",
    ),
    "a field too few": (
        {"own.csv": GOOD + "a,b\n"},
        OWN_DATA,
        "{d}/own.csv:22: 2 fields where the header has 3",
    ),
    "Latin-1": (
        {"own.csv": GOOD.encode() + "café,b,a\n".encode("latin-1")},
        OWN_DATA,
        "{d}/own.csv:22: byte 0xe9",
    ),
    "UTF-16": ({"own.csv": GOOD.encode("utf-16")}, OWN_DATA, "{d}/own.csv:1: the file is UTF-16, not UTF-8"),
    "empty file": ({"own.csv": ""}, OWN_DATA, "{d}/own.csv: nothing to read here"),
    "only a header": (
        {"own.csv": "premise,hypothesis,label\n"},
        OWN_DATA,
        "{d}/own.csv:1: only a header; expected rows",
    ),
    "a label for a language model": (
        {"own.txt": "one\ntwo\n"},
        ("--task", "language-model", "--data", "{d}/own.txt", "--label-column", "label"),
        "--label-column label: the task language-model has no labels",
    ),
    "plain text that should have labels": (
        {"own.txt": "one\ntwo\n"},
        ("--task", "classify", "--data", "{d}/own.txt"),
        "{d}/own.txt:1: no label column",
    ),
    "no file": ({}, OWN_DATA, "{d}/own.csv: no such file"),
    "no dev file": ({"own.csv": GOOD}, (*OWN_DATA, "--dev", "{d}/dev.csv"), "{d}/dev.csv: no such file"),
    "a folder as data": ({}, ("--task", "pair", "--data", "{d}"), "{d}: this is a directory; expected a file"),
    "another format": (
        {"own.xlsx": "x"},
        ("--task", "pair", "--data", "{d}/own.xlsx"),
        "expected .csv, .tsv, .jsonl, .parquet, .txt; in the spreadsheet, save the sheet as 'CSV UTF-8'",
    ),
    "vectors of a smaller width": (
        {"own.csv": GOOD, "v.txt": "text 1 2 3\n"},
        (*OWN_DATA, "--vectors", "{d}/v.txt", "--set", "vectors.dim=100"),
        "{d}/v.txt:1: expected vectors of 100 values, found 3",
    ),
    "vectors of a greater width": (
        {"own.csv": GOOD, "v.txt": "text 1 2 3\nother 1 2 3\n"},
        (*OWN_DATA, "--vectors", "{d}/v.txt", "--set", "vectors.dim=2"),
        "{d}/v.txt:1: expected a word and 2 values, found 3 values",
    ),
    "vectors of changing width": (
        {"own.csv": GOOD, "v.txt": "text 1 2\nother 1\n"},
        (*OWN_DATA, "--vectors", "{d}/v.txt", "--set", "vectors.dim=2"),
        "{d}/v.txt:2: expected a word and 2 values, found 1 value",
    ),
    "no vectors": (
        {"own.csv": GOOD},
        (*OWN_DATA, "--vectors", "{d}/v.txt"),
        "{d}/v.txt: no such file; expected word vectors in GloVe's text format",
    ),
    "no vectors of the recipe": (
        {"none/.keep": ""},
        ("snli/lstm", "--corpora", f"{CORPORA}"),
        "no vectors 'glove.840B.300d'; expected a path, or glove.840B.300d.txt (or .gz, .xz, .zip) in "
        f"{CORPORA}/vectors; `readhead data list` tells where vectors come from",
    ),
    "no corpus": (
        {"corpora/.keep": ""},
        ("snli/lstm", "--corpora", "{d}/corpora"),
        "{d}/corpora/snli/snli_1.0_train.jsonl: not found",
    ),
    "a broken line in a corpus": (
        {"corpora/snli/snli_1.0_train.jsonl": '{"gold_label": "maybe"}\n'},
        ("snli/lstm", "--corpora", "{d}/corpora"),
        "{d}/corpora/snli/snli_1.0_train.jsonl:1: unknown gold_label 'maybe'",
    ),
    "no corpora folder": ({}, ("snli/lstm", "--corpora", "{d}/no"), "{d}/no: --corpora: no such folder"),
    "unknown recipe": ({}, ("snli/decomposible",), "did you mean 'snli/decomposable'"),
    "no recipe file": ({}, ("{d}/mine.toml",), "{d}/mine.toml: no such recipe file"),
    "unknown recipe key": (
        {"mine.toml": '[training]\nepoch = 3\n[corpus]\nkind = "snli"\n'},
        ("snli/lstm", "--set", "training.epoch=3"),
        "[training] has an unknown key 'epoch'; did you mean 'epochs'?",
    ),
    "unknown section": ({}, ("snli/lstm", "--set", "trainin.epochs=3"), "did you mean 'training'"),
    "a value of another type": (
        {},
        ("snli/lstm", "--set", "training.epochs=many"),
        "[training] epochs = 'many': expected int",
    ),
    "no change": ({}, ("snli/lstm", "--set", "epochs"), "--set epochs: expected section.key=value"),
    "broken TOML": (
        {"mine.toml": '[corpus]\nkind = "snli\n'},
        ("{d}/mine.toml",),
        "{d}/mine.toml: not valid TOML: Illegal character '\\n' (at line 2, column 13)",
    ),
    "a recipe without a section": (
        {"mine.toml": '[corpus]\nkind = "snli"\n'},
        ("{d}/mine.toml",),
        "{d}/mine.toml: the section [task] is missing",
    ),
    "unknown task": ({"own.csv": GOOD}, ("--task", "pairs", *OWN_DATA[2:]), "--task pairs: did you mean 'pair'?"),
    "no task": ({"own.csv": GOOD}, OWN_DATA[2:], "--data goes with a --task; known: classify, pair"),
    "no data": ({}, ("--task", "pair"), "expected either a RECIPE"),
    "nothing": ({}, (), "expected either a RECIPE (`readhead recipes` lists them) or --task TASK --data FILE"),
    "recipe and data": ({"own.csv": GOOD}, ("snli/lstm", *OWN_DATA), "expected either a RECIPE"),
    "recipe and task": ({}, ("snli/lstm", "--task", "pair"), "--task goes with --data FILE"),
    "recipe and vectors": ({}, ("snli/lstm", "--vectors", "v"), "--vectors goes with --data FILE"),
    "recipe and column": ({}, ("snli/lstm", "--text-column", "v"), "--text-column goes with --data FILE"),
    "unknown reader": (
        {"own.csv": GOOD},
        (*OWN_DATA, "--reader", "decomposible"),
        "--reader decomposible: did you mean 'decomposable'? known: decomposable, lstm, words",
    ),
    "unknown device": ({"own.csv": GOOD}, (*OWN_DATA, "--device", "gpu"), "--device gpu: expected auto, cpu, cuda"),
    "unknown precision": (
        {"own.csv": GOOD},
        (*OWN_DATA, "--precision", "fp32"),
        "--precision fp32: expected no, bf16 or fp16",
    ),
    "no length of time": (
        {"own.csv": GOOD},
        (*OWN_DATA, "--time-budget", "soon"),
        "'soon' is no length of time; expected such as 90s, 5m or 1h",
    ),
    "no time": ({"own.csv": GOOD}, (*OWN_DATA, "--time-budget", "0m"), "'0m' is no length of time"),
    "no run to start from": ({"own.csv": GOOD}, (*OWN_DATA, "--from", "{d}/no"), "{d}/no"),
    "a pickle to start from": (
        {"own.csv": GOOD, "old/weights.safetensors": pickle.dumps({"a": 1})},
        (*OWN_DATA, "--from", "{d}/old"),
        "{d}/old/weights.safetensors: this is a pickle, which can run code when opened; expected safetensors",
    ),
    "cut weights to start from": (
        {"own.csv": GOOD, "old/weights.safetensors": b"\x10\0\0"},
        (*OWN_DATA, "--from", "{d}/old"),
        "{d}/old/weights.safetensors: the file is damaged or cut short",
    ),
    "a file as run": ({"own.csv": GOOD}, (*OWN_DATA, "--out", "{d}/own.csv"), "{d}/own.csv: this is a file"),
    "below a file": ({"own.csv": GOOD}, (*OWN_DATA, "--out", "{d}/own.csv/run"), "{d}/own.csv/run"),
    "a full folder as run": (
        {"own.csv": GOOD, "full/mine.txt": "keep"},
        (*OWN_DATA, "--out", "{d}/full"),
        "{d}/full: the run directory is not empty; give another --out, or --resume",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_a_mistake_is_told_in_one_line_and_nothing_is_written(
    run_cli: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, case: str
) -> None:
    files, typed, told = REFUSED[case]
    for name, content in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    monkeypatch.chdir(tmp_path)
    before = files_below(tmp_path)
    arguments = [argument.replace("{d}", str(tmp_path)) for argument in typed]
    out = [] if "--out" in arguments else ["--out", str(tmp_path / "out")]
    device = [] if "--device" in arguments else ["--device", "cpu"]
    message = refusal(run_cli("train", *arguments, *out, *device))
    assert told.replace("{d}", str(tmp_path)) in message
    assert files_below(tmp_path) == before


@NO_CUDA
@pytest.mark.parametrize("device", ["cuda", "cuda:1"])
def test_cuda_where_there_is_none_is_refused(run_cli: Any, tmp_path: Path, device: str) -> None:
    data = ("--task", "pair", "--data", OWN / "pairs.csv", "--out", tmp_path / "out", "--device", device)
    assert refusal(run_cli("train", *data)).startswith(f"--device {device}: no CUDA device can be used here")
    assert not (tmp_path / "out").exists()


def test_a_cuda_device_that_is_not_there_is_refused(
    run_cli: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 2)
    data = ("--task", "pair", "--data", OWN / "pairs.csv", "--out", tmp_path / "out", "--device", "cuda:2")
    assert refusal(run_cli("train", *data)) == "--device cuda:2: found 2 CUDA devices, the first is cuda:0"


def test_another_recipe_cannot_resume_a_run(run_cli: Any, pair_run: Path, tmp_path: Path) -> None:
    run = Path(shutil.copytree(pair_run, tmp_path / "run"))
    before = files_below(tmp_path)
    resume = ("--out", run, "--resume", "--device", "cpu", "--corpora", tmp_path)
    message = refusal(run_cli("train", run / "recipe.toml", "--set", "training.epochs=7", *resume))
    told = f"to resume it: readhead train {run}/recipe.toml --out {run} --seed 0 --corpora {tmp_path} --resume"
    assert message == f"{run}/recipe.toml: the run was started with another recipe; {told}"
    assert files_below(tmp_path) == before
