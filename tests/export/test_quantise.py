"""Weights in eight bits: what is rounded, by how much, and what is left."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

pytest.importorskip("onnx")
pytest.importorskip("onnxruntime")

import onnxruntime
from onnx import TensorProto, helper, numpy_helper

from readhead.export.quantise import SMALLEST, weights_in_int8


def looked_up_and_multiplied(table: np.ndarray, matrix: np.ndarray) -> Any:
    """y = table[ids] · matrix."""
    return helper.make_model(
        helper.make_graph(
            [
                helper.make_node("Gather", ["table", "ids"], ["rows"]),
                helper.make_node("MatMul", ["rows", "matrix"], ["y"]),
            ],
            "graph",
            [helper.make_tensor_value_info("ids", TensorProto.INT64, ["N"])],
            [helper.make_tensor_value_info("y", TensorProto.FLOAT, ["N", matrix.shape[1]])],
            [numpy_helper.from_array(table, "table"), numpy_helper.from_array(matrix, "matrix")],
        ),
        opset_imports=[helper.make_opsetid("", 18)],
        ir_version=10,
    )


def answers(graph: Any, ids: list[int]) -> np.ndarray:
    return onnxruntime.InferenceSession(graph.SerializeToString()).run(None, {"ids": np.array(ids)})[0]


def test_each_row_is_rounded_to_its_own_scale() -> None:
    # Whole numbers up to 127 in every row, times its own scale: eight bits hold them exactly.
    random = np.random.default_rng(0)
    table, matrix = (random.integers(-127, 128, size=(64, 32)).astype(np.float32) for _ in range(2))
    table[:, 0] = matrix[:, 0] = 127
    table *= np.geomspace(1e-3, 1e3, 64, dtype=np.float32)[:, None]
    table[7] = 0
    graph = looked_up_and_multiplied(table, matrix[:32])
    rounded = weights_in_int8(graph)
    np.testing.assert_allclose(answers(rounded, [0, 7, 63]), answers(graph, [0, 7, 63]), rtol=1e-5)
    kinds = {weight.name: weight.data_type for weight in rounded.graph.initializer}
    assert kinds["table.int8"] == kinds["matrix.int8"] == TensorProto.INT8
    assert rounded.ByteSize() < graph.ByteSize() / 2
    assert "table" in {weight.name for weight in graph.graph.initializer}, "the graph that was given is changed"


def test_a_table_is_not_made_whole_to_look_up_a_row() -> None:
    graph = looked_up_and_multiplied(np.ones((64, 32), np.float32), np.ones((32, 64), np.float32))
    kinds = [node.op_type for node in weights_in_int8(graph).graph.node]
    assert kinds == ["DequantizeLinear", "Gather", "Gather", "Cast", "Mul", "MatMul"]


def test_an_error_is_at_most_half_a_step() -> None:
    table = np.random.default_rng(0).normal(size=(40, 32)).astype(np.float32)
    graph = looked_up_and_multiplied(table, np.eye(32, 31, dtype=np.float32))  # too small to be rounded
    assert SMALLEST > 32 * 31
    apart = np.abs(answers(weights_in_int8(graph), list(range(40))) - table[:, :31])
    assert (apart <= np.abs(table).max(axis=1, keepdims=True) / 127 / 2 * 1.001).all()
