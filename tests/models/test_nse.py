"""The neural semantic encoders for two texts: the paper's sizes, and what the second text gets of the first."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch
from torch import nn

from readhead.layers.embedding import Embedding
from readhead.layers.pooling import last
from readhead.models.mma_nse import MMANSE
from readhead.models.mma_nse_attention import MMANSEAttention
from readhead.models.sentence_pair import SentencePair
from readhead.readers.nse import NSEReader
from tests import laws

K, H, C = 300, 1024, 3


def vectors(dim: int) -> Embedding:
    return Embedding(table=torch.randn(laws.VOCABULARY, dim), trainable=False)


def nse(embedding: Embedding) -> nn.Module:
    return SentencePair(
        embedding=embedding,
        reader=NSEReader(input_dim=embedding.output_dim),
        num_classes=C,
        pooling="last",
        features="matching",
        hidden_dim=H,
        num_layers=1,
        init_range=0.1,
    )


def mma_nse(embedding: Embedding) -> MMANSE:
    return MMANSE(embedding=embedding, num_classes=C)


def mma_nse_attention(embedding: Embedding) -> MMANSEAttention:
    return MMANSEAttention(embedding=embedding, num_classes=C)


def encoder(num_memories: int) -> int:
    """The LSTM that reads, one linear layer over o and what each memory gave, and the LSTM that writes its outputs.

    An LSTM of K features over n: four gates over [h, x], each with one bias.
    """
    composed = (num_memories + 1) * K
    return 4 * (K * (K + K) + K) + (composed * composed + composed) + 4 * (K * (K + composed) + K)


CLASSIFIER = (4 * K * H + H) + (H * C + C)
ATTENTION = 2 * (K * K + K) + (K + 1)  # W_a, W_q and w, each with a bias


# The paper's 3.4M, 6.3M (cut off, not rounded) and 6.5M. Counted is all that learns; the word vectors don't.
@pytest.mark.parametrize(
    ("make", "counted", "parameters"),
    [
        (nse, encoder(1) + CLASSIFIER, 3_395_899),
        (mma_nse, encoder(1) + encoder(2) + CLASSIFIER, 6_369_199),
        (mma_nse_attention, encoder(1) + encoder(2) + ATTENTION + CLASSIFIER, 6_550_100),
    ],
)
def test_sizes(make: Callable[[Embedding], nn.Module], counted: int, parameters: int) -> None:
    assert sum(parameter.numel() for parameter in make(vectors(K)).parameters()) == counted == parameters


@pytest.mark.parametrize("make", [nse, mma_nse, mma_nse_attention])
def test_all_weights_start_in_one_range(make: Callable[[Embedding], nn.Module]) -> None:
    for name, parameter in make(vectors(20)).named_parameters():
        assert parameter.abs().max() <= 0.1, name
        if parameter.numel() > C:
            assert parameter.abs().max() > 0.08, name


def test_the_hypothesis_shares_the_premise_s_last_memory() -> None:
    model, batch = mma_nse(vectors(8)).eval(), laws.make_batch(5)
    premise, hypothesis = batch.texts.values()
    before = model.reader.first(model.embedding(premise.token_ids, premise.mask), premise.mask, [])
    embedded = model.embedding(hypothesis.token_ids, hypothesis.mask)
    after = model.reader.second(embedded, hypothesis.mask, [before.own])
    p, h = last(before.reading.outputs, premise.mask), last(after.reading.outputs, hypothesis.mask)
    compared = torch.cat([p, h, p - h, p * h], dim=-1)
    output = model(batch)
    torch.testing.assert_close(output.logits, model.predict(model.hidden(compared)))
    assert list(output.attention) == ["premise->premise", "hypothesis->hypothesis", "hypothesis->premise"]
    assert torch.equal(output.attention["hypothesis->premise"], after.attention[0])


def test_a_blend_of_the_premise_s_outputs_stands_for_it() -> None:
    model, batch = mma_nse_attention(vectors(8)).eval(), laws.make_batch(5)
    read = model.reader(*batch.texts.values(), model.embedding)
    output = model(batch)
    h = last(read.second.outputs, read.second.mask)
    for b, length in enumerate(batch.texts["hypothesis"].mask.sum(dim=1).tolist()):
        weights = output.attention["hypothesis->premise (outputs)"][b]
        assert not weights[: length - 1].any()
        assert not weights[length:].any()
        p = weights[length - 1] @ read.first.outputs[b]
        compared = torch.cat([p, h[b], p - h[b], p * h[b]])
        torch.testing.assert_close(output.logits[b], model.predict(model.hidden(compared)), rtol=0, atol=1e-6)
    assert torch.equal(output.attention["hypothesis->premise (memory)"], read.across)


def test_lstms_stand_on_top_of_one_another_as_for_answers() -> None:
    model = MMANSEAttention(embedding=vectors(8), num_classes=1, lstm_layers=2)
    for reader in (model.reader.first, model.reader.second):
        assert reader.lstm.num_layers == len(reader.nse.write_hidden) == 2
    assert model(laws.make_batch(3)).logits.shape == (3, 1)
