"""The LSTM models of two texts that the LSTMN is compared with."""

from __future__ import annotations

import pytest
import torch
from torch import nn

from readhead.layers.embedding import Embedding
from readhead.models.conditional import Conditional
from readhead.models.lstm_attention import LSTMAttention
from readhead.models.match_lstm import MatchLSTM
from readhead.models.read_on import read_on
from readhead.models.word_by_word import WordByWord
from readhead.readers.lstm import LSTMReader
from tests import laws

H, E = 100, 300
LSTM = 4 * H * (H + H) + 8 * H  # over words that are projected to H; torch's LSTM has two biases a gate


def vectors(dim: int = E, projection_dim: int | None = H) -> Embedding:
    return Embedding(table=torch.randn(laws.VOCABULARY, dim), trainable=False, projection_dim=projection_dim)


# Rocktäschel et al. print 252k for word-by-word attention, which the equations give; their 242k for attention alone is
# one more H × H than the equations have.
@pytest.mark.parametrize(
    ("model", "parameters"),
    [
        (Conditional, E * H + LSTM + 3 * H + 3),
        (LSTMAttention, E * H + 2 * LSTM + 4 * H * H + 2 * H + 3 * H + 3),
        (WordByWord, 252_000 + 103),
    ],
)
def test_sizes(model: type[nn.Module], parameters: int) -> None:
    made = model(embedding=vectors(), num_classes=3, hidden_dim=H)
    assert sum(parameter.numel() for parameter in made.parameters()) == parameters


def test_size_of_the_match_lstm() -> None:
    model = MatchLSTM(embedding=vectors(projection_dim=None), num_classes=3, hidden_dim=E)
    # Two LSTMs, the second over [a, h] and with one bias a gate; W^s, W^t, W^m; two vectors; the classifier.
    parameters = 8 * E * E + 8 * E + 12 * E * E + 4 * E + 3 * E * E + 2 * E + 3 * E + 3
    assert sum(parameter.numel() for parameter in model.parameters()) == parameters == 2_075_103


def test_the_hypothesis_begins_with_its_own_premise_s_memory() -> None:
    embedding = vectors(4, None)
    first, second = (LSTMReader(input_dim=4, hidden_dim=3) for _ in range(2))
    batch = laws.make_batch(5)
    _, hypothesis = read_on(batch, embedding, first, second)
    for b in range(5):
        premise, question = (laws.single(batch.texts[field], b) for field in ("premise", "hypothesis"))
        _, (_, memory) = first.lstm(embedding(*_ids(premise)))
        expected, _ = second.lstm(embedding(*_ids(question)), (torch.zeros_like(memory), memory))
        torch.testing.assert_close(hypothesis.outputs[b, : expected.shape[1]], expected[0])


def _ids(text: laws.Text) -> tuple[torch.Tensor, torch.Tensor]:
    return text.token_ids, text.mask


def test_attention_looks_back_once_from_the_last_token() -> None:
    model = LSTMAttention(embedding=vectors(4, None), num_classes=3, hidden_dim=6)
    batch = laws.make_batch(6)
    weights = model(batch).attention["hypothesis->premise"]
    mask = batch.texts["hypothesis"].mask
    for b, length in enumerate(mask.sum(dim=1).tolist()):
        assert not weights[b, : length - 1].any()
        assert weights[b, length - 1].sum().item() == pytest.approx(1)
        assert not weights[b, length:].any()


def test_what_a_match_lstm_gives_to_null_is_not_shown() -> None:
    model = MatchLSTM(embedding=vectors(4, None), num_classes=3, hidden_dim=6)
    batch = laws.make_batch(6)
    weights = model(batch).attention["hypothesis->premise"]
    assert weights.shape == (6, batch.texts["hypothesis"].mask.shape[1], batch.texts["premise"].mask.shape[1])
    shown = weights.sum(dim=-1)[batch.texts["hypothesis"].mask]
    assert ((shown > 0) & (shown < 1)).all()
