"""LSTMNs with shallow and deep fusion: the paper's sizes, what the decoder begins with, and what it attends to."""

from __future__ import annotations

from typing import Any

import pytest
import torch

from readhead.layers.embedding import Embedding
from readhead.layers.tape import Tape
from readhead.models.deep_fusion import DeepFusion
from readhead.models.lstmn_source import read_source
from readhead.models.sentence_pair import SentencePair
from readhead.models.shallow_fusion import ShallowFusion
from readhead.readers.lstmn import LSTMNReader
from tests import laws

E = 300
both = pytest.mark.parametrize("fusion", [ShallowFusion, DeepFusion])


def vectors(dim: int) -> Embedding:
    return Embedding(table=torch.randn(laws.VOCABULARY, dim), trainable=False)


def size(model: torch.nn.Module) -> int:
    return sum(parameter.numel() for parameter in model.parameters())


def lstmn(h: int) -> int:
    """Eq. (4): W_h, W_x, W_h̃, b, v.  Eq. (7): four gates over [h̃, x], each with a bias."""
    return (2 * h * h + E * h + 2 * h) + 4 * (h * h + E * h + h)


def classifier(h: int) -> int:
    """Two means of h features to two ReLU layers, and to three classes."""
    return (2 * h * h + h) + (h * h + h) + (3 * h + 3)


def shallow(h: int) -> int:
    """W_γ, W_x, b, u."""
    return h * h + E * h + 2 * h


def deep(h: int) -> int:
    """Eq. (11): the same and W_γ̃.  Eq. (14): one gate over [γ̃, x], with a bias."""
    return shallow(h) + h * h + (h * h + E * h + h)


# Table 3 counts without the vectors. With one LSTMN for both texts, as counted above, all six of its figures come out:
# shallow 10 h² + 6 E h + 13 h + 3, deep 12 h² + 7 E h + 14 h + 3.
@pytest.mark.parametrize(
    ("fusion", "hidden_dim", "printed"),
    [
        (ShallowFusion, 100, "280k"),
        (ShallowFusion, 300, "1.4M"),
        (ShallowFusion, 450, "2.8M"),
        (DeepFusion, 100, "330k"),
        (DeepFusion, 300, "1.7M"),
        (DeepFusion, 450, "3.4M"),
    ],
)
def test_is_as_large_as_the_paper_s(fusion: Any, hidden_dim: int, printed: str) -> None:
    parameters = size(fusion(embedding=vectors(E), num_classes=3, hidden_dim=hidden_dim))
    inter = {ShallowFusion: shallow, DeepFusion: deep}[fusion]
    assert parameters == lstmn(hidden_dim) + inter(hidden_dim) + classifier(hidden_dim)
    in_print = f"{parameters / 1e6:.1f}M" if parameters >= 1e6 else f"{round(parameters / 1e4)}0k"
    assert in_print == printed


def test_without_fusion_it_is_smaller_than_the_paper_s() -> None:
    reader = LSTMNReader(input_dim=E, hidden_dim=100)
    model = SentencePair(embedding=vectors(E), reader=reader, num_classes=3, hidden_dim=100, num_layers=2)
    assert size(model) == lstmn(100) + classifier(100) == 241_103  # printed: 260k


@both
def test_the_hypothesis_begins_with_its_own_premise_s_last_state(fusion: Any) -> None:
    model, batch = fusion(embedding=vectors(4), num_classes=3, hidden_dim=6), laws.make_batch(5)
    began: list[Tape] = []
    decoder = model.lstmn if fusion is ShallowFusion else model.fusion
    decoder.register_forward_pre_hook(lambda _, given: began.append(given[2]))
    model(batch)
    hidden, memory, written = began[-1]
    encoder = model.lstmn if fusion is ShallowFusion else model.fusion.lstmn
    alone = [laws.single(batch.texts["premise"], b) for b in range(5)]
    read = [read_source(encoder, model.embedding(text.token_ids, text.mask), text.mask).tape for text in alone]
    torch.testing.assert_close(hidden, torch.cat([tape.hidden[:, -1:] for tape in read]))
    torch.testing.assert_close(memory, torch.cat([tape.memory[:, -1:] for tape in read]))
    assert written.tolist() == [[True]] * 5


@both
def test_an_empty_premise_leaves_the_empty_slot_to_begin_with(fusion: Any) -> None:
    model = fusion(embedding=vectors(4), num_classes=3, hidden_dim=6)
    encoder = model.lstmn if fusion is ShallowFusion else model.fusion.lstmn
    begin = read_source(encoder, torch.randn(2, 3, 4), torch.zeros(2, 3, dtype=torch.bool)).last()
    assert begin.written.all()
    assert not begin.hidden.any()
    assert not begin.memory.any()


def test_shallow_attention_is_bahdanau_s_over_the_premise_s_tape() -> None:
    model, batch = ShallowFusion(embedding=vectors(4), num_classes=3, hidden_dim=6), laws.make_batch(1, shortest=3)
    premise, hypothesis = batch.texts["premise"], batch.texts["hypothesis"]
    source = read_source(model.lstmn, model.embedding(premise.token_ids, premise.mask), premise.mask)
    weights = model(batch).attention["hypothesis->premise"][0]
    u, attention = model.attention.score.weight[0], model.attention
    for t, x in enumerate(model.embedding(hypothesis.token_ids, hypothesis.mask)[0]):
        query = attention.query.weight @ x + attention.query.bias
        scores = [u @ torch.tanh(attention.key.weight @ slot + query) for slot in source.tape.hidden[0]]
        torch.testing.assert_close(weights[t], torch.stack(scores).softmax(dim=0)[1:])  # the empty slot is left out


@both
def test_attention_s_names(fusion: Any) -> None:
    batch = laws.make_batch(3)
    attention = fusion(embedding=vectors(4), num_classes=3, hidden_dim=6)(batch).attention
    S, T = batch.texts["premise"].mask.shape[1], batch.texts["hypothesis"].mask.shape[1]
    assert {name: tuple(weights.shape) for name, weights in attention.items()} == {
        "premise->premise": (3, S, S),
        "hypothesis->hypothesis": (3, T, T),
        "hypothesis->premise": (3, T, S),
    }
