"""Two texts that one matrix matches, with and without attention."""

from __future__ import annotations

import pytest
import torch

from readhead.data.batch import Batch
from readhead.layers.embedding import Embedding
from readhead.models.bilinear import Bilinear
from readhead.models.bilinear_attention import BilinearAttention
from readhead.readers.cnn import CNNReader
from readhead.readers.lstm import LSTMReader
from readhead.readers.words import WordsReader
from tests import laws

D = 4


def vectors(dim: int = D) -> Embedding:
    return Embedding(table=torch.randn(laws.VOCABULARY, dim), trainable=False)


def asked(B: int) -> Batch:
    """Candidates and the questions they may answer, in the order of reading."""
    premise, hypothesis = laws.make_batch(B).texts.values()
    return Batch({"candidate": premise, "question": hypothesis})


def words_of(model: Bilinear | BilinearAttention, batch: Batch, field: str, b: int) -> torch.Tensor:
    text = laws.single(batch.texts[field], b)
    return model.embedding.table[text.token_ids[0]]


def test_the_matrix_takes_the_candidate_to_its_question() -> None:
    model, batch = Bilinear(embedding=vectors(), reader=WordsReader(input_dim=D), num_classes=2), asked(5)
    logits = model(batch).logits
    for b in range(5):
        a, q = (words_of(model, batch, field, b).mean(dim=0) for field in ("candidate", "question"))
        matrices = model.score.turn.weight.view(2, D, D)
        torch.testing.assert_close(logits[b], torch.stack([q @ M @ a for M in matrices]) + model.score.bias)


def test_the_question_looks_at_the_candidate_once() -> None:
    model, batch = BilinearAttention(embedding=vectors(), reader=WordsReader(input_dim=D), num_classes=1), asked(6)
    output = model(batch)
    weights = output.attention["question->candidate"]
    for b in range(6):
        s, question = (words_of(model, batch, field, b) for field in ("candidate", "question"))
        q, attention = question[-1], model.attention
        seen = torch.tanh(s @ attention.key.weight.T + attention.query(q))
        alpha = torch.softmax(seen @ attention.score.weight[0], dim=0)
        z = torch.tanh(model.combine.weight @ torch.cat([alpha @ s, s[-1]]))
        torch.testing.assert_close(output.logits[b], q @ model.score.turn.weight @ z[:, None] + model.score.bias)
        torch.testing.assert_close(weights[b, len(question) - 1, : len(s)], alpha)
        assert weights[b].sum().item() == pytest.approx(1)


def test_dropout_is_for_training_alone() -> None:
    model = BilinearAttention(embedding=vectors(), reader=WordsReader(input_dim=D), num_classes=1, dropout=0.5)
    batch = asked(3)
    assert not torch.equal(model(batch).logits, model(batch).logits)
    model.eval()
    assert torch.equal(model(batch).logits, model(batch).logits)


H, E = 50, 300
LSTM = 4 * H * (E + H + 2) + 2 * 4 * H * (H + H + 2)  # three layers over the words


def test_sizes() -> None:
    bigrams = CNNReader(input_dim=E, hidden_dim=E, widths=(2,), activation="tanh")
    lstm = LSTMReader(input_dim=E, hidden_dim=H, num_layers=3)
    sizes = {
        Bilinear(embedding=vectors(E), reader=bigrams, num_classes=1): 2 * E * E + E + E * E + 1,
        Bilinear(embedding=vectors(E), reader=lstm, num_classes=1): LSTM + H * H + 1,
        # W_s, W_q with its bias, w; [W_a, W_n]; M and b.
        BilinearAttention(embedding=vectors(E), reader=lstm, num_classes=1): LSTM + 5 * H * H + 2 * H + 1,
    }
    for model, parameters in sizes.items():
        assert sum(weight.numel() for weight in model.parameters()) == parameters
