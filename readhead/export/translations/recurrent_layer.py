"""One layer of an LSTM or an RNN over texts of different lengths: the operators of ONNX.

Gates stand as ONNX has them: [i; o; f; ĉ].
"""

from __future__ import annotations

from typing import Any

from onnxscript import opset18

op: Any = opset18


def lstm_layer(  # noqa: PLR0917 - the operator's arguments, in its order
    inputs: Any, lengths: Any, hidden: Any, cell: Any, by_input: Any, by_hidden: Any, biases: Any
) -> tuple[Any, Any, Any]:
    """As `readhead.export.stand_ins.recurrent_network` defines the operator."""
    options = _options(by_hidden)
    found, last, last_cell = op.LSTM(
        op.Transpose(inputs, perm=[1, 0, 2]), by_input, by_hidden, biases, lengths, hidden, cell, **options
    )
    return _batch_first(found), last, last_cell


def rnn_layer(  # noqa: PLR0917 - likewise
    inputs: Any, lengths: Any, hidden: Any, by_input: Any, by_hidden: Any, biases: Any
) -> tuple[Any, Any]:
    """As `readhead.export.stand_ins.recurrent_network` defines the operator."""
    options = _options(by_hidden)
    found, last = op.RNN(op.Transpose(inputs, perm=[1, 0, 2]), by_input, by_hidden, biases, lengths, hidden, **options)
    return _batch_first(found), last


def _options(by_hidden: Any) -> dict[str, Any]:
    directions, _, width = by_hidden.shape
    return {"hidden_size": int(width), "direction": {1: "forward", 2: "bidirectional"}[int(directions)]}


def _batch_first(found: Any) -> Any:
    """[T, directions, B, D] to [B, T, directions · D]."""
    return op.Reshape(op.Transpose(found, perm=[2, 0, 1, 3]), op.Constant(value_ints=[0, 0, -1]))
