from __future__ import annotations

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from readhead.errors import InputError
from readhead.layers.dropout import Dropout


@pytest.mark.parametrize("p", [0.05, 0.2, 0.5, 0.9])
def test_drops_as_many_as_asked_and_keeps_the_mean(p: float) -> None:
    dropped = Dropout(p)(torch.ones(200, 500))
    share = (dropped == 0).float().mean().item()
    deviation = (p * (1 - p) / dropped.numel()) ** 0.5
    assert abs(share - p) < 4 * deviation
    torch.testing.assert_close(dropped[dropped != 0].unique(), torch.tensor([1 / (1 - p)]), rtol=1e-4, atol=0)


def test_neighbours_are_independent() -> None:
    kept = (Dropout(0.5)(torch.ones(400_000)) != 0).float() - 0.5
    for lag in range(1, 9):
        correlation = 4 * (kept[lag:] * kept[:-lag]).mean().item()
        assert abs(correlation) < 4 / len(kept) ** 0.5, f"{lag} apart: {correlation}"


def test_every_place_of_a_draw_is_dropped_alike() -> None:
    """Four features share one draw; none of the four may be favoured."""
    shares = (Dropout(0.2)(torch.ones(100_000, 4)) == 0).float().mean(dim=0)
    assert (shares - 0.2).abs().max() < 4 * (0.16 / 100_000) ** 0.5


def test_gradient_passes_where_the_feature_did() -> None:
    features = torch.ones(6, 7, requires_grad=True)
    dropped = Dropout(0.5)(features)
    dropped.sum().backward()
    assert features.grad is not None
    torch.testing.assert_close(features.grad, dropped.detach())


@given(shape=st.lists(st.integers(0, 5), min_size=0, max_size=3), seed=st.integers(0, 99))
def test_depends_on_the_seed_alone(shape: list[int], seed: int) -> None:
    torch.manual_seed(seed)
    first = Dropout(0.5)(torch.ones(shape))
    torch.manual_seed(seed)
    assert torch.equal(first, Dropout(0.5)(torch.ones(shape)))
    assert first.shape == torch.Size(shape)


def test_does_nothing_in_evaluation_and_at_zero() -> None:
    features = torch.randn(3, 4)
    assert Dropout(0.5).eval()(features) is features
    assert Dropout(0.0)(features) is features


@pytest.mark.parametrize("p", [-0.1, 1.0, 2.0])
def test_asks_for_a_probability(p: float) -> None:
    with pytest.raises(InputError, match=f"dropout is {p}; expected a probability"):
        Dropout(p)
