"""A graph that onnxruntime reads as torch reads the model, whatever the lengths and the number of texts."""

from __future__ import annotations

import logging

import pytest
import torch
from torch import nn

from readhead.data.batch import Batch
from readhead.errors import InputError
from readhead.models.language_model import LanguageModel
from readhead.models.output import Output
from readhead.readers import READERS
from tests import laws

pytest.importorskip("onnxscript")
pytest.importorskip("onnxruntime")

from readhead.export.check import TOLERANCE, check_graph
from readhead.export.graph import onnx_graph
from readhead.export.onnx_model import OnnxModel

CAUSAL = ("rnn", "lstm", "glstm", "dlstm", "lstmn")
SIZES = ((1, 1), (2, 3), (3, 7), (5, 16), (4, 30))


def batch(of: nn.Module, num_texts: int, longest: int) -> Batch:
    """Ragged texts, some of them empty; two that are read together are of different lengths."""
    generator = torch.Generator().manual_seed(num_texts * longest)
    texts = {}
    for place, field in enumerate(laws.FIELDS[of.num_texts]):
        most = longest + 2 * place
        lengths = torch.randint(of.shortest, most + 1, (num_texts,), generator=generator)
        lengths[0] = most
        mask = torch.arange(most) < lengths[:, None]
        ids = torch.randint(4, laws.VOCABULARY, mask.shape, generator=generator) * mask
        texts[field] = laws.Text(ids, mask)
    return Batch(texts)


class Together(nn.Module):
    """The logits of several models, added: one export instead of many."""

    num_texts, shortest = 2, 0

    def __init__(self, *models: nn.Module) -> None:
        super().__init__()
        self.models = nn.ModuleList(models)

    def forward(self, read: Batch) -> Output:
        return Output(torch.stack([model(read).logits for model in self.models]).sum(dim=0))


def exported(model: nn.Module) -> float:
    """How far the exported one is from the model at all sizes."""
    foretells = isinstance(model, LanguageModel)
    graph = onnx_graph(model, batch(model, 3, 5))
    tried = [batch(model, num_texts, longest + foretells) for num_texts, longest in SIZES]
    return check_graph(model, OnnxModel(graph=graph, foretells=foretells), tried)


def test_a_loop_and_a_network_in_both_directions(caplog: pytest.LogCaptureFixture) -> None:
    embedding = laws.make_model("sentence-pair", "words").embedding
    readers = [laws.make_reader(name, num_layers=1) for name in ("lstmn", "bilstm")]
    model = Together(
        *(
            laws.make("readhead.models.classifier:Classifier", embedding=embedding, num_classes=3, reader=reader)
            for reader in readers
        )
    )
    model.num_texts = 1
    assert exported(model) <= TOLERANCE
    heard = [record for record in caplog.records if record.levelno >= logging.WARNING]
    assert heard == [], "what exporters tell of themselves is for those who write them"


def test_a_model_that_cannot_be_written_down_is_told_of() -> None:
    class Counts(Together):
        def forward(self, read: Batch) -> Output:
            if read.texts["premise"].token_ids.sum() > 100:  # which way it goes depends on what is read
                return super().forward(read)
            return Output(super().forward(read).logits * 2)

    model = Counts(laws.make_model("sentence-pair", "words"))
    with pytest.raises(InputError, match="can't be written down in ONNX, so nothing was written"):
        onnx_graph(model, batch(model, 3, 5))


@pytest.mark.slow
@pytest.mark.parametrize(("name", "reader"), laws.arrangements())
def test_every_arrangement(name: str, reader: str | None) -> None:
    model = laws.make_model(name, reader)
    model.shortest = 0
    assert exported(model) <= TOLERANCE


@pytest.mark.slow
@pytest.mark.parametrize("reader", CAUSAL)
def test_every_language_model(reader: str) -> None:
    assert reader in READERS
    embedding = laws.make_model("sentence-pair", "words").embedding
    model = LanguageModel(embedding=embedding, reader=laws.make_reader(reader), num_classes=laws.VOCABULARY - 3)
    model.shortest = 2
    assert exported(model) <= TOLERANCE
