"""A sort that leaves equal ones in their order."""

from __future__ import annotations

from typing import Any

from onnxscript import opset18

op: Any = opset18


def stable(values: Any, stable: bool = True, dim: int = -1, descending: bool = False) -> tuple[Any, Any]:
    """As `torch.sort`. ONNX has TopK, which takes the first of two equal ones first."""
    count = op.Gather(op.Shape(values), op.Constant(value_ints=[dim]))
    values, places = op.TopK(values, count, axis=dim, largest=int(descending), sorted=1)
    return values, places
