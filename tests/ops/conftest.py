"""What the tests of the native kernels share."""

from __future__ import annotations

import ctypes

import pytest

from readhead.ops.native import isas, load_kernels


@pytest.fixture
def poisoned(poisoned_memory: None) -> None:
    """The kernels' own memory holds NaN, as new memory does."""
    for isa in isas():
        load_kernels(isa).library.readhead_fill_workspace(ctypes.c_float(float("nan")))
