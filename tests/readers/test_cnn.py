from __future__ import annotations

import math
from typing import Any

import pytest
import torch

from readhead.errors import InputError
from readhead.layers.pooling import pooling
from readhead.readers.cnn import CNNReader


def with_weights(reader: CNNReader, *weights: list[list[float]], bias: float) -> CNNReader:
    """weights: of each width's only filter, a row for each word of the window, a column for each of its features."""
    with torch.no_grad():
        for filters, given in zip(reader.filters, weights, strict=True):
            filters.get_parameter("weight").copy_(torch.tensor(given).view(1, -1))
            filters.get_parameter("bias").fill_(bias)
    return reader


def read(reader: CNNReader, words: list[list[float]], *, padding: int = 0) -> torch.Tensor:
    """What it makes of a text that is followed by so much padding, in which stands what must not be seen."""
    embedded = torch.tensor([words + [[100.0] * len(words[0])] * padding])
    mask = torch.arange(embedded.shape[1]) < len(words)
    outputs: torch.Tensor = reader(embedded, mask.unsqueeze(0)).outputs[0]
    assert not outputs[len(words) :].any()
    return outputs[: len(words)]


@pytest.mark.parametrize("padding", [0, 1, 3])
def test_a_bigram_is_a_word_and_the_next_one(padding: int) -> None:
    reader = CNNReader(input_dim=2, hidden_dim=1, widths=(2,), activation="tanh")
    with_weights(reader, [[1.0, 0.5], [10.0, 0.0]], bias=-1.0)
    outputs = read(reader, [[0.1, 2.0], [0.2, 0.0], [0.3, 4.0]], padding=padding)
    # T_L x_t + T_R x_{t+1} + b: .1 + 1 + 2 - 1, .2 + 0 + 3 - 1; after the last word there are zeros: .3 + 2 - 1.
    expected = [[math.tanh(2.1)], [math.tanh(2.2)], [math.tanh(1.3)]]
    torch.testing.assert_close(outputs, torch.tensor(expected))


@pytest.mark.parametrize("padding", [0, 2])
def test_wider_windows_stand_around_their_word(padding: int) -> None:
    reader = CNNReader(input_dim=1, hidden_dim=1, widths=(3, 4))
    with_weights(reader, [[1.0], [10.0], [100.0]], [[1.0], [10.0], [100.0], [1000.0]], bias=-20.0)
    outputs = read(reader, [[1.0], [2.0], [3.0]], padding=padding)
    # One word before and one after: 210, 321, 32; one before and two after: 3210, 321, 32; ReLU of that less 20.
    torch.testing.assert_close(outputs, torch.tensor([[190.0, 3190.0], [301.0, 301.0], [12.0, 12.0]]))


def test_a_text_shorter_than_every_window_is_read() -> None:
    reader = CNNReader(input_dim=1, hidden_dim=1, widths=(3, 5))
    with_weights(reader, [[0.0], [2.0], [0.0]], [[0.0], [0.0], [3.0], [0.0], [0.0]], bias=0.0)
    assert read(reader, [[1.5]]).tolist() == [[3.0, 4.5]]


def test_max_over_time_is_kims_sentence() -> None:
    reader = CNNReader(input_dim=3, hidden_dim=4)
    embedded, mask = torch.randn(2, 6, 3), torch.arange(6) < torch.tensor([[6], [2]])
    reading = reader(embedded, mask)
    pooled = pooling("max")(reading.outputs, mask)
    assert pooled.shape == (2, reader.output_dim) == (2, 12)
    torch.testing.assert_close(pooled[1], reading.outputs[1, :2].amax(dim=0))


def test_size() -> None:
    reader = CNNReader(input_dim=300)
    assert sum(weight.numel() for weight in reader.parameters()) == 100 * (3 + 4 + 5) * 300 + 3 * 100


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"widths": ()}, r"widths = \[\]: the cnn reader needs different widths of at least 1 token"),
        ({"widths": (3, 0)}, r"widths = \[3, 0\]"),
        ({"widths": (3, 3)}, r"widths = \[3, 3\]"),
        ({"hidden_dim": 0}, "hidden_dim = 0: the cnn reader needs at least 1 filter"),
        ({"activation": "gelu"}, "no activation 'gelu'; expected one of relu, tanh"),
    ],
)
def test_what_it_refuses(given: dict[str, Any], told: str) -> None:
    with pytest.raises(InputError, match=told):
        CNNReader(input_dim=3, **given)
