"""Arguments that do not fit together are told by name, before anything is computed."""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import Tensor

from readhead.errors import InputError

MASKS = ("mask", "written", "source_mask")
"""Arguments of these names hold True and False, all others numbers."""


def check_arguments(op: str, axes: Mapping[str, str], given: Mapping[str, Tensor], span: int | None) -> None:
    """Every axis that several arguments share has one size, all numbers have one type, and the span is possible.

    op: whose arguments they are.
    axes: by argument, its axes, as "B T E"; "4D" is four times D. An axis gets its size where it first stands.
    given: the arguments by name.

    Raises:
        InputError: one does not fit; told with what it is and what was expected.
    """
    if span is not None and span < 1:
        raise InputError(f"{op}: span is {span} and must be at least 1; without a bound it is None")
    sizes: dict[str, int] = {}
    for name, letters in axes.items():
        _check_type(op, name, given)
        _check_shape(op, name, given[name], letters.split(), sizes)


def _check_shape(op: str, name: str, tensor: Tensor, letters: list[str], sizes: dict[str, int]) -> None:
    if tensor.dim() == len(letters):
        for letter, size in zip(letters, tensor.shape, strict=True):
            sizes.setdefault(letter, 4 * sizes["D"] if letter == "4D" else size)
    expected = [sizes.get(letter, letter) for letter in letters]
    if list(tensor.shape) != expected:
        sizes_in_words = ", ".join(map(str, expected))
        raise InputError(
            f"{op}: {name} is {list(tensor.shape)} and must be [{', '.join(letters)}], here [{sizes_in_words}]"
        )


def _check_type(op: str, name: str, given: Mapping[str, Tensor]) -> None:
    if name in MASKS:
        if given[name].dtype != torch.bool:
            raise InputError(f"{op}: {name} is {given[name].dtype} and must be torch.bool")
        return
    dtype, expected = given[name].dtype, given["inputs"].dtype
    # Mixed precision makes one type of them all.
    mixed = torch.is_autocast_enabled(given[name].device.type)
    if not dtype.is_floating_point or (dtype != expected and not mixed):
        wanted = f"{expected} as inputs are" if expected.is_floating_point else "of floating point"
        raise InputError(f"{op}: {name} is {dtype} and must be {wanted}")
