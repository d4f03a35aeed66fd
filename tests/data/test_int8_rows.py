"""Tables in eight bits: worked out by hand, and the bound that the equation states."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from readhead.data.int8_rows import in_eight_bits, restored

NUMBERS = st.floats(-1e4, 1e4, width=32, allow_subnormal=False)
TABLES = arrays(np.float32, st.tuples(st.integers(0, 5), st.integers(1, 6)), elements=NUMBERS)


def test_by_hand() -> None:
    table = np.array([[127, -63.6, 0.4], [0, 0, 0], [-254, 2, 3.5]], np.float32)
    kept = in_eight_bits("table", table)
    assert kept["table"].dtype == np.int8
    assert kept["table"].tolist() == [[127, -64, 0], [0, 0, 0], [-127, 1, 2]]
    assert kept["table.scale"].tolist() == [1, 0, 2]
    assert restored(kept)["table"].tolist() == [[127, -64, 0], [0, 0, 0], [-254, 2, 4]]


@given(TABLES)
def test_no_number_moves_by_more_than_half_a_step(table: np.ndarray) -> None:
    kept = in_eight_bits("t", table)
    found = restored(kept)
    assert found.keys() == {"t"}
    assert found["t"].dtype == np.float32
    assert (np.abs(found["t"] - table) <= kept["t.scale"][:, None] * 0.5001).all()


@given(TABLES)
def test_torch_restores_the_same_numbers_and_a_second_time_nothing_is_lost(table: np.ndarray) -> None:
    kept = in_eight_bits("t", table)
    once = restored(kept)["t"]
    as_torch = restored({name: torch.from_numpy(values) for name, values in kept.items()})["t"]
    assert as_torch.dtype == torch.float32
    assert np.array_equal(as_torch.numpy(), once)
    assert np.array_equal(in_eight_bits("t", once)["t"], kept["t"])


def test_other_tensors_are_left_alone() -> None:
    plain = {"layer": np.ones(2, np.float32), "layer.scale": np.ones(3, np.float32), "known": np.ones(2, np.bool_)}
    assert restored(plain) == plain


@pytest.mark.parametrize("scale", [None, np.ones(3, np.float32), np.ones((2, 1), np.float32)])
def test_a_table_without_its_scales_is_refused(scale: np.ndarray | None) -> None:
    kept = {"t": np.ones((2, 4), np.int8)} | ({} if scale is None else {"t.scale": scale})
    with pytest.raises(ValueError, match=r"'t\.scale' with a number for each of its rows"):
        restored(kept)
