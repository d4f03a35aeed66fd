"""Weights in eight bits: a graph a quarter as large, which computes in float32 as before."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

SMALLEST = 1024
"""Weights of fewer numbers stay as they are."""


def weights_in_int8(graph: Any) -> Any:
    """A copy of an `onnx.ModelProto` in which each row of a matrix is 127 whole numbers to either side, and a scale.

    A row is multiplied by its scale where it is used: of a table of vectors only the rows that are looked up.
    """
    copy = onnx.ModelProto()
    copy.CopyFrom(graph)
    users = _users(copy.graph)
    front: list[Any] = []
    for weight in list(copy.graph.initializer):
        if weight.data_type != TensorProto.FLOAT or len(weight.dims) < 2 or np.prod(weight.dims) < SMALLEST:
            continue
        rows, scales = _quantised(numpy_helper.to_array(weight))
        names = f"{weight.name}.int8", f"{weight.name}.scale"
        copy.graph.initializer.remove(weight)
        looked_up = _lookups(users[weight.name], weight.name, copy.graph)
        if looked_up:
            scales = scales.reshape(-1, *[1] * (rows.ndim - 1))
            for node in looked_up:
                _look_up(copy.graph, node, names)
        else:
            front.append(helper.make_node("DequantizeLinear", names, [weight.name], axis=0))
        copy.graph.initializer.extend(
            numpy_helper.from_array(values, name) for values, name in zip((rows, scales), names, strict=True)
        )
    _put_in_front(copy.graph, front)
    onnx.checker.check_model(copy)
    return copy


def _quantised(weight: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """[N, ...] in int8, and the scale of each of the N rows."""
    largest = np.abs(weight).reshape(len(weight), -1).max(axis=1)  # [N]
    scales = np.where(largest > 0, largest / 127, 1).astype(np.float32)
    rows = np.rint(weight / scales.reshape(-1, *[1] * (weight.ndim - 1))).astype(np.int8)
    return rows, scales


def _users(graph: Any) -> dict[str, list[Any]]:
    """Every node that takes a value, by the value's name; those of a loop's body too."""
    users: dict[str, list[Any]] = defaultdict(list)
    for node in graph.node:
        for name in node.input:
            users[name].append(node)
        for attribute in node.attribute:
            if attribute.HasField("g"):
                for name, inner in _users(attribute.g).items():
                    users[name].extend(inner)
    return users


def _lookups(users: list[Any], name: str, graph: Any) -> list[Any]:
    """The nodes that look rows up in a table; none if anything else is done with it, or a loop does it."""
    outermost = {output for node in graph.node for output in node.output}

    def looks_up(node: Any) -> bool:
        axes = [attribute.i for attribute in node.attribute if attribute.name == "axis"]
        return node.op_type == "Gather" and node.input[0] == name and axes in ([], [0]) and node.output[0] in outermost

    return users if all(map(looks_up, users)) else []


def _look_up(graph: Any, node: Any, names: tuple[str, str]) -> None:
    """In a node's place: rows and scales are looked up, and multiplied."""
    ids, answer = node.input[1], node.output[0]
    place = list(graph.node).index(node)
    nodes = [
        helper.make_node("Gather", [names[0], ids], [f"{answer}.int8"]),
        helper.make_node("Gather", [names[1], ids], [f"{answer}.scale"]),
        helper.make_node("Cast", [f"{answer}.int8"], [f"{answer}.float"], to=TensorProto.FLOAT),
        helper.make_node("Mul", [f"{answer}.float", f"{answer}.scale"], [answer]),
    ]
    graph.node.remove(node)
    for offset, one in enumerate(nodes):
        graph.node.insert(place + offset, one)


def _put_in_front(graph: Any, nodes: list[Any]) -> None:
    for place, node in enumerate(nodes):
        graph.node.insert(place, node)
