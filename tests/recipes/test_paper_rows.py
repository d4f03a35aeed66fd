"""Recipes against what the papers print of their systems: which rows there are, and how many parameters."""

from __future__ import annotations

import numpy as np
import pytest

from readhead import recipe

# Of the three tables of Cheng, Dong and Lapata (2016), of those of Munkhdalai and Yu (2017) on inference, answer
# selection and sentences, and of those of Parikh et al. (2016): their own systems, and those of others that stand as
# recipes.
ROWS = {
    **{f"lstmn/1/{name}": {f"ptb/{name}"} for name in ("kn5", "rnn", "lstm", "slstm", "glstm", "dlstm")},
    "lstmn/1/lstmn-1-layer": {"ptb/lstmn"},
    "lstmn/1/lstmn-3-layers": {"ptb/lstmn-3-layers"},
    "lstmn/2/lstm": {"sst/lstm-fine", "sst/lstm-binary"},
    "lstmn/2/2-layer-lstm": {"sst/lstm-2-layers-fine", "sst/lstm-2-layers-binary"},
    "lstmn/2/lstmn": {"sst/lstmn-fine", "sst/lstmn-binary"},
    "lstmn/2/2-layer-lstmn": {"sst/lstmn-2-layers-fine", "sst/lstmn-2-layers-binary"},
    "lstmn/3/bow-concatenation": {"snli/bow"},
    "lstmn/3/lstm": {"snli/lstm"},
    "lstmn/3/lstm-att": {"snli/word-by-word"},
    "lstmn/3/mlstm": {"snli/mlstm"},
    "lstmn/3/lstmn": {"snli/lstmn"},
    **{
        f"lstmn/3/lstmn-{how}-fusion-{width}": {f"snli/lstmn-{how}-{width}"}
        for how in ("shallow", "deep")
        for width in (100, 300, 450)
    },
    "da/1/our-approach-vanilla": {"snli/decomposable"},
    "da/1/our-approach-with-intra-sentence-attention": {"snli/decomposable-intra"},
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
