"""Decomposable attention: equations (1)-(5) by hand, and the paper's size."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
import torch
from torch import nn

from readhead.data.batch import Batch, Text
from readhead.layers.embedding import Embedding
from readhead.layers.feed_forward import FeedForward
from readhead.models.decomposable import Decomposable
from readhead.readers.intra_attention import IntraAttentionReader
from readhead.readers.words import WordsReader


def the_paper_s(reader: type[WordsReader] | type[IntraAttentionReader]) -> Decomposable:
    embedding = Embedding(table=torch.randn(9, 300), trainable=False, projection_dim=200)
    return Decomposable(embedding=embedding, reader=reader(input_dim=200), num_classes=3)


@pytest.mark.parametrize(("reader", "parameters"), [(WordsReader, 381_803), (IntraAttentionReader, 582_203 + 22)])
def test_is_as_large_as_the_paper_s(reader: type[WordsReader] | type[IntraAttentionReader], parameters: int) -> None:
    assert sum(parameter.numel() for parameter in the_paper_s(reader).parameters()) == parameters


def test_starts_as_the_paper_s() -> None:
    weights = dict(the_paper_s(IntraAttentionReader).named_parameters())
    assert weights["embedding.projection.weight"].std().item() == pytest.approx(0.01, rel=0.02)
    assert weights["reader.transform.layers.0.weight"].std().item() == pytest.approx(0.01, rel=0.02)
    assert weights["compare.layers.1.weight"].std().item() == pytest.approx(0.01, rel=0.02)
    assert not any(weight.any() for name, weight in weights.items() if name.endswith("bias"))


def is_the_relu_of_a_sum(network: FeedForward, *rows: list[float]) -> None:
    """Its first layer takes these rows, its second changes nothing."""
    first, second = network.layers
    with torch.no_grad():
        first.weight.copy_(torch.tensor(rows))
        second.weight.copy_(torch.eye(len(rows)))
        first.bias.zero_()
        second.bias.zero_()


def by_hand(**options: Any) -> Decomposable:
    """Two features a word; F takes the ReLU, G and H the ReLU of sums and differences."""
    table = torch.tensor([[50.0, 50.0], [math.log(3), 0.0], [0.0, 1.0], [1.0, -9.0]])
    model = Decomposable(
        embedding=Embedding(table=table, trainable=False),
        reader=WordsReader(input_dim=2),
        num_classes=2,
        hidden_dim=2,
        dropout=0.0,
        **options,
    )
    is_the_relu_of_a_sum(model.attend, [1.0, 0.0], [0.0, 1.0])
    is_the_relu_of_a_sum(model.compare, [1.0, 0.0, 1.0, 0.0], [0.0, -1.0, 0.0, 1.0])
    is_the_relu_of_a_sum(model.aggregate, [1.0, 0.0, 0.0, 0.0], [0.0, 1.0, -1.0, 2.0])
    with torch.no_grad():
        model.predict.weight.copy_(torch.tensor([[1.0, 0.0], [1.0, -2.0]]))
        model.predict.bias.copy_(torch.tensor([0.0, 0.5]))
    return model


def test_equations_1_to_5() -> None:
    # Words: a_1 = [log 3, 0], a_2 = [0, 1]; b_1 = [1, -9]. A second pair of one word each brings padding.
    premise = Text.pad([np.array([1, 2]), np.array([2])])
    hypothesis = Text.pad([np.array([3]), np.array([2])])
    output = by_hand()(Batch({"premise": premise, "hypothesis": hypothesis}))
    # (1) F(a_1) = [log 3, 0], F(a_2) = [0, 1], F(b_1) = [1, 0]: e_11 = log 3, e_21 = 0.
    # (2) β_1 = β_2 = b_1; α_1 = (3 a_1 + 1 a_2) / 4 = [¾ log 3, ¼].
    torch.testing.assert_close(output.attention["premise->hypothesis"], torch.tensor([[[1.0], [1.0]], [[1.0], [0.0]]]))
    torch.testing.assert_close(output.attention["hypothesis->premise"], torch.tensor([[[0.75, 0.25]], [[1.0, 0.0]]]))
    # (3) v_11 = ReLU([log 3 + 1, -9 - 0]) = [log 3 + 1, 0];  v_12 = ReLU([0 + 1, -9 - 1]) = [1, 0];
    #     v_21 = ReLU([1 + ¾ log 3, ¼ + 9]) = [1 + ¾ log 3, 9.25].
    # (4) v_1 = [log 3 + 2, 0];  v_2 = [1 + ¾ log 3, 9.25].
    # (5) H = ReLU([log 3 + 2, 0 - 1 - ¾ log 3 + 18.5]) = [log 3 + 2, 17.5 - ¾ log 3]; a linear layer follows.
    h1, h2 = math.log(3) + 2, 17.5 - 0.75 * math.log(3)
    torch.testing.assert_close(output.logits[0], torch.tensor([h1, h1 - 2 * h2 + 0.5]))
    # The second pair: both words [0, 1], aligned to each other: v_1 = v_2 = G([0, 1, 0, 1]) = [0, 0].
    torch.testing.assert_close(output.logits[1], torch.tensor([0.0, 0.5]))


def test_comparisons_can_be_pooled_otherwise() -> None:
    pair = {"premise": Text.pad([np.array([1, 2])]), "hypothesis": Text.pad([np.array([3])])}
    output = by_hand(pooling="max")(Batch(pair))
    # As above, but (4) v_1 = max([log 3 + 1, 0], [1, 0]) = [log 3 + 1, 0].
    h1, h2 = math.log(3) + 1, 17.5 - 0.75 * math.log(3)
    torch.testing.assert_close(output.logits[0], torch.tensor([h1, h1 - 2 * h2 + 0.5]))


def test_words_can_be_compared_with_more_features_in_fewer_layers() -> None:
    embedding = Embedding(table=torch.randn(9, 4), trainable=False)
    reader, options = WordsReader(input_dim=4), {"features": "matching", "num_layers": 1, "hidden_dim": 5}
    model = Decomposable(embedding=embedding, reader=reader, num_classes=3, dropout=0.0, init_std=0.5, **options).eval()
    shapes = {name: list(weight.shape) for name, weight in model.named_parameters() if name.endswith("weight")}
    assert [*shapes.values()] == [[5, 4], [5, 16], [5, 10], [3, 5]]
    # Of one word each: both are aligned to each other, whatever the scores are.
    a, b = embedding.table[1], embedding.table[2]
    v1, v2 = (model.compare(torch.cat([x, y, x - y, x * y])) for x, y in ((a, b), (b, a)))
    expected = model.predict(model.aggregate(torch.cat([v1, v2])))
    pair = {"premise": Text.pad([np.array([1])]), "hypothesis": Text.pad([np.array([2])])}
    torch.testing.assert_close(model(Batch(pair)).logits[0], expected)


def test_dropout_is_on_in_training_alone() -> None:
    model = the_paper_s(IntraAttentionReader)
    for linear in (module for module in model.modules() if isinstance(module, nn.Linear)):
        nn.init.xavier_normal_(linear.weight)
    text = Text.pad([np.array([1, 2, 3])])
    batch = Batch({"premise": text, "hypothesis": text})
    assert not torch.equal(model(batch).logits, model(batch).logits)
    model.eval()
    assert torch.equal(model(batch).logits, model(batch).logits)


def test_names_the_reader_s_own_attention() -> None:
    text = Text.pad([np.array([1, 2, 3])])
    attention = the_paper_s(IntraAttentionReader)(Batch({"premise": text, "hypothesis": text})).attention
    assert set(attention) == {
        "premise->hypothesis",
        "hypothesis->premise",
        "premise->premise",
        "hypothesis->hypothesis",
    }
