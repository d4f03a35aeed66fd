from __future__ import annotations

from typing import Any

import pytest
import torch
from torch import Tensor

from readhead.layers import nse_layer
from readhead.layers.memory import Memory
from readhead.layers.nse_layer import NSELayer
from readhead.ops.nse import nse

D = 4


def memory(*mask: list[bool]) -> Memory:
    real = torch.tensor(mask)
    return Memory(torch.randn(*real.shape, D), real)


def given() -> tuple[Tensor, Tensor, list[Memory]]:
    """o, its mask, and two memories of 3 and 2 slots."""
    mask = torch.tensor([[True, True, True], [True, False, False]])
    return torch.randn(2, 3, D), mask, [memory([True] * 3, [True, False, False]), memory([True, True], [False, False])]


@pytest.mark.parametrize("num_layers", [1, 3])
def test_it_hands_its_weights_and_memories_to_the_op(num_layers: int) -> None:
    layer = NSELayer(dim=D, num_memories=2, num_layers=num_layers)
    reads, mask, memories = given()
    expected = nse(
        reads=reads,
        mask=mask,
        memory=torch.cat([memories[0].slots, memories[1].slots], dim=1),
        slots=torch.cat([memories[0].mask, memories[1].mask], dim=1),
        compose=layer.compose.weight,
        compose_bias=layer.compose.bias,
        kept=torch.ones(2, 3, 3 * D),
        write_input=layer.write_input,
        write_upper=layer.write_upper,
        write_hidden=layer.write_hidden,
        write_bias=layer.write_bias,
        sizes=[3, 2],
    )
    written = layer(reads, mask, memories)
    assert torch.equal(written.hidden, expected.hidden)
    for n, slots in enumerate([slice(0, 3), slice(3, 5)]):
        assert torch.equal(written.memories[n].slots, expected.memory[:, slots])
        assert torch.equal(written.memories[n].mask, memories[n].mask)
        assert torch.equal(written.attention[n], expected.attention[:, :, slots])


def test_a_layer_that_writes_alone_has_no_weights_for_others() -> None:
    names = {name for name, _ in NSELayer(dim=D).named_parameters()}
    assert names == {"compose.weight", "compose.bias", "write_input", "write_hidden", "write_bias"}
    assert "write_upper" in dict(NSELayer(dim=D, num_layers=2).named_parameters())


def test_dropout_is_on_what_the_write_lstm_reads(monkeypatch: pytest.MonkeyPatch) -> None:
    kept: list[Tensor] = []

    def spy(**arguments: Any) -> Any:
        kept.append(arguments["kept"])
        return nse(**arguments)

    monkeypatch.setattr(nse_layer, "nse", spy)
    layer = NSELayer(dim=D, num_memories=2, dropout=0.5)
    reads, mask, memories = given()
    layer(reads, mask, memories)
    layer.eval()(reads, mask, memories)
    training, evaluation = kept
    assert training.shape == evaluation.shape == (2, 3, 3 * D)
    assert training.unique().tolist() == [0, 2]
    assert (evaluation == 1).all()
