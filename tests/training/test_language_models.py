"""Language models from a recipe to answers: sentence by sentence, as running text, and counted."""

from __future__ import annotations

import io
import json
import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from readhead import recipe
from readhead.errors import InputError, Interrupted
from readhead.prediction.evaluation import evaluate_split
from readhead.prediction.predictor import Predictor
from readhead.prediction.records import line_chunks, read_lines
from readhead.recipe import Recipe
from readhead.run import Run, RunRecord
from readhead.training.request import Request
from readhead.training.start import train
from readhead.training.trainer import Trainer

CORPORA = Path(__file__).parents[1] / "fixtures" / "corpora"
SMALL = ("vectors.dim=6", "reader.hidden_dim=7", "optimizer.learning_rate=0.1", "training.epochs=3")
RUNNING = (*SMALL, "training.segment=5", "training.batch_size=3", "training.checkpoint_seconds=0.0")


def small(name: str = "ptb/lstm", changes: Sequence[str] = SMALL) -> Recipe:
    return recipe.read(name, changes)


def request(chosen: Recipe, out: Path) -> Request:
    return Request(recipe=chosen, out=out, corpora=CORPORA, device="cpu", quiet=True)


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Run:
    out = tmp_path_factory.mktemp("language-model") / "run"
    train(request(small(changes=[*SMALL, "training.batch_size=4"]), out))
    return Run.open(out)


@pytest.fixture(scope="module")
def counted(tmp_path_factory: pytest.TempPathFactory) -> Run:
    out = tmp_path_factory.mktemp("counted") / "run"
    train(request(recipe.read("ptb/kn5"), out))
    return Run.open(out)


def test_it_learns(trained: Run) -> None:
    lines = [json.loads(line) for line in trained.files.metrics.read_text().splitlines()]
    assert lines[-1]["dev_perplexity"] < 0.8 * trained.vocabulary.can_follow
    assert trained.record.best["value"] == min(line["dev_perplexity"] for line in lines)


@pytest.mark.parametrize("reader", ["lstm", "lstmn", "rnn"])
def test_running_text_goes_on_where_it_was_stopped(
    reader: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = f"ptb/{reader}"
    train(request(small(name, RUNNING), tmp_path / "undisturbed"))
    stopped = request(small(name, RUNNING), tmp_path / "stopped")
    steps, real_step = [0], Trainer._step

    def step(self: Trainer, *given: object) -> tuple[float, int]:
        steps[0] += 1
        self.stop = lambda: steps[0] >= 9
        return real_step(self, *given)  # type: ignore[arg-type]

    with monkeypatch.context() as patched, pytest.raises(Interrupted):
        patched.setattr(Trainer, "_step", step)
        train(stopped)
    train(replace(stopped, resume=True))
    same = [(tmp_path / run / "weights.safetensors").read_bytes() for run in ("undisturbed", "stopped")]
    assert same[0] == same[1]


def test_running_text_counts_as_many_tokens(tmp_path: Path) -> None:
    train(request(small(changes=[*RUNNING, "model.init_range=1e-9", "optimizer.learning_rate=1e-9"]), tmp_path / "run"))
    run = Run.open(tmp_path / "run")
    measured = evaluate_split(run, "test", corpora=CORPORA).report.metrics
    assert measured["perplexity"] == pytest.approx(run.vocabulary.can_follow, rel=1e-4)


def test_running_text_is_no_reading_for_labels(tmp_path: Path) -> None:
    chosen = recipe.read("sst/lstm-fine", ["training.segment=5"])
    with pytest.raises(InputError, match="segment"):
        train(request(chosen, tmp_path / "run"))
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    ("change", "told"),
    [("text.last='start'", "last"), ("text.first='null'", "start marker"), ("vectors.oov='hashed'", "oov")],
)
def test_what_cannot_be_foretold_is_refused(change: str, told: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=told):
        train(request(small(changes=[*SMALL, change]), tmp_path / "run"))
    assert not (tmp_path / "run").exists()


def test_counting_is_training(counted: Run) -> None:
    assert counted.record.finished == "all texts counted"
    (line,) = [json.loads(line) for line in counted.files.metrics.read_text().splitlines()]
    assert line["dev_perplexity"] == counted.record.best["value"] < counted.vocabulary.can_follow / 2
    again = evaluate_split(counted, "dev", corpora=CORPORA).report.metrics
    assert again["perplexity"] == pytest.approx(line["dev_perplexity"], rel=1e-6)


def test_counting_again_gives_the_same_file(counted: Run, tmp_path: Path) -> None:
    train(request(recipe.read("ptb/kn5"), tmp_path / "run"))
    assert (tmp_path / "run" / "weights.safetensors").read_bytes() == counted.files.weights.read_bytes()
    finished = train(replace(request(recipe.read("ptb/kn5"), tmp_path / "run"), resume=True))
    assert finished == RunRecord.open(tmp_path / "run" / "run.json")


@pytest.mark.parametrize("kind", ["trained", "counted"])
def test_answers_tell_how_surprising_each_word_is(kind: str, request: pytest.FixtureRequest) -> None:
    predictor = Predictor(run=request.getfixturevalue(kind))
    (answer,) = predictor.answers([{"text": "the company said it will sell"}])
    assert answer["tokens"] == ("the", "company", "said", "it", "will", "sell", "⊣")
    assert math.log2(answer["perplexity"]) == pytest.approx(sum(answer["surprisal"]) / 7, rel=1e-5)
    nonsense, sense = (predictor.answers([{"text": text}])[0] for text in ("sell will it", "it will sell"))
    assert kind == "trained" or nonsense["perplexity"] > sense["perplexity"]


@pytest.mark.parametrize("kind", ["trained", "counted"])
def test_a_text_is_gone_on_with(kind: str, request: pytest.FixtureRequest) -> None:
    predictor = Predictor(run=request.getfixturevalue(kind))
    one, same, other = (predictor.continuation({"text": "the company"}, words=6, seed=seed) for seed in (1, 1, 2))
    assert one == same
    assert len(one.split()) <= 6
    assert {one, other} != {one} or kind == "counted"
    assert predictor.continuation({"text": ""}, words=0, seed=0) == ""


def test_records_ask_for_words(counted: Run) -> None:
    lines = [
        {"text": "the company", "continue": 3, "seed": 4},
        {"text": "the company", "continue": -1},
        {"text": "the company", "continue": True},
        {"text": "the company"},
    ]
    written = b"".join(json.dumps(line).encode() + b"\n" for line in lines)
    chunks = read_lines(line_chunks(io.BytesIO(written)), ("text",))  # type: ignore[arg-type]
    (answers,) = Predictor(run=counted).stream(chunks)
    assert len(answers[0]["continuation"].split()) <= 3
    assert "from 0 to 10000, not -1" in answers[1]["error"]
    assert "not true" in answers[2]["error"]
    assert "continuation" not in answers[3]


@pytest.mark.parametrize("kind", ["trained", "counted"])
def test_explained(kind: str, request: pytest.FixtureRequest) -> None:
    explanation = Predictor(run=request.getfixturevalue(kind)).explain({"text": "the company said"})
    assert json.loads(explanation.to_json())["answer"].keys() == {"perplexity", "surprisal"}
