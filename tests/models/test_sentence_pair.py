from __future__ import annotations

import pytest
import torch

from readhead.data.batch import Batch
from readhead.errors import InputError
from readhead.layers.embedding import Embedding
from readhead.models.features import FEATURES, features
from readhead.models.sentence_pair import SentencePair
from readhead.readers.words import WordsReader
from tests import laws

P, H = torch.tensor([[1.0, 2.0]]), torch.tensor([[3.0, -1.0]])


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("concatenation", [1, 2, 3, -1]),
        ("matching", [1, 2, 3, -1, -2, 3, 3, -2]),
        ("hypothesis", [3, -1]),
    ],
)
def test_features_by_hand(name: str, expected: list[float]) -> None:
    assert features(name).compare(P, H).tolist() == [expected]


@pytest.mark.parametrize("name", FEATURES)
def test_features_are_as_many_as_they_say(name: str) -> None:
    assert features(name).compare(P, H).shape[-1] == features(name).count * P.shape[-1]


def bag_of_words(*, features: str = "concatenation", pooling: str = "mean") -> SentencePair:
    embedding = Embedding(table=torch.randn(laws.VOCABULARY, 4), trainable=False)
    reader = WordsReader(input_dim=4)
    return SentencePair(embedding=embedding, reader=reader, num_classes=3, features=features, pooling=pooling)


def test_a_bag_of_words_is_a_logistic_regression_on_two_means() -> None:
    model, batch = bag_of_words(), laws.make_batch(2)
    assert sum(p.numel() for p in model.parameters()) == 2 * 4 * 3 + 3
    means = [
        model.embedding.table[text.token_ids[0, : int(text.mask[0].sum())]].mean(dim=0)
        for text in (batch.texts["premise"], batch.texts["hypothesis"])
    ]
    torch.testing.assert_close(model(batch).logits[0], model.predict(torch.cat(means)))


def test_hypothesis_only_does_not_look_at_the_premise() -> None:
    model, one, other = bag_of_words(features="hypothesis"), laws.make_batch(3), laws.make_batch(3, seed=1)
    mixed = Batch({**one.texts, "premise": other.texts["premise"]})
    assert torch.equal(model(mixed).logits, model(one).logits)


def test_unknown_names_are_told() -> None:
    with pytest.raises(InputError, match="no features 'concat'; expected one of concatenation, matching"):
        bag_of_words(features="concat")
    with pytest.raises(InputError, match="no pooling 'avg'; expected one of mean"):
        bag_of_words(pooling="avg")
