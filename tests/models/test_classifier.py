from __future__ import annotations

import torch

from readhead.layers.embedding import Embedding
from readhead.models.classifier import Classifier
from readhead.models.read import own_attention
from readhead.readers.reading import Reading
from readhead.readers.words import WordsReader
from tests import laws


def test_is_a_logistic_regression_without_hidden_layers() -> None:
    embedding = Embedding(table=torch.randn(laws.VOCABULARY, 4), trainable=False)
    reader = WordsReader(input_dim=4)
    model = Classifier(embedding=embedding, reader=reader, num_classes=3, pooling="sum", num_layers=0)
    batch = laws.make_batch(2, of="classifier")
    text = batch.texts["text"]
    total = embedding.table[text.token_ids[0, : int(text.mask[0].sum())]].sum(dim=0)
    torch.testing.assert_close(model(batch).logits[0], model.predict(total))


def test_attention_of_several_kinds_keeps_their_names() -> None:
    mask, weights = torch.ones(1, 2, dtype=torch.bool), torch.eye(2).unsqueeze(0)
    one = Reading(torch.zeros(1, 2, 3), mask, {"intra": weights})
    two = Reading(torch.zeros(1, 2, 3), mask, {"layer 1": weights, "layer 2": weights})
    assert set(own_attention(premise=one, hypothesis=two)) == {
        "premise->premise",
        "hypothesis->hypothesis (layer 1)",
        "hypothesis->hypothesis (layer 2)",
    }
