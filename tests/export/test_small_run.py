"""A smaller run: the same reader in fewer bytes, and it says what that cost."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.numpy import load_file, save_file

from readhead import recipe
from readhead.errors import InputError
from readhead.export.small_run import Cost, Smaller, write_small_run
from readhead.prediction.predictor import Predictor
from readhead.run import Run
from readhead.training.request import Request
from readhead.training.start import train
from tests.tiny import tiny_recipe

CORPORA = Path(__file__).parents[1] / "fixtures" / "corpora"
PAIRS = [{"premise": f"The {who} sings.", "hypothesis": f"A {who} sings."} for who in ("baker", "judge", "ghost")]


def trained(chosen: recipe.Recipe, folder: Path) -> Run:
    torch.manual_seed(0)
    train(Request(recipe=chosen, out=folder / "run", corpora=CORPORA, device="cpu", quiet=True))
    return Run.open(folder / "run")


@pytest.fixture(scope="module", params=["true", "false"], ids=["table trains", "table frozen"])
def run(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Run:
    folder = tmp_path_factory.mktemp("run")
    changes = (f"embedding.trainable={request.param}", "training.epochs=2", "optimizer.learning_rate=0.01")
    return trained(tiny_recipe(folder, changes), folder)


@pytest.fixture(scope="module")
def language_model(tmp_path_factory: pytest.TempPathFactory) -> Run:
    chosen = recipe.read("ptb/lstm", ["vectors.dim=8", "reader.hidden_dim=8", "training.epochs=1"])
    return trained(chosen, tmp_path_factory.mktemp("lm"))


def table(run: Run) -> torch.Tensor:
    return run.model.embedding.table.detach()  # type: ignore[union-attr,return-value,operator]


def written(run: Run, out: Path, **asked: Any) -> Smaller:
    return write_small_run(run, out, **{"int8": True, "keep": None, "corpora": CORPORA} | asked)


def test_it_is_a_whole_run_with_rows_in_eight_bits(run: Run, tmp_path: Path) -> None:
    made = written(run, tmp_path / "out")
    holds = {path.relative_to(tmp_path / "out").as_posix() for path in (tmp_path / "out").rglob("*")}
    assert holds == {path.name for path in run.files.shared}
    kept = [load_file(tmp_path / "out" / path.name) for path in (run.files.weights, run.files.vectors)]
    name = "embedding.table" if run.recipe.table_trains else "table"
    assert [tensors[name].dtype for tensors in kept if name in tensors] == [np.int8]
    assert made.after == sum(path.stat().st_size for path in (tmp_path / "out").iterdir())
    assert {values.dtype for name, values in kept[0].items() if values.ndim > 1} <= {
        np.dtype("int8"),
        np.dtype("float16"),
    }
    assert list(tmp_path.iterdir()) == [tmp_path / "out"]


def test_it_reads_as_the_run_does_but_for_the_rounding(run: Run, tmp_path: Path) -> None:
    written(run, tmp_path / "out")
    small = Run.open(tmp_path / "out")
    assert torch.equal(table(small), table(Run.open(tmp_path / "out")))
    assert not torch.equal(table(small), table(run))
    assert ((table(small) - table(run)).abs() <= table(run).abs().amax(1, keepdim=True) / 253).all()
    others = small.model.state_dict().keys() - {"embedding.table"}
    for name in others:
        weight = run.model.state_dict()[name]
        assert torch.equal(small.model.state_dict()[name], weight.half().float() if weight.ndim > 1 else weight)
    before, after, again = (
        Predictor(run=one).answers(PAIRS) for one in (Run.open(run.files.folder), small, Run.open(tmp_path / "out"))
    )
    assert after == again
    for one, other in zip(before, after, strict=True):
        assert list(one["scores"].values()) == pytest.approx(list(other["scores"].values()), abs=0.01)


def test_weights_too_large_for_it_are_told(run: Run, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(run.files.folder, tmp_path / "run"))
    weights = load_file(folder / "weights.safetensors")
    name = next(name for name, values in weights.items() if values.ndim > 1 and name != "embedding.table")
    save_file(weights | {name: weights[name] + 70_000}, folder / "weights.safetensors")
    with pytest.raises(InputError, match=f"'{name}' holds numbers that are too large for float16"):
        written(Run.open(folder), tmp_path / "out")
    assert [path.name for path in tmp_path.iterdir()] == ["run"]


def test_the_most_frequent_words_keep_their_rows(run: Run, tmp_path: Path) -> None:
    made = written(run, tmp_path / "out", int8=False, keep=5)
    small = Run.open(tmp_path / "out")
    assert (made.kept, made.of) == (5, len(run.vocabulary.words))
    assert small.vocabulary.words == run.vocabulary.words[:5]
    assert torch.equal(table(small), table(run)[: len(small.vocabulary)])
    assert small.record.parameters == sum(p.numel() for p in small.model.parameters() if p.requires_grad)


def test_the_cost_is_measured_told_and_kept(run: Run, tmp_path: Path) -> None:
    made = written(run, tmp_path / "out", keep=3)
    assert isinstance(made.cost, Cost)
    assert (made.cost.split, made.cost.n, set(made.cost.figures)) == ("dev", 16, {"accuracy", "ece", "calibrated_loss"})
    before, after = made.cost.figures["accuracy"]
    assert before == pytest.approx(run.record.best["value"])
    card = (tmp_path / "out" / "README.md").read_text()
    assert f"on the dev split (16 examples): accuracy {before:.4f} → {after:.4f}" in card
    smaller = json.loads((tmp_path / "out" / "run.json").read_text())["smaller"]
    assert smaller["cost"]["before_after"]["accuracy"] == [before, after]
    assert Run.open(tmp_path / "out").record.is_done(budget=1e9), "nothing to go on with"


def test_without_the_corpus_that_is_told(run: Run, tmp_path: Path) -> None:
    data = Path(str(run.recipe.parts["corpus"].options["train"]))
    hidden = data.rename(data.with_suffix(".away"))
    try:
        made = written(run, tmp_path / "out")
    finally:
        hidden.rename(data)
    assert made.cost == f"{data}: no such file"
    assert "What that costs was not measured." in (tmp_path / "out" / "README.md").read_text()


def test_a_smaller_one_of_a_smaller_one(run: Run, tmp_path: Path) -> None:
    written(run, tmp_path / "one")
    written(Run.open(tmp_path / "one"), tmp_path / "two", keep=4)
    assert torch.allclose(table(Run.open(tmp_path / "two")), table(Run.open(tmp_path / "one"))[: 4 + 104], atol=1e-6)


def test_a_damaged_table_is_named(run: Run, tmp_path: Path) -> None:
    written(run, tmp_path / "out")
    name = "weights" if run.recipe.table_trains else "vectors"
    path = tmp_path / "out" / f"{name}.safetensors"
    save_file({name: values for name, values in load_file(path).items() if not name.endswith("table.scale")}, path)
    with pytest.raises(InputError, match=rf"{name}\.safetensors: .* expected '.*table\.scale' with a number"):
        Run.open(tmp_path / "out")


def test_a_language_models_softmax_is_in_eight_bits_too(language_model: Run, tmp_path: Path) -> None:
    made = written(language_model, tmp_path / "out")
    kept = load_file(tmp_path / "out" / "weights.safetensors")
    assert {name for name, values in kept.items() if values.dtype == np.int8} == {
        "embedding.table",
        "predict.linear.weight",
    }
    assert isinstance(made.cost, Cost)
    before, after = made.cost.figures["perplexity"]
    assert after == pytest.approx(before, rel=0.01)


def expect_refusal(make: Callable[[], object], message: str, folder: Path) -> None:
    with pytest.raises(InputError, match=message):
        make()
    assert not list(folder.iterdir())


def test_refusals(run: Run, language_model: Run, tmp_path: Path) -> None:
    out = tmp_path / "out"
    expect_refusal(lambda: written(run, out, int8=False), "expected --int8, --keep N, or both", tmp_path)
    expect_refusal(lambda: written(run, out, keep=0), "--keep 0: expected from 1 to 15", tmp_path)
    expect_refusal(lambda: written(run, out, keep=16), "--keep 16: expected from 1 to 15", tmp_path)
    expect_refusal(lambda: written(language_model, out, keep=9), "is another model; train it with", tmp_path)
    (tmp_path / "full").mkdir()
    shutil.copy(__file__, tmp_path / "full")
    with pytest.raises(InputError, match="full: expected a folder that is not there yet"):
        written(run, tmp_path / "full")


def test_the_command(run_cli: Any, run: Run, tmp_path: Path) -> None:
    made = run_cli("export", run.files.folder, tmp_path / "out", "--format", "run", "--int8", "--keep", "9")
    assert (made.status, made.stderr) == (0, "")
    first, *told = made.stdout.splitlines()
    assert first.startswith(f"written: {tmp_path / 'out'}, ")
    assert first.endswith(" 9 of 15 words")
    assert told[1] == "what that costs, on the dev split (16 examples):"
    assert [line.split()[0] for line in told[2:]] == ["figure", "accuracy", "ece", "calibrated"]
    refused = run_cli("export", run.files.folder, tmp_path / "x.onnx", "--format", "onnx", "--keep", "9")
    assert (refused.status, refused.stderr) == (2, "readhead: --keep goes with --format run\n")
