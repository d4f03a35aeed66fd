"""Language models from a recipe to answers: sentence by sentence, as running text, and counted."""

from __future__ import annotations

import io
import json
import math
import shutil
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from readhead import recipe
from readhead.errors import InputError, Interrupted
from readhead.layers.next_words import classes_of
from readhead.prediction.evaluation import evaluate_split
from readhead.prediction.predictor import Predictor
from readhead.prediction.records import Form, line_chunks, read_lines
from readhead.prediction.sampling import Continuation, drawn
from readhead.recipe import Recipe
from readhead.run import Run, RunRecord
from readhead.training.request import Request
from readhead.training.start import train
from readhead.training.trainer import Trainer

CORPORA = Path(__file__).parents[1] / "fixtures" / "corpora"
SMALL = ("vectors.dim=6", "reader.hidden_dim=7", "optimizer.learning_rate=0.1", "training.epochs=3")
RUNNING = (*SMALL, "text.first='end'", "training.segment=5", "training.batch_size=3", "training.checkpoint_seconds=0.0")


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
    # With dropout, and a tape of bounded length.
    changes = [*RUNNING, "model.dropout=0.3", *(["reader.span=4"] if reader == "lstmn" else [])]
    train(request(small(f"ptb/{reader}", changes), tmp_path / "undisturbed"))
    stopped = request(small(f"ptb/{reader}", changes), tmp_path / "stopped")
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


def _vectors(folder: Path) -> Path:
    path = folder / "vectors.txt"
    path.write_text("the 0.1 0.2\n")
    return path


def test_an_epoch_of_running_text_begins_with_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begun, real_step = [], Trainer._step

    def step(self: Trainer, indices: np.ndarray) -> tuple[float, int]:
        begun.append((self.state.progress.step, bool(self.state.carried)))
        return real_step(self, indices)

    monkeypatch.setattr(Trainer, "_step", step)
    train(request(small(changes=RUNNING), tmp_path / "run"))
    assert len({number for number, _ in begun}) > 2
    assert all(carried == (number > 0) for number, carried in begun)


def test_a_tape_without_end_is_refused_for_running_text(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="span"):
        train(request(small("ptb/lstmn", RUNNING), tmp_path / "run"))
    assert not (tmp_path / "run").exists()


def test_running_text_is_no_reading_for_labels(tmp_path: Path) -> None:
    chosen = recipe.read("sst/lstm-fine", ["training.segment=5", f"vectors.file={_vectors(tmp_path)}"])
    with pytest.raises(InputError, match="segment"):
        train(request(chosen, tmp_path / "run"))
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    ("change", "told"),
    [("text.last='start'", "last"), ("text.first='null'", "from mark to mark"), ("vectors.oov='hashed'", "oov")],
)
def test_what_cannot_be_foretold_is_refused(change: str, told: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=told):
        train(request(small(changes=[*SMALL, change]), tmp_path / "run"))
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    ("name", "change", "told"),
    [
        ("ptb/lstm", "corpus.kind='sst'", "the corpus has labels"),
        ("ptb/lstm", "task.kind='classify'", "the task answers with a label, but the corpus has no labels"),
        ("ptb/lstm", "model.kind='classifier'", "the model answers with a label"),
        ("ptb/kn5", "model.order=99", "order"),
    ],
)
def test_what_does_not_fit_is_told_before_anything_is_written(
    name: str, change: str, told: str, tmp_path: Path
) -> None:
    document = recipe.parse(recipe.find(name))
    document["model"] = {"kind": document["model"]["kind"]}
    document["task"] = {"kind": document["task"]["kind"]}
    with pytest.raises(InputError, match=told):
        train(request(recipe.changed(document, [change], name=name), tmp_path / "run"))
    assert not (tmp_path / "run").exists()


def test_a_model_that_counts_is_asked_for_nothing_else(counted: Run, tmp_path: Path) -> None:
    asked = request(recipe.read("ptb/kn5"), tmp_path / "run")
    for wrong, told in (
        (replace(asked, start=counted.files.folder), "--from"),
        (replace(asked, precision="bf16"), "precision"),
    ):
        with pytest.raises(InputError, match=told):
            train(wrong)
    with pytest.raises(InputError, match=r"no \[training\]"):
        recipe.read("ptb/kn5", ["training.segment=5"])
    assert not (tmp_path / "run").exists()


