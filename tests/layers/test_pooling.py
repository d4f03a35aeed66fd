from __future__ import annotations

import pytest
import torch

from readhead.errors import InputError
from readhead.layers.pooling import POOLINGS, pooling

OUTPUTS = torch.tensor([[[-1.0, 5.0], [-3.0, 1.0], [8.0, 8.0]], [[4.0, -2.0], [8.0, 8.0], [8.0, 8.0]]])
MASK = torch.tensor([[True, True, False], [True, False, False]])


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("mean", [[-2.0, 3.0], [4.0, -2.0]]),
        ("sum", [[-4.0, 6.0], [4.0, -2.0]]),
        ("max", [[-1.0, 5.0], [4.0, -2.0]]),
        ("last", [[-3.0, 1.0], [4.0, -2.0]]),
    ],
)
def test_by_hand(name: str, expected: list[list[float]]) -> None:
    assert torch.equal(pooling(name)(OUTPUTS, MASK), torch.tensor(expected))


@pytest.mark.parametrize("name", POOLINGS)
def test_an_empty_text_is_zero_and_has_no_gradient(name: str) -> None:
    outputs = OUTPUTS.clone().requires_grad_()
    pooled = pooling(name)(outputs, torch.tensor([[True, True, False], [False] * 3]))
    assert not pooled[1].any()
    pooled.sum().backward()
    assert outputs.grad is not None and outputs.grad.isfinite().all()
    assert outputs.grad[0].any() and not outputs.grad[1].any()


def test_an_unknown_name_is_told() -> None:
    with pytest.raises(InputError, match="no pooling 'average'; expected one of mean, sum, max, last"):
        pooling("average")
