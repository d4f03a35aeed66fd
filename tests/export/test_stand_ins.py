"""What stands in while a model is traced gives the numbers of what it stands in for."""

from __future__ import annotations

import pytest
import torch

import readhead.export.stand_ins as export_stand_ins
from readhead.export.stand_ins import OF_OPS, over_time, stand_ins
from readhead.export.stand_ins.over_time import Step, Tensors
from readhead.layers.match_lstm import MatchLSTMLayer
from readhead.models.language_model import LanguageModel
from readhead.ops import OPS
from readhead.readers import bilstm, packed
from readhead.readers.lstmn import LSTMNReader
from tests import laws

LOOPS = [
    (model, reader)
    for model, reader in laws.arrangements()
    if reader in (None, "glstm", "dlstm", "lstmn", "nse", "intra-attention")
]


def loop(step: Step, carried: Tensors, tokens: Tensors) -> tuple[Tensors, Tensors]:
    """What `scan` comes to. torch compiles its own, which takes seconds; `test_graph` exports that."""
    left = []
    for token in zip(*(one.unbind() for one in tokens), strict=True):
        carried, one = step(carried, token)
        left.append(one)
    return carried, tuple(torch.stack(steps) for steps in zip(*left, strict=True))


@pytest.fixture(autouse=True)
def in_torch(monkeypatch: pytest.MonkeyPatch) -> None:
    """torch has no kernel for the operators that stand in for its own networks: those are `test_graph`'s too."""
    monkeypatch.setattr(over_time, "scan", loop)
    monkeypatch.setattr(export_stand_ins, "OF_FUNCTIONS", {})


def test_every_op_has_one() -> None:
    assert OF_OPS.keys() == OPS.keys(), "an op without a stand-in freezes where it is exported"


@torch.no_grad()
@pytest.mark.parametrize(("model", "reader"), LOOPS)
def test_the_same_logits(model: str, reader: str | None) -> None:
    network = laws.make_model(model, reader).eval()
    batch = laws.make_batch(4, of=model, shortest=0, longest=6)
    expected = network(batch)
    with stand_ins():
        found = network(batch)
    torch.testing.assert_close(found.logits, expected.logits, rtol=0, atol=1e-6)
    for name, weights in expected.attention.items():
        torch.testing.assert_close(found.attention[name], weights, rtol=0, atol=1e-6)


@torch.no_grad()
@pytest.mark.parametrize("name", ["words-are-bounded", "two-layers"])
def test_an_lstmn_of_each_kind(name: str) -> None:
    options = {"words-are-bounded": {"span": 2}, "two-layers": {"num_layers": 2, "skip_connections": True}}
    reader = LSTMNReader(input_dim=laws.EMBEDDED, hidden_dim=4, **options[name]).eval()
    mask = laws.make_batch(3, longest=7).texts["premise"].mask
    embedded = torch.randn(*mask.shape, laws.EMBEDDED)
    expected = reader(embedded, mask).outputs
    with stand_ins():
        found = reader(embedded, mask).outputs
    torch.testing.assert_close(found, expected, rtol=0, atol=1e-6)


@torch.no_grad()
def test_a_language_models_nats_stand_in_their_places() -> None:
    embedding = laws.make_model("sentence-pair", "words").embedding
    reader = LSTMNReader(input_dim=laws.EMBEDDED, hidden_dim=4)
    model = LanguageModel(embedding=embedding, reader=reader, num_classes=laws.VOCABULARY - 3).eval()
    batch = laws.make_batch(3, of="language-model", shortest=2)
    expected = model(batch).nats
    with stand_ins():
        found = model(batch).nats
    torch.testing.assert_close(found[batch.texts["text"].mask[:, 1:]], expected, rtol=0, atol=1e-5)


def test_everything_is_put_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    before = MatchLSTMLayer.forward, bilstm.read_packed, packed.run
    with stand_ins():
        assert MatchLSTMLayer.forward is not before[0]
        assert bilstm.read_packed is not before[1]
    assert (MatchLSTMLayer.forward, bilstm.read_packed, packed.run) == before
