"""The tanh of additive attention, where e^(2u) is large or small."""

from __future__ import annotations

import pytest
import torch

from readhead.ops.additive import Scale

DTYPES = [torch.float32, torch.float64]


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("exponential", [True, False])
def test_tanh_is_exact_up_to_the_largest_key(dtype: torch.dtype, exponential: bool) -> None:
    largest = 16.8 if dtype == torch.float32 else 134.0
    u = torch.linspace(-largest, largest, 61, dtype=dtype).view(1, -1, 1)
    scale = Scale(exponential)
    for q in (-1000.0, -50.0, -largest, -0.3, 0.0, 7.0, largest, 1000.0):
        query = scale.query_(torch.full((1, 1), 2 * q, dtype=dtype))
        activation = scale.activation(scale.key_(2 * u), query, torch.empty_like(u), torch.empty_like(u))
        truth = torch.tanh(u.double() + q)
        # The sum u + q is off by what its own terms are rounded by.
        tolerance = torch.finfo(dtype).eps * (2 + min(abs(q), largest) + largest)
        torch.testing.assert_close(activation.double(), truth, rtol=0, atol=tolerance)


@pytest.mark.parametrize("dtype", DTYPES)
def test_large_keys_and_no_numbers_are_left_as_they_are(dtype: torch.dtype) -> None:
    def exponential(largest: float) -> bool:
        return Scale.fitting(torch.tensor(largest, dtype=dtype)).exponential

    assert exponential(33.0)
    assert exponential(34.0) == (dtype == torch.float64)
    assert not exponential(500.0)
    assert not exponential(torch.nan)
    assert not Scale.fitting(torch.tensor(1.0, dtype=torch.bfloat16)).exponential
