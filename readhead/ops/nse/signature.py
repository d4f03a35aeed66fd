"""The arguments of `nse` and the sizes of what it returns, which all its backends share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from torch import Tensor

from readhead.errors import InputError
from readhead.ops.nse.memories import Memories
from readhead.ops.shapes import check_arguments

AXES = {
    "reads": "B T D",
    "mask": "B T",
    "memory": "B S D",
    "slots": "B S",
    "compose": "C C",
    "compose_bias": "C",
    "kept": "B T C",
    "write_input": "4D C",
    "write_hidden": "L 4D D",
    "write_upper": "L-1 4D D",
    "write_bias": "L 4D",
}
"""The axes of each tensor, by argument."""

OPTION = "SymInt[] sizes"
"""The argument that is no tensor. Its numbers may be those of a text's tokens, which a compiled graph leaves open."""


def check(given: Mapping[str, Tensor], sizes: Sequence[int]) -> None:
    """The tensors fit together, and the sizes of the memories fit them.

    Raises:
        InputError: something does not; told with what it is and what was expected.
    """
    check_arguments("nse", AXES, given)
    num_slots, dim, composed = given["memory"].shape[1], given["reads"].shape[2], len(given["compose"])
    if not len(sizes) or min(sizes) < 0 or sum(sizes) != num_slots:
        raise InputError(f"nse: sizes is {list(sizes)} and must share out the memory's slots, here {num_slots}")
    if composed != (len(sizes) + 1) * dim:
        raise InputError(
            f"nse: compose is [{composed}, {composed}] and must be [C, C] with C = (N + 1) D, "
            f"here N = {len(sizes)} and D = {dim}"
        )
    if not len(given["write_hidden"]):
        raise InputError("nse: write_hidden is [0, 4D, D] and must have at least one layer")


def output_shapes(*, reads: Tensor, memory: Tensor, **_: Any) -> Memories:
    """Tensors of the outputs' sizes, without numbers."""
    new, (B, T, D), S = reads.new_empty, reads.shape, memory.shape[1]
    return Memories(hidden=new(B, T, D), memory=new(B, S, D), attention=new(B, T, S))
