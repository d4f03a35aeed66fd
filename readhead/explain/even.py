"""What attention would be if a reader preferred nothing: the measure of whatever is told of attention on average."""

from __future__ import annotations

import numpy as np
from jaxtyping import Float, Float64


def even(weights: Float[np.ndarray, "T S"], *, within: bool) -> Float64[np.ndarray, "T S"]:
    """Each row's weight spread evenly over all columns; where a text looks only back, over those before the row.

    Without it a short distance would look preferred only because there are more short distances than long ones.

    weights: [T, S]. within: whether rows and columns are the same text.
    """
    looks_back = within and not np.triu(weights).any()
    seen = np.tri(len(weights), weights.shape[1], -1) if looks_back else np.ones(weights.shape)  # [T, S]
    counts = np.maximum(seen.sum(axis=1, keepdims=True), 1)
    spread: Float64[np.ndarray, "T S"] = weights.sum(axis=1, keepdims=True, dtype=np.float64) * seen / counts
    return spread
