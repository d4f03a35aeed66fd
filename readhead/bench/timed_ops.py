"""The ops that `readhead bench ops` times, as data: what goes in, and the sizes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import torch
from torch import Tensor

from readhead.bench.correctness import Op
from readhead.ops.lstmn.cpu import WEIGHTS, PackedLstmn

Shape = tuple[int, int, int]
"""[B, T, H]: texts, tokens of each, features of each token."""

Inputs = dict[str, Tensor]

Packing = Callable[[Inputs], Op]
"""Lays the weights among some inputs out for many calls: an op without gradients, which takes the same inputs."""


@dataclass(frozen=True, slots=True)
class TimedOp:
    """What is needed to time an op.

    inputs: draws its arguments by name, for a shape.
    shapes: the sizes it is timed at.
    weights: which of its arguments belong to a layer, and stay the same from text to text.
    form: makes of a backend's op what is timed, where that is more than the op: it gets the inputs.
    packing: for reading alone, if the op has a form with weights that were laid out before.
    """

    inputs: Callable[[Shape, torch.Generator], Inputs]
    shapes: tuple[Shape, ...]
    weights: frozenset[str] = frozenset()
    form: Callable[[Op], Op] = lambda op: op
    packing: Packing | None = None

    def draw(self, shape: Shape, count: int, device: torch.device) -> list[Inputs]:
        """Different texts for the same weights; the same ones each time."""
        drawn = self.draw_anew(shape, count, device)
        layer = {name: drawn[0][name] for name in self.weights}
        return [given | layer for given in drawn]

    def draw_anew(self, shape: Shape, count: int, device: torch.device) -> list[Inputs]:
        """Different texts and different weights; the same ones each time."""
        generator = torch.Generator().manual_seed(0)
        drawn = (self.inputs(shape, generator) for _ in range(count))
        return [{name: x.to(device) for name, x in given.items()} for given in drawn]


def attend_inputs(shape: Shape, generator: torch.Generator) -> Inputs:
    """As many queries as slots; texts are half to fully as long as the longest."""
    B, T, H = shape
    lengths = torch.randint((T + 1) // 2, T + 1, (B, 1), generator=generator)
    return {
        "scores": torch.randn(B, T, T, generator=generator),
        "values": torch.randn(B, T, H, generator=generator),
        "mask": torch.arange(T) < lengths,  # [B, T]
    }


def lstmn_inputs(shape: Shape, generator: torch.Generator) -> Inputs:
    """Full texts, as torch.nn.LSTM gets them; weights as it draws its own; one empty slot to begin with."""
    B, T, H = shape
    zeros = torch.zeros(B, 1, H)
    return {
        "inputs": torch.randn(B, T, H, generator=generator),
        "mask": torch.ones(B, T, dtype=torch.bool),
        **_weights(LSTMN_WEIGHTS, H, generator),
        "hidden_tape": zeros,
        "memory_tape": zeros.clone(),
        "written": torch.ones(B, 1, dtype=torch.bool),
        "blend": torch.zeros(B, H),
    }


def fusion_inputs(shape: Shape, generator: torch.Generator) -> Inputs:
    """The same, and a source of as many slots as there are tokens."""
    B, T, H = shape
    return {
        **lstmn_inputs(shape, generator),
        "source_hidden": torch.rand(B, T, H, generator=generator) * 2 - 1,
        "source_memory": torch.randn(B, T, H, generator=generator),
        "source_mask": torch.ones(B, T, dtype=torch.bool),
        **_weights(FUSION_WEIGHTS, H, generator),
        "source_blend": torch.zeros(B, H),
    }


def nse_inputs(shape: Shape, generator: torch.Generator) -> Inputs:
    """Full texts, which `whole_nse` reads; weights as torch.nn.LSTM draws its own."""
    B, T, H = shape
    return {
        "embedded": torch.randn(B, T, H, generator=generator),
        "mask": torch.ones(B, T, dtype=torch.bool),
        **_weights(READ_WEIGHTS, H, generator),
        **_weights(NSE_WEIGHTS, H, generator),
        **{name: weight.unsqueeze(0) for name, weight in _weights(WRITE_WEIGHTS, H, generator).items()},
    }


def whole_nse(op: Op) -> Op:
    """A whole reading: the read LSTM, which is torch's, and the op on one memory that starts as the text."""

    def reading(*, embedded: Tensor, mask: Tensor, **weights: Tensor) -> tuple[Tensor, ...]:
        B, T, H = embedded.shape
        zeros = embedded.new_zeros(1, B, H)
        read = [weights.pop(name) for name in READ_WEIGHTS]
        reads, *_ = torch.lstm(embedded, (zeros, zeros), read, True, 1, 0.0, False, False, True)  # [B, T, H]
        kept, upper = embedded.new_ones(1, 1, 1).expand(B, T, 2 * H), embedded.new_zeros(0, 4 * H, H)
        return op(
            reads=reads, mask=mask, memory=embedded, slots=mask, kept=kept, write_upper=upper, sizes=[T], **weights
        )

    return reading


