"""The softmax over a vocabulary, beside a linear layer and a cross-entropy."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor
from torch.nn import functional

from readhead.layers import vocabulary_softmax
from readhead.layers.vocabulary_softmax import ROWS, VocabularySoftmax
from tests.compare import assert_matches_reference


def given(count: int, *, scale: float = 1.0) -> dict[str, Tensor]:
    return {
        "hidden": scale * torch.randn(count, 5),
        "weight": torch.randn(11, 5),
        "bias": torch.randn(11),
        "classes": torch.randint(0, 11, (count,)),
    }


def ours(hidden: Tensor, weight: Tensor, bias: Tensor, classes: Tensor) -> tuple[Tensor]:
    layer = VocabularySoftmax(input_dim=5, num_classes=11).to(hidden.dtype)
    return (torch.func.functional_call(layer, {"linear.weight": weight, "linear.bias": bias}, (hidden, classes)),)


def plain(hidden: Tensor, weight: Tensor, bias: Tensor, classes: Tensor) -> tuple[Tensor]:
    return (functional.cross_entropy(functional.linear(hidden, weight, bias), classes, reduction="none"),)


@pytest.mark.parametrize("count", [1, ROWS - 1, ROWS, 2 * ROWS + 1])
@pytest.mark.parametrize("scale", [1.0, 100.0])
def test_is_a_cross_entropy(count: int, scale: float) -> None:
    assert_matches_reference(ours, plain, given(count, scale=scale))


def test_nothing_that_follows_costs_nothing() -> None:
    (nats,) = ours(**given(0))
    assert nats.shape == (0,)


def test_a_uniform_softmax_gives_log_c() -> None:
    layer = VocabularySoftmax(input_dim=5, num_classes=11)
    torch.nn.init.zeros_(layer.linear.weight)
    torch.nn.init.zeros_(layer.linear.bias)
    torch.testing.assert_close(layer(torch.randn(7, 5), torch.arange(7)), torch.full((7,), 11.0).log())


def test_a_second_way_back_is_refused() -> None:
    layer = VocabularySoftmax(input_dim=5, num_classes=11)
    loss = layer(torch.randn(3, 5), torch.arange(3)).sum()
    loss.backward(retain_graph=True)
    with pytest.raises(RuntimeError, match="inplace"):
        loss.backward()


def test_mixed_precision_sums_in_float32() -> None:
    layer, numbers = VocabularySoftmax(input_dim=5, num_classes=11), given(9)
    half = numbers["hidden"].bfloat16()
    with torch.autocast("cpu", dtype=torch.bfloat16):
        nats = layer(half, numbers["classes"])
    torch.testing.assert_close(nats, layer(half.float(), numbers["classes"]))


def test_without_gradients_it_is_the_same_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vocabulary_softmax, "PART", 4)
    layer, numbers = VocabularySoftmax(input_dim=5, num_classes=11), given(10)
    learning = layer(numbers["hidden"], numbers["classes"])
    with torch.inference_mode():
        torch.testing.assert_close(layer(numbers["hidden"], numbers["classes"]), learning.detach())
