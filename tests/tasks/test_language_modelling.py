"""Loss, perplexity and answers of language modelling."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch

from readhead.data.batch import Batch, Text
from readhead.data.encoded import EncodedSplit, Ragged
from readhead.data.stream import StreamSplit
from readhead.models.output import Output
from readhead.tasks.language_modelling import LanguageModelling

# Two texts: the first has three tokens that follow another, the second one.
TEXT = Text.pad([torch.tensor([3, 5, 6, 4]).numpy(), torch.tensor([3, 4]).numpy()])
BATCH = Batch({"text": TEXT})
OUTPUT = Output(None, nats=torch.tensor([1.0, 2.0, 3.0, 0.5]))


def task(per: str = "token") -> LanguageModelling:
    return LanguageModelling(labels=(), per=per)  # type: ignore[arg-type]


@pytest.mark.parametrize(("per", "loss"), [("token", 6.5 / 4), ("sentence", 6.5 / 2)])
def test_a_loss_is_told_by_the_token(per: str, loss: float) -> None:
    mean = task(per).loss(OUTPUT, BATCH).item()
    assert mean == pytest.approx(loss)
    assert task(per).total(mean, BATCH) == pytest.approx(6.5)
    assert task(per).weight(BATCH) == 4


@pytest.mark.parametrize("per", ["token", "sentence"])
def test_perplexity_counts_tokens_and_not_batches(per: str) -> None:
    score = task(per).new_score()
    score.add(OUTPUT, BATCH, [0, 1])
    score.add(Output(None, nats=torch.tensor([4.0])), BATCH, [2])
    assert score.metrics() == pytest.approx({"perplexity": math.exp(10.5 / 5), "loss": 10.5 / 5})


def test_a_hopeless_perplexity_is_infinite() -> None:
    score = task().new_score()
    score.add(Output(None, nats=torch.tensor([1e4])), BATCH, [0])
    assert score.metrics()["perplexity"] == math.inf


def test_answers_are_in_bits_text_by_text() -> None:
    first, second = task().answers(OUTPUT, BATCH, temperature=1.0)
    assert first["surprisal"] == pytest.approx([1 / math.log(2), 2 / math.log(2), 3 / math.log(2)])
    assert first["perplexity"] == pytest.approx(math.exp(2))
    assert second["perplexity"] == pytest.approx(math.exp(0.5))
    assert second["surprisal"] == pytest.approx([0.5 / math.log(2)])
    assert 2 ** (sum(first["surprisal"]) / 3) == pytest.approx(first["perplexity"])


def test_nothing_is_right_or_wrong() -> None:
    score = task().new_score()
    score.add(OUTPUT, BATCH, [0, 1])
    report = task().report(score, temperature=1.0, lengths=np.array([[4], [2]]))
    assert report.correct is None and report.confusion is None and not report.mistakes
    assert report.shares == frozenset()


def test_a_report_knows_what_each_text_cost() -> None:
    score = task().new_score()
    score.add(Output(None, nats=torch.tensor([4.0])), Batch({"text": Text.pad([np.array([3, 4])])}), [2])
    score.add(OUTPUT, BATCH, [1, 0])  # the longer text is the second one of the split
    report = task().report(score, temperature=1.0, lengths=np.array([[2], [4], [2]]))
    assert [nats.tolist() for nats in report.nats] == [[0.5], [1.0, 2.0, 3.0], [4.0]]
    assert report.units.tolist() == [0, 1, 2]
    for name, figure in report.figures.items():
        assert figure.value == pytest.approx(report.metrics[name])


def test_a_running_text_is_put_back_into_its_texts() -> None:
    texts = [[3, 5, 6, 4], [3, 4], [3, 7, 8, 9, 4], [3, 5, 4]]
    ids, bounds = np.concatenate(texts).astype(np.int32), np.cumsum([0, *map(len, texts)])
    cut = np.zeros((4, 1), dtype=np.int32)
    split = EncodedSplit(texts={"text": Ragged(ids, bounds)}, labels=None, tags={}, cut=cut)
    stream, score = StreamSplit(split, streams=3, segment=2), task().new_score()
    for indices in stream.epoch(0):
        batch = stream.batch(indices)
        text = batch.texts["text"]
        told = text.token_ids[:, 1:][text.mask[:, 1:]].float()  # each token costs what its id is
        score.add(Output(None, nats=told), batch, indices.tolist())
    report = task().report(score, temperature=1.0, lengths=split.lengths)
    assert [nats.tolist() for nats in report.nats] == [text[1:] for text in texts]
