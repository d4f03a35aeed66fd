"""Rows of a table in eight bits: a quarter of the bytes, and each number within 1/254 of its row's largest.

    s_r = max_e |x_re| / 127        q_re = round(x_re / s_r)        x̂_re = q_re s_r        |x̂_re - x_re| <= s_r / 2

A file holds q under the table's own name, as int8, and s beside it under that name and `.scale`, as float32. What else
is in such a file may be in float16. Whoever opens it gets float32.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from jaxtyping import Float32

SCALE = ".scale"
LARGEST = 127


def in_eight_bits(name: str, table: Float32[np.ndarray, "V E"]) -> dict[str, np.ndarray]:
    """A table [V, E] as a file holds it: q [V, E] int8 and s [V] float32, by their names there."""
    scale = np.abs(table).max(axis=1, initial=0) / np.float32(LARGEST)  # [V]
    # A row of zeros has the scale 0 and stays one. A row below float32's normal range is not to exceed eight bits.
    steps = table / np.where(scale > 0, scale, 1)[:, None]
    return {name: np.rint(steps).clip(-LARGEST, LARGEST).astype(np.int8), name + SCALE: scale}


def restored(tensors: Mapping[str, Any]) -> dict[str, Any]:
    """A file's tensors, of numpy or of torch, with tables x̂ [V, E] and what was float16 in float32.

    Raises: ValueError where a table in eight bits has no scale for each of its rows.
    """
    tables = {name for name, values in tensors.items() if _type(values) == "int8"}
    for name in sorted(tables):
        scale = tensors.get(name + SCALE)
        if scale is None or (scale.ndim, tensors[name].ndim) != (1, 2) or len(scale) != len(tensors[name]):
            raise ValueError(f"'{name}' is in eight bits; expected '{name}{SCALE}' with a number for each of its rows")
    scales = {name + SCALE for name in tables}
    return {
        name: values * tensors[name + SCALE][:, None] if name in tables else _no_narrower(values)
        for name, values in tensors.items()
        if name not in scales
    }


def _no_narrower(values: Any) -> Any:
    if _type(values) != "float16":
        return values
    return values.astype(np.float32) if isinstance(values, np.ndarray) else values.float()


def _type(values: Any) -> str:
    return str(values.dtype).removeprefix("torch.")
