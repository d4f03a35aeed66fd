"""Readers that never look ahead, and so can read on: token by token, or one segment after the other."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

from readhead.errors import InputError
from readhead.readers.reading import Reading

State = Mapping[str, Tensor]
"""What a reader knows of all it has read, by name: `2.memory` is of its second layer.

The first axis of every tensor is B. The last one of a tensor of real numbers is a width; axes between them, and those
of truth values, count slots, of which all tensors of a layer have as many. Real numbers are of the type of the reader's
weights, under mixed precision too. Gradients flow through it, segment after segment, until somebody detaches it.
"""

Axes = tuple[str, ...]
"""A tensor's axes: B texts, M slots, and its width as a number: all that does not change from text to text."""


class CausalReader(nn.Module):
    """A reader whose output at a token depends on that token and those before it alone.

    A subclass says how it begins (`initial_state`) and how it goes on from a state (`go_on`). Reading a text whole
    (`forward`), a segment of it (`read`) and word by word (`step`) are the same thing cut in other places, and give the
    same numbers.

    `output_dim` is D of `Reading.outputs`, in features.
    `bounded`: whether its state stays of one size, however long it reads.
    """

    output_dim: int
    bounded: bool = True

    @abstractmethod
    def initial_state(self, batch_size: int) -> State:
        """The state before the first token of `batch_size` texts, on the reader's own device."""

    @abstractmethod
    def go_on(self, embedded: Float[Tensor, "B T E"], mask: Bool[Tensor, "B T"], state: State) -> tuple[Reading, State]:
        """`read`, from a state that is known to be the reader's own and of B texts."""

    def read(self, embedded: Float[Tensor, "B T E"], mask: Bool[Tensor, "B T"], state: State) -> tuple[Reading, State]:
        """Reads on from a state.

        embedded: [B, T, E], mask: [B, T], True = a real token; padding stands on the right and changes nothing.
        state: of B texts.

        Returns the `Reading` of these T tokens, and the state after each text's last real token; a text without one
        keeps its state.

        Raises:
            InputError: the state is of another number of texts, or none of this reader's (`expect_own`).
        """
        self.expect_own(state)
        for name, value in state.items():
            if len(value) != len(embedded):
                raise InputError(f"the state's {name} is of {len(value)} texts, the batch has {len(embedded)}")
        return self.go_on(embedded, mask, state)

    def forward(self, embedded: Float[Tensor, "B T E"], mask: Bool[Tensor, "B T"]) -> Reading:
        """embedded: [B, T, E], mask: [B, T]. Returns a `Reading` of width `output_dim`."""
        reading, _ = self.read(embedded, mask, self.initial_state(len(embedded)))
        return reading

    def step(self, embedded: Float[Tensor, "B E"], state: State) -> tuple[Float[Tensor, "B D"], State]:
        """Reads one token of each text. embedded: [B, E]. Returns its output [B, D] and the state after it."""
        one = torch.ones(len(embedded), 1, dtype=torch.bool, device=embedded.device)
        reading, after = self.read(embedded.unsqueeze(1), one, state)
        return reading.outputs.squeeze(1), after

    def expect_own(self, state: State, *, file: Path | None = None) -> None:
        """That it is a state which this reader could have come to.

        file: where it was read from, for the message.

        Raises:
            InputError: it has other names than this reader's, or a tensor of another type or width; or its tensors are
                not all of as many texts, or those of a layer not of as many slots.
        """
        own = self._own_axes
        for name in sorted(own.keys() ^ state.keys()):
            told = "is missing" if name in own else "is none of this reader's"
            raise InputError(f"the state's {name} {told}; it has {', '.join(sorted(own))}", file=file)
        real = next(self.parameters()).dtype
        for name, axes in own.items():
            found, expected = state[name].dtype, torch.bool if axes[-1].isalpha() else real
            if found != expected:
                raise InputError(f"the state's {name} is {found}; this reader's is {expected}", file=file)
            if _axes(state[name]) != axes:
                found_axes, expected_axes = ", ".join(_axes(state[name])), ", ".join(axes)
                raise InputError(f"the state's {name} is [{found_axes}]; this reader's is [{expected_axes}]", file=file)
        _expect_as_many(state, own, file)

    @cached_property
    def _own_axes(self) -> Mapping[str, Axes]:
        """Of a state's every tensor: found out once, since whoever reads word by word asks for it at every word."""
        return {name: _axes(value) for name, value in self.initial_state(1).items()}


def _axes(value: Tensor) -> Axes:
    letters = ("B", *"M" * (value.dim() - 1))[: value.dim()]
    return (*letters[:-1], str(value.shape[-1])) if letters and value.dtype != torch.bool else letters


def _expect_as_many(state: State, own: Mapping[str, Axes], file: Path | None) -> None:
    """That all tensors are of as many texts, and those of a layer of as many slots."""
    sizes: dict[str, int] = {}
    for name, axes in own.items():
        for axis, size in zip(axes, state[name].shape, strict=True):
            if axis in ("B", "M"):
                what = "texts" if axis == "B" else f"slots of layer {name.partition('.')[0]}"
                expected = sizes.setdefault(what, size)
                if size != expected:
                    raise InputError(f"the state's {name} is of {size} {what}, others are of {expected}", file=file)
