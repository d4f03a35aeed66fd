"""The arguments of `fusion` and the sizes of what it returns, which all its backends share."""

from __future__ import annotations

from typing import Any

from torch import Tensor

from readhead.ops.fusion.tapes import FusedTapes
from readhead.ops.lstmn import signature as lstmn

AXES = lstmn.AXES | {
    "source_hidden": "B S D",
    "source_memory": "B S D",
    "source_mask": "B S",
    "fuse_source": "D D",
    "fuse_input": "D E",
    "fuse_blend": "D D",
    "fuse_bias": "D",
    "fuse_score": "D",
    "gate_source_input": "D E",
    "gate_source_blend": "D D",
    "gate_source_bias": "D",
    "source_blend": "B D",
}
"""The axes of each tensor, by argument."""

OPTION = lstmn.OPTION
"""The argument that is no tensor."""


def output_shapes(*, source_mask: Tensor, source_blend: Tensor, **given: Any) -> FusedTapes:
    """Tensors of the outputs' sizes, without numbers."""
    hidden, memory, attention, blend = lstmn.output_shapes(**given)
    source_attention = blend.new_empty(*hidden.shape[:2], source_mask.shape[1])
    return FusedTapes(hidden, memory, attention, source_attention, blend, source_blend.new_empty(source_blend.shape))