def test_words_keep_their_vectors_and_their_place_in_the_softmax(trained: Run, tmp_path: Path) -> None:
    corpora = tmp_path / "corpora"
    shutil.copytree(CORPORA / "ptb", corpora / "ptb")
    train_file = corpora / "ptb" / "ptb.train.txt"
    # Another order of frequencies gives the same words other rows.
    train_file.write_text(train_file.read_text() + " newcomer ferry ferry ferry ferry ferry ferry ferry\n" * 5)
    out = tmp_path / "run"
    still = [*SMALL, "training.batch_size=4", "training.epochs=1", "optimizer.learning_rate=1e-12"]
    train(replace(request(small(changes=still), out), corpora=corpora, start=trained.files.folder))
    run = Run.open(out)
    for word in ("ferry", "the", "company", "<unk>"):
        old, new = (int(one.vocabulary.ids([word])[0]) for one in (trained, run))
        assert (old != new) or word != "ferry"
        for one, other in zip(_of_word(trained, old), _of_word(run, new), strict=True):
            torch.testing.assert_close(one, other, rtol=0, atol=1e-6)


def _of_word(run: Run, row: int) -> list[torch.Tensor]:
    place = classes_of(torch.tensor(row))
    return [
        run.model.embedding.table[row],
        run.model.predict.linear.weight[place],
        run.model.predict.linear.bias[place],
    ]


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
    assert answer["tokens"] == ["the", "company", "said", "it", "will", "sell", "⊣"]
    assert math.log2(answer["perplexity"]) == pytest.approx(sum(answer["surprisal"]) / 7, rel=1e-5)


def test_n_grams_are_less_surprised_by_sense(counted: Run) -> None:
    texts = [{"text": "sell will it"}, {"text": "it will sell"}]
    nonsense, sense = Predictor(run=counted).answers(texts)
    assert nonsense["perplexity"] > 2 * sense["perplexity"]


def test_unknown_words_are_told(counted: Run) -> None:
    known, unknown = Predictor(run=counted).answers([{"text": "the company"}, {"text": "the zzz said qqq"}])
    assert "unknown" not in known
    assert unknown["unknown"] == [1, 3]
    assert unknown["surprisal"][1] == pytest.approx(
        Predictor(run=counted).answers([{"text": "the qqq"}])[0]["surprisal"][1]
    )


def gone_on(run: Run, text: str, *, words: int, seed: int) -> str:
    return Predictor(run=run).continuation({"text": text}, Continuation(words, seed))


@pytest.mark.parametrize("kind", ["trained", "counted"])
def test_a_text_is_gone_on_with(kind: str, request: pytest.FixtureRequest) -> None:
    run = request.getfixturevalue(kind)
    drawn = [gone_on(run, "the company", words=6, seed=seed) for seed in (1, 1, 2, 3, 4)]
    assert drawn[0] == drawn[1]
    assert len(set(drawn)) > 2
    assert all(len(words.split()) <= 6 for words in drawn)


def test_words_are_drawn_as_often_as_they_are_likely(counted: Run) -> None:
    given = torch.tensor([counted.vocabulary.marker_row("start"), *counted.vocabulary.ids(["the"])])
    row = Counter(next(drawn(counted.model, given, seed=seed)) for seed in range(400))
    likely = counted.model.ngrams.distribution(given.numpy())
    for place in likely.argsort()[-3:]:
        expected = 400 * likely[place]
        assert abs(row[int(place)] - expected) < 4 * math.sqrt(expected)


def test_records_ask_for_words(counted: Run, trained: Run) -> None:
    lines = [
        {"text": "the company", "continue": 3, "seed": 4},
        {"text": "the company", "continue": -1},
        {"text": "the company", "seed": True},
        {"text": "the company", "id": "a7"},
        {"text": "the " * 500, "continue": 3},
    ]
    written = b"".join(json.dumps(line).encode() + b"\n" for line in lines)
    chunks = read_lines(line_chunks(io.BytesIO(written)), Form(("text",)))
    (answers,) = Predictor(run=counted).stream(chunks)
    assert len(answers[0]["continuation"].split()) <= 3
    assert answers[1] == {"error": '"continue" must be a whole number from 0 to 10000, not -1', "line": 2}
    assert "not true" in answers[2]["error"]
    assert "continuation" not in answers[3]
    assert answers[4] == {"error": "expected at most 400 words to go on from", "line": 5}


@pytest.mark.parametrize("kind", ["trained", "counted"])
def test_explained(kind: str, request: pytest.FixtureRequest) -> None:
    explanation = Predictor(run=request.getfixturevalue(kind)).explain({"text": "the company said"})
    assert json.loads(explanation.to_json())["answer"].keys() == {"perplexity", "surprisal"}
