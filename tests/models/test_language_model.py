"""Language models: what they foretell, and of what."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest
import torch

from readhead.data.batch import Batch, Text
from readhead.data.vocabulary import Vocabulary
from readhead.errors import InputError
from readhead.layers.embedding import Embedding
from readhead.layers.next_words import SILENT, UNKNOWN, classes_of, rows_of
from readhead.models.kneser_ney import KneserNey
from readhead.models.language_model import LanguageModel
from readhead.readers.intra_attention import IntraAttentionReader
from readhead.readers.lstm import LSTMReader
from readhead.readers.lstmn import LSTMNReader

WORDS = Vocabulary(words=["a", "b", "c", "d"], oov_rows=1)
START, END, A = WORDS.marker_row("start"), WORDS.marker_row("end"), WORDS.word_rows[0]


def make(reader: str = "lstm") -> LanguageModel:
    torch.manual_seed(0)
    embedding = Embedding(table=torch.randn(len(WORDS), 5), trainable=True)
    kind = {"lstm": LSTMReader, "lstmn": LSTMNReader}[reader]
    return LanguageModel(
        embedding=embedding, reader=kind(input_dim=5, hidden_dim=6), num_classes=WORDS.can_follow
    ).eval()


def batch(*texts: list[int], state: dict[str, torch.Tensor] | None = None) -> Batch:
    return Batch({"text": Text.pad([np.array(text) for text in texts])}, state=state)


def test_the_classes_are_the_rows_that_can_follow() -> None:
    rows = torch.tensor([UNKNOWN, END, *WORDS.word_rows])
    assert torch.equal(classes_of(rows), torch.arange(WORDS.can_follow))
    assert torch.equal(rows_of(classes_of(rows)), rows)
    assert sorted([*rows.tolist(), *SILENT]) == list(range(len(WORDS)))


def test_several_rows_for_unknown_words_are_no_classes() -> None:
    with pytest.raises(ValueError, match="expected one"):
        _ = Vocabulary(words=["a"], oov_rows=100).can_follow


def test_a_uniform_model_has_the_perplexity_v() -> None:
    model = make()
    torch.nn.init.zeros_(model.predict.linear.weight)
    torch.nn.init.zeros_(model.predict.linear.bias)
    nats = model(batch([START, A, UNKNOWN, END], [START, END])).nats
    torch.testing.assert_close(nats.mean().exp().item(), float(WORDS.can_follow))


def test_one_step_by_hand() -> None:
    model, text = make(), [START, A, END]
    nats = model(batch(text)).nats
    embedded = model.embedding.table[torch.tensor(text[:2])]
    hidden, _ = model.reader.lstm(embedded[None])
    likely = torch.log_softmax(model.predict.linear(hidden[0]), dim=-1)
    torch.testing.assert_close(nats, -torch.stack([likely[0, classes_of(torch.tensor(A))], likely[1, 1]]))


@pytest.mark.parametrize("reader", ["lstm", "lstmn"])
def test_padding_and_batch_mates_change_nothing(reader: str) -> None:
    model, texts = make(reader), [[START, A, A + 1, END], [START, END], [START, A + 2, END]]
    together = model(batch(*texts)).nats.split([3, 1, 2])
    for text, nats in zip(texts, together, strict=True):
        torch.testing.assert_close(model(batch(text)).nats, nats, rtol=0, atol=1e-6)


@pytest.mark.parametrize("reader", ["lstm", "lstmn"])
def test_a_word_at_a_time_is_the_same(reader: str) -> None:
    model, text = make(reader), [START, A, A + 3, A, END]
    state, nats = model.begin(1), []
    for token, following in itertools.pairwise(text):
        logits, state = model.next_words(torch.tensor([token]), state)
        nats.append(-torch.log_softmax(logits, dim=-1)[0, classes_of(torch.tensor(following))])
    torch.testing.assert_close(torch.stack(nats), model(batch(text)).nats, rtol=0, atol=1e-6)


@pytest.mark.parametrize("reader", ["lstm", "lstmn"])
def test_a_running_text_is_read_on(reader: str) -> None:
    model, text = make(reader), [START, A, A + 3, A, A + 1, END]
    first = model(batch(text[:3], state={}))
    second = model(batch(text[2:], state=dict(first.state)))
    together = model(batch(text)).nats
    torch.testing.assert_close(torch.cat([first.nats, second.nats]), together, rtol=0, atol=1e-6)


def test_every_weight_starts_within_the_range() -> None:
    table, from_file = torch.randn(len(WORDS), 5), torch.zeros(len(WORDS), dtype=torch.bool)
    from_file[A] = True
    model = LanguageModel(
        embedding=Embedding(table=table, trainable=True, pretrained=from_file),
        reader=LSTMNReader(input_dim=5, hidden_dim=6),
        num_classes=WORDS.can_follow,
        init_range=0.05,
    )
    assert torch.equal(model.embedding.table[A], table[A]), "a vector from a file is no noise"
    with torch.no_grad():
        model.embedding.table[A] = 0.01
    for name, parameter in model.named_parameters():
        assert 0 < parameter.abs().max() <= 0.05, name


@pytest.mark.parametrize("init_range", [0.0, -1.0])
def test_a_range_is_above_zero(init_range: float) -> None:
    embedding = Embedding(table=torch.randn(len(WORDS), 5), trainable=True)
    with pytest.raises(InputError, match="init_range"):
        LanguageModel(
            embedding=embedding, reader=LSTMReader(input_dim=5, hidden_dim=6), num_classes=6, init_range=init_range
        )


def test_a_reader_that_looks_ahead_is_refused() -> None:
    embedding = Embedding(table=torch.randn(len(WORDS), 5), trainable=True)
    with pytest.raises(InputError, match="word by word"):
        LanguageModel(embedding=embedding, reader=IntraAttentionReader(input_dim=5), num_classes=6)


@pytest.fixture(scope="module")
def counted() -> KneserNey:
    random = np.random.default_rng(0)
    texts = [[START, *random.choice(WORDS.word_rows, 5, p=[0.5, 0.3, 0.1, 0.1]), END] for _ in range(60)]
    model = KneserNey(num_classes=WORDS.can_follow, order=2, fallback=(0.5, 1.0, 1.5))
    model.count(np.concatenate(texts), np.arange(0, 7 * 60 + 1, 7))
    return model


def test_kneser_ney_says_the_same_word_by_word(counted: KneserNey) -> None:
    text = [START, A, A + 3, UNKNOWN, END]
    state, nats = counted.begin(1), []
    classes = {row: i for i, row in enumerate([UNKNOWN, END, *WORDS.word_rows])}
    for token, following in itertools.pairwise(text):
        likely, state = counted.next_words(torch.tensor([token]), state)
        assert likely.exp().sum().item() == pytest.approx(1, abs=1e-5)
        nats.append(-likely[0, classes[following]].item())
    assert counted(batch(text)).nats.tolist() == pytest.approx(nats, rel=1e-5)
    assert math.isfinite(sum(nats))


def test_kneser_ney_is_kept_as_its_tables(counted: KneserNey) -> None:
    other = KneserNey(num_classes=WORDS.can_follow, order=2)
    tables = counted.state_dict()
    other.make_room({name: table.shape for name, table in tables.items()})
    other.load_state_dict(tables)
    given = batch([START, A, A, END], [START, END])
    assert torch.equal(other(given).nats, counted(given).nats)


@pytest.mark.parametrize("options", [{"order": 0}, {"fallback": (0.5,)}, {"fallback": (5.0, 1.0, 1.5)}])
def test_kneser_ney_refuses_what_no_text_could_go_with(options: dict[str, Any]) -> None:
    with pytest.raises(InputError, match=next(iter(options))):
        KneserNey(num_classes=6, **options)
