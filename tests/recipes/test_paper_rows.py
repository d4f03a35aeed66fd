"""Recipes against what the papers print of their systems: which rows there are, and how many parameters."""

from __future__ import annotations

import numpy as np
import pytest

from readhead import recipe

# Of the tables of Munkhdalai and Yu (2017) on inference, answer selection and sentences: their own systems, and those
# of others that stand as recipes.
ROWS = {
    "nse/1/lstm-encoders": {"snli/lstm-encoders"},
    "nse/1/nse": {"snli/nse"},
    "nse/1/mma-nse": {"snli/mma-nse"},
    "nse/1/mma-nse-attention": {"snli/mma-nse-attention"},
    "nse/2/bigram-cnn": {"wikiqa/bigram-cnn"},
    "nse/2/3-layer-lstm": {"wikiqa/lstm-3-layers"},
    "nse/2/3-layer-lstm-attention": {"wikiqa/lstm-attention"},
    "nse/2/mma-nse-attention": {"wikiqa/mma-nse-attention"},
    "nse/3/cnn-mc": {"sst/cnn-fine", "sst/cnn-binary"},
    "nse/3/bi-lstm": {"sst/bilstm-fine", "sst/bilstm-binary"},
    "nse/3/nse": {"sst/nse-fine", "sst/nse-binary"},
}


@pytest.mark.parametrize("row", ROWS)
def test_a_row_is_filled(row: str) -> None:
    assert {name for name in recipe.shipped() if row in recipe.read(name).paper} == ROWS[row]


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("snli/nse", 3_395_899),  # printed: 3.4M
        ("snli/mma-nse", 6_369_199),  # 6.3M, cut and not rounded
        ("snli/mma-nse-attention", 6_550_100),  # 6.5M
        ("snli/lstm-encoders", 3_004_899),  # 3.0M
    ],
)
def test_as_many_parameters_as_printed(name: str, parameters: int) -> None:
    rows, known = np.zeros((2, 300), np.float32), np.ones(2, dtype=bool)
    model = recipe.read(name).build_model(table=rows, pretrained=known, num_classes=3)
    assert sum(weight.numel() for weight in model.parameters() if weight.requires_grad) == parameters
