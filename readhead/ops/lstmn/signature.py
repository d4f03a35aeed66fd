"""The arguments of `lstmn` and the sizes of what it returns, which all its backends share."""

from __future__ import annotations

from typing import Any

from torch import Tensor

from readhead.ops.lstmn.tapes import Tapes

AXES = {
    "inputs": "B T E",
    "mask": "B T",
    "attend_hidden": "D D",
    "attend_input": "D E",
    "attend_blend": "D D",
    "attend_bias": "D",
    "attend_score": "D",
    "gate_input": "4D E",
    "gate_blend": "4D D",
    "gate_bias": "4D",
    "hidden_tape": "B M D",
    "memory_tape": "B M D",
    "written": "B M",
    "blend": "B D",
}
"""The axes of each tensor, by argument."""

OPTION = "int? span"
"""The argument that is no tensor."""


def output_shapes(*, mask: Tensor, written: Tensor, blend: Tensor, **_: Any) -> Tapes:
    """Tensors of the outputs' sizes, without numbers."""
    (B, T), M, D = mask.shape, written.shape[1], blend.shape[1]
    tape, new = (B, T, D), blend.new_empty
    return Tapes(hidden=new(tape), memory=new(tape), attention=new(B, T, M + T), blend=new(B, D))
