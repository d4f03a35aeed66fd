"""Options that no network could be made with: of models and readers, and of what both are made of."""

from __future__ import annotations

from typing import Any

import pytest
import torch

from readhead.errors import InputError
from readhead.layers.dropout import Dropout
from readhead.layers.embedding import Embedding
from readhead.models import MODELS
from readhead.models.decomposable import Decomposable
from readhead.readers import READERS
from readhead.readers.words import WordsReader
from tests import laws

NAN, INF = float("nan"), float("inf")

IMPOSSIBLE: dict[str, tuple[Any, ...]] = {
    "hidden_dim": (0, -1),
    "num_layers": (-1,),
    "lstm_layers": (0,),
    "dropout": (1.0, -0.1, NAN),
    "init_std": (0.0, NAN, INF),
    "init_range": (0.0, NAN, INF),
    "span": (0,),
    "max_distance": (-1,),
    "pooling": ("middle",),
    "features": ("none",),
    "widths": ((), (0,)),
}


def refused(table: dict[str, str]) -> list[tuple[str, str, Any]]:
    """A part's name, one of its options, and a value that this can't have."""
    return [
        (name, option, value)
        for name, target in table.items()
        for option in sorted(laws.options(target) & IMPOSSIBLE.keys())
        for value in IMPOSSIBLE[option]
        if name not in ("language-model", "kneser-ney")  # which have tests of their own
    ]


def told(option: str) -> str:
    """What the message says of it: models hand their `lstm_layers` on by another name."""
    return {"lstm_layers": "num_layers"}.get(option, option)


@pytest.mark.parametrize(("name", "option", "value"), refused(READERS))
def test_a_reader_that_cannot_be_is_refused(name: str, option: str, value: Any) -> None:
    with pytest.raises(InputError, match=told(option)):
        laws.make_reader(name, **{option: value})


@pytest.mark.parametrize(("name", "option", "value"), refused(MODELS))
def test_a_model_that_cannot_be_is_refused(name: str, option: str, value: Any) -> None:
    embedding = Embedding(table=torch.randn(laws.VOCABULARY, 4), trainable=True)
    parts = {"reader": WordsReader(input_dim=4)} if "reader" in laws.options(MODELS[name]) else {}
    with pytest.raises(InputError, match=told(option)):
        laws.make(MODELS[name], embedding=embedding, num_classes=3, **parts, **{option: value})


@pytest.mark.parametrize("projection_dim", [0, -1])
def test_a_projection_to_nothing_is_refused(projection_dim: int) -> None:
    with pytest.raises(InputError, match=f"projection_dim = {projection_dim}: a projection needs at least 1 feature"):
        Embedding(table=torch.randn(3, 2), trainable=True, projection_dim=projection_dim)


def test_decomposable_attention_compares_by_a_layer_at_least() -> None:
    embedding = Embedding(table=torch.randn(3, 2), trainable=True)
    with pytest.raises(InputError, match="num_layers = 0: attend, compare and aggregate need at least 1 ReLU layer"):
        Decomposable(embedding=embedding, reader=WordsReader(input_dim=2), num_classes=3, num_layers=0)


def test_dropout_of_nearly_all_leaves_something() -> None:
    dropped = Dropout(0.999999)(torch.ones(200_000))
    assert 0 < (dropped > 0).sum() < 40
    assert dropped.isfinite().all()
