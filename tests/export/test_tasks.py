"""Every form of answer, from a trained run to the folder's own reader, which `export_onnx` compares with the run."""

from __future__ import annotations

import json
import runpy
from collections.abc import Sequence
from pathlib import Path

import pytest
import torch

from readhead import recipe
from readhead.prediction.predictor import Predictor
from readhead.run import Run
from readhead.training.request import Request
from readhead.training.start import train

pytest.importorskip("onnxscript")
pytest.importorskip("onnxruntime")

from readhead.export.check import difference, predicted
from readhead.export.to_onnx import Exported, export_onnx

FIXTURES = Path(__file__).parents[1] / "fixtures"


def exported(name: str, changes: Sequence[str], folder: Path, *, int8: bool = False) -> Exported:
    torch.manual_seed(0)
    chosen = recipe.read(name, ["training.epochs=1", *changes])
    train(Request(recipe=chosen, out=folder / "run", corpora=FIXTURES / "corpora", device="cpu", quiet=True))
    return export_onnx(Run.open(folder / "run"), folder / "out", int8=int8, corpora=FIXTURES / "corpora")


def assert_answers_as_the_run(folder: Path, records: list[dict[str, object]]) -> None:
    reader = runpy.run_path(str(folder / "out" / "reader.py"))["Reader"]()
    expected = predicted(Predictor(run=Run.open(folder / "run")), records)
    assert difference(expected, reader.answers(records)) <= 1e-5


@pytest.mark.slow
def test_candidates(tmp_path: Path) -> None:
    questions = f"corpus.train={FIXTURES / 'own' / 'questions.csv'}"
    small = ["vectors.dim=8", "model.hidden_dim=8", "corpus.dev_fraction=0.3"]
    exported("rank/decomposable", [questions, *small], tmp_path)
    records = [
        {"question": "Who keeps the bees?", "candidates": ["Two sisters keep the bees.", "It rains.", "It rains."]},
        {"question": "who?", "candidates": []},
    ]
    assert_answers_as_the_run(tmp_path, records)


@pytest.mark.slow
def test_surprisal(tmp_path: Path) -> None:
    small = ["vectors.dim=8", "reader.hidden_dim=8", "reader.num_layers=1"]
    done = exported("ptb/lstmn", [*small, "text.max_tokens=6"], tmp_path, int8=True)
    assert done.cost is not None
    assert (done.cost.figure, done.cost.measured_on) == ("perplexity", "the dev split")
    assert done.cost.after == pytest.approx(done.cost.before, rel=0.05)
    reader = runpy.run_path(str(tmp_path / "out" / "reader.py"))["Reader"]()
    (told,) = reader.answers([{"text": "the company zyxomma"}])
    assert told["tokens"] == ["the", "company", "zyxomma", "⊣"]
    assert len(told["surprisal"]) == 4
    assert told["unknown"] == [2]
    assert "draws no words" in reader.answers([{"text": "the", "continue": 3}])[0]["error"]
    config = json.loads((tmp_path / "out" / "config.json").read_text(encoding="utf-8"))
    assert (config["answers"], config["first"], config["last"]) == ("surprisal", "start", "end")


@pytest.mark.slow
def test_grouped_labels(tmp_path: Path) -> None:
    reviews = f"corpus.train={FIXTURES / 'own' / 'reviews.tsv'}"
    exported("classify/words", [reviews, "vectors.dim=8", 'task.groups={bad=["1"], good=["5"]}'], tmp_path)
    assert_answers_as_the_run(tmp_path, [{"text": "It works."}, {"text": ""}])
    reader = runpy.run_path(str(tmp_path / "out" / "reader.py"))["Reader"]()
    (told,) = reader.answers([{"text": "It works."}])
    assert list(told["groups"]) == ["bad", "good"]
    assert sum(told["groups"].values()) == pytest.approx(1)
