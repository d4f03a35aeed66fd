"""Arguments that do not fit together are told by name, before anything is computed."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import torch
from torch import Tensor

from readhead.errors import InputError

MASKS = ("mask", "written", "source_mask", "slots")
"""Arguments of these names hold True and False, all others numbers."""


def check_arguments(op: str, axes: Mapping[str, str], given: Mapping[str, Tensor]) -> None:
    """Every axis that several arguments share has one size, and all numbers have one type.

    op: whose arguments they are.
    axes: by argument, its axes, as "B T E"; "4D" is four times D, and "L-1" one less than L. An axis gets its size
        where it first stands. The first argument is of numbers, and gives the others their type.
    given: the arguments by name.

    Raises:
        InputError: one does not fit; told with what it is and what was expected.
    """
    sizes: dict[str, int] = {}
    first = next(iter(axes))
    for name, letters in axes.items():
        _check_type(op, name, given, first)
        _check_shape(op, name, given[name], letters.split(), sizes)


def check_span(op: str, span: int | None) -> None:
    """A span is a number of slots, or None.

    Raises:
        InputError: it is below 1.
    """
    if span is not None and span < 1:
        raise InputError(f"{op}: span is {span} and must be at least 1; without a bound it is None")


def _check_shape(op: str, name: str, tensor: Tensor, letters: list[str], sizes: dict[str, int]) -> None:
    if tensor.dim() == len(letters):
        for letter, size in zip(letters, tensor.shape, strict=True):
            sizes.setdefault(letter, _DERIVED[letter](sizes) if letter in _DERIVED else size)
    expected = [sizes.get(letter, letter) for letter in letters]
    if list(tensor.shape) != expected:
        sizes_in_words = ", ".join(map(str, expected))
        raise InputError(
            f"{op}: {name} is {list(tensor.shape)} and must be [{', '.join(letters)}], here [{sizes_in_words}]"
        )


_DERIVED: dict[str, Callable[[dict[str, int]], int]] = {
    "4D": lambda sizes: 4 * sizes["D"],
    "L-1": lambda sizes: sizes["L"] - 1,
}
"""Axes whose size follows from another's, which stands in an earlier argument."""


def _check_type(op: str, name: str, given: Mapping[str, Tensor], first: str) -> None:
    if name in MASKS:
        if given[name].dtype != torch.bool:
            raise InputError(f"{op}: {name} is {given[name].dtype} and must be torch.bool")
        return
    dtype, expected = given[name].dtype, given[first].dtype
    # Mixed precision makes one type of them all.
    mixed = torch.is_autocast_enabled(given[name].device.type)
    if not dtype.is_floating_point or (dtype != expected and not mixed):
        wanted = f"{expected} as {first} are" if expected.is_floating_point else "of floating point"
        raise InputError(f"{op}: {name} is {dtype} and must be {wanted}")
