"""What is refused before anything is written, and what a training starts from."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from readhead import recipe
from readhead.data.vocabulary import Vocabulary
from readhead.errors import InputError
from readhead.optimizers import Adam
from readhead.run import Run
from readhead.training.request import Request
from readhead.training.start import train
from tests.tiny import tiny_recipe, write_pairs


def _request(folder: Path, out: str, changes: tuple[str, ...] = (), **more: object) -> Request:
    chosen = tiny_recipe(folder, changes)
    given = {"recipe": chosen, "out": folder / out, "corpora": folder, "device": "cpu", "quiet": True} | more
    return Request(**given)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("training.batch_size=0", r"\[training\] batch_size = 0: expected at least 1"),
        ("training.epochs=0", r"\[training\] epochs = 0: expected at least 1"),
        ("training.patience=0", r"\[training\] patience = 0: expected at least 1"),
        ("training.decay=0.0", r"\[training\] decay = 0.0: expected more than 0"),
        ("training.gradient_norm=-1.0", r"\[training\] gradient_norm = -1.0: expected more than 0"),
        ("optimizer.learning_rate=-1.0", r"\[optimizer\] learning_rate = -1.0: expected more than 0"),
        ("optimizer.learning_rate=nan", r"\[optimizer\] learning_rate = nan"),
        ("vectors.dim=0", r"\[vectors\] dim = 0: expected at least 1"),
        ("text.max_tokens=0", r"\[text\] max_tokens = 0: expected at least 1"),
        ("summary.x=1", "expected section.key=value"),
    ],
)
def test_numbers_that_cannot_be_are_told(tmp_path: Path, change: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        tiny_recipe(tmp_path, (change,))


def test_means_that_never_forget_are_told() -> None:
    with pytest.raises(InputError, match=r"\[optimizer\] beta2 = 1.0: expected less than 1"):
        Adam(beta2=1.0)


@pytest.mark.parametrize("change", ["model.hidden_dim=0", "model.num_layers=-1", "embedding.projection_dim=0"])
def test_a_size_that_cannot_be_leaves_no_trace(tmp_path: Path, change: str) -> None:
    _, _, option = change.partition(".")
    with pytest.raises(InputError, match=option.replace("=", " = ")):
        train(_request(tmp_path, "run", (change,)))
    assert not (tmp_path / "run").exists()


def test_a_task_that_reads_other_texts_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="the task reads text, but the corpus gives premise, hypothesis"):
        train(_request(tmp_path, "run", ("task.kind=classify",)))
    assert not (tmp_path / "run").exists()


def test_a_model_that_reads_other_texts_is_told(tmp_path: Path) -> None:
    document = recipe.parse(recipe.find("classify/words"))
    document["corpus"] = {"kind": "file", "task": "pair", "train": str(write_pairs(tmp_path))}
    document["task"] = {"kind": "pair"}
    chosen = recipe.check(document, name="mixed")
    with pytest.raises(InputError, match="the model reads 1 at once, but the corpus gives 2 texts, premise, hypoth"):
        train(Request(recipe=chosen, out=tmp_path / "run", corpora=tmp_path, device="cpu", quiet=True))
    assert not (tmp_path / "run").exists()


def test_a_split_without_a_label_is_told(tmp_path: Path) -> None:
    dev = tmp_path / "dev.jsonl"
    dev.write_text('{"premise": "a", "hypothesis": "b", "label": "-"}\n')
    with pytest.raises(InputError, match=r"dev.jsonl: the dev split has no labelled example"):
        train(_request(tmp_path, "run", (f'corpus.dev="{dev}"',)))
    assert not (tmp_path / "run").exists()


def test_fp16_on_a_cpu_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="--precision fp16: a CPU has none"):
        train(_request(tmp_path, "run", precision="fp16"))


def test_mixed_precision_trains_in_it_and_scores_in_float32(tmp_path: Path) -> None:
    record = train(_request(tmp_path, "run", precision="bf16"))
    assert record.precision == "bf16"
    assert train(_request(tmp_path, "other")).precision == "no", "the first training's precision stuck"


def test_from_takes_weights_over_word_by_word(tmp_path: Path) -> None:
    train(_request(tmp_path, "first"))
    data = tmp_path / "more.jsonl"
    rows = (tmp_path / "pairs.jsonl").read_text()
    data.write_text(rows.replace("baker", "welder"))
    # A learning rate next to nothing: what it ends with is what it began with.
    changes = (f'corpus.train="{data}"', "optimizer.learning_rate=1e-12", "training.epochs=1")
    record = train(_request(tmp_path, "second", changes, start=tmp_path / "first"))
    assert record.started_from == str(tmp_path / "first")
    tables, rows_of = [], []
    for name in ("first", "second"):
        run = Run.open(tmp_path / name)
        tables.append(run.model.state_dict()["embedding.table"])
        rows_of.append(dict(zip(run.vocabulary.words, run.vocabulary.word_rows, strict=True)))
    shared = rows_of[0].keys() & rows_of[1].keys()
    assert "sailor" in shared and "welder" not in shared
    for word in shared:
        torch.testing.assert_close(tables[1][rows_of[1][word]], tables[0][rows_of[0][word]], rtol=0, atol=1e-6)


def test_from_a_run_with_other_labels_is_refused(tmp_path: Path) -> None:
    train(_request(tmp_path, "first"))
    data = tmp_path / "renamed.jsonl"
    data.write_text((tmp_path / "pairs.jsonl").read_text().replace('"neutral"', '"unclear"'))
    with pytest.raises(InputError, match="expected a run with the same labels"):
        train(_request(tmp_path, "second", (f'corpus.train="{data}"',), start=tmp_path / "first"))
    assert not (tmp_path / "second").exists()


def test_vocabularies_come_and_go_as_bytes(tmp_path: Path) -> None:
    words = Vocabulary(words=["a", "b"], oov_rows=1)
    words.save(tmp_path / "vocabulary.txt")
    assert (tmp_path / "vocabulary.txt").read_bytes() == words.to_bytes()
    assert Vocabulary.open(tmp_path / "vocabulary.txt").words == ["a", "b"]