def packed_lstmn(given: Inputs) -> Op:
    """`lstmn` by the native kernels, with weights that are laid out now."""
    packed = PackedLstmn(weights={name: given[name] for name in WEIGHTS})
    return lambda **given: packed(**{name: x for name, x in given.items() if name not in WEIGHTS})


LSTMN_WEIGHTS = {
    "attend_hidden": (1, 1),
    "attend_input": (1, 1),
    "attend_blend": (1, 1),
    "attend_bias": (1,),
    "attend_score": (1,),
    "gate_input": (4, 1),
    "gate_blend": (4, 1),
    "gate_bias": (4,),
}
"""Sizes in units of H."""

FUSION_WEIGHTS = {
    "fuse_source": (1, 1),
    "fuse_input": (1, 1),
    "fuse_blend": (1, 1),
    "fuse_bias": (1,),
    "fuse_score": (1,),
    "gate_source_input": (1, 1),
    "gate_source_blend": (1, 1),
    "gate_source_bias": (1,),
}
"""Sizes in units of H."""

READ_WEIGHTS = {"read_input": (4, 1), "read_hidden": (4, 1), "read_input_bias": (4,), "read_hidden_bias": (4,)}
"""Sizes in units of H."""

NSE_WEIGHTS = {"compose": (2, 2), "compose_bias": (2,), "write_input": (4, 2)}
"""Sizes in units of H."""

WRITE_WEIGHTS = {"write_hidden": (4, 1), "write_bias": (4,)}
"""Of each layer, in units of H."""


def _weights(sizes: Mapping[str, tuple[int, ...]], H: int, generator: torch.Generator) -> Inputs:
    """Each number from U(-1/√H, 1/√H), those of the scores three times that."""
    drawn = {name: torch.rand([size * H for size in each], generator=generator) for name, each in sizes.items()}
    # Attention that is nearly even has gradients of nothing but rounding.
    return {name: (2 * x - 1) / H**0.5 * (3 if name.endswith("score") else 1) for name, x in drawn.items()}


_RECURRENT = ((32, 30, 300), (40, 35, 300), (16, 100, 300))

TIMED_OPS = {
    "attend": TimedOp(attend_inputs, shapes=((32, 30, 200), (40, 35, 300), (16, 100, 300))),
    "lstmn": TimedOp(
        lstmn_inputs,
        # 96 and 100: a width that is no multiple of a vector's must not fall off a cliff.
        shapes=(*_RECURRENT, (32, 30, 96), (32, 30, 100), (1, 20, 300)),
        weights=frozenset(LSTMN_WEIGHTS),
        packing=packed_lstmn,
    ),
    "fusion": TimedOp(fusion_inputs, shapes=_RECURRENT, weights=frozenset(LSTMN_WEIGHTS | FUSION_WEIGHTS)),
    "nse": TimedOp(
        nse_inputs, shapes=_RECURRENT, weights=frozenset(READ_WEIGHTS | NSE_WEIGHTS | WRITE_WEIGHTS), form=whole_nse
    ),
}
