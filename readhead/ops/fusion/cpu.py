"""`fusion` by the native kernels (native/include/readhead_fusion.h)."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from readhead.ops.fusion.signature import AXES, OPTION, output_shapes
from readhead.ops.fusion.tapes import FusedTapes
from readhead.ops.kernel_call import address, call, demand_contract, pointers, structure_of_pointers
from readhead.ops.kernel_operator import define_kernels
from readhead.ops.lstmn import cpu as lstmn
from readhead.ops.lstmn.signature import AXES as LSTMN_AXES
from readhead.ops.lstmn.tapes import Tapes
from readhead.ops.native import load_kernels

_FUSION_WEIGHTS = tuple(name for name in AXES if name not in LSTMN_AXES and name.startswith(("fuse", "gate")))
_SOURCE_OUTPUTS = tuple(name for name in FusedTapes._fields if name not in Tapes._fields)
_LEARNING = (*_FUSION_WEIGHTS, "source_hidden", "source_memory", "source_blend")

_Weights = structure_of_pointers("FusionWeights", _FUSION_WEIGHTS)
_Outputs = structure_of_pointers("FusionOutputs", _SOURCE_OUTPUTS)
_Gradients = structure_of_pointers("FusionGradients", _LEARNING)


class _Source(ctypes.Structure):
    _fields_ = [
        *((name, ctypes.c_void_p) for name in ("source_hidden", "source_memory", "source_mask", "source_blend")),
        ("slots", ctypes.c_int64),
    ]

    @classmethod
    def of(cls, given: Mapping[str, Tensor]) -> _Source:
        tensors = {field[0]: address(given[field[0]]) for field in cls._fields_[:-1]}
        return cls(**tensors, slots=given["source_mask"].shape[1])


@dataclass(frozen=True, slots=True)
class FusionKernels:
    """The kernels of one instruction set: isa and threads as for `readhead.ops.lstmn.cpu.LstmnKernels`."""

    isa: str | None = None
    threads: int | None = None

    def forward(self, given: Mapping[str, Tensor], span: int | None, *, keep: bool) -> tuple[FusedTapes, Tensor | None]:
        """What `readhead.ops.fusion` returns, and what `backward` needs if it is to be kept.

        given: the tensors of `readhead.ops.fusion` by name, dense.

        Raises:
            InputError: a tensor that the kernels cannot read, or an instruction set that this machine lacks.
        """
        demand_contract("fusion", {name: given[name] for name in AXES})
        outputs = output_shapes(**given)
        kept = given["inputs"].new_empty(kept_size(**given)) if keep else None
        by_name = outputs._asdict()
        call(
            load_kernels(self.isa).library.readhead_fusion_forward,
            *self.arguments(given, span),
            pointers(lstmn.Outputs, by_name),
            pointers(_Outputs, by_name),
            address(kept),
        )
        return outputs, kept

    def backward(
        self, gradients: Mapping[str, Tensor | None], given: Mapping[str, Tensor], kept: Tensor, span: int | None
    ) -> dict[str, Tensor]:
        """The gradients by each of the tensors that are no masks, by name.

        gradients: by each field of `FusedTapes`, dense; None = zero.
        given, span: as `forward` got them. kept: as it gave it.

        Raises:
            InputError: as `forward`.
        """
        demand_contract("fusion", {**{f"gradient of {name}": x for name, x in gradients.items()}, **given})
        found = {name: torch.empty_like(given[name]) for name in (*lstmn.LEARNING, *_LEARNING)}
        call(
            load_kernels(self.isa).library.readhead_fusion_backward,
            *self.arguments(given, span),
            pointers(lstmn.Outputs, gradients),
            pointers(_Outputs, gradients),
            address(kept),
            pointers(lstmn.Gradients, found),
            pointers(_Gradients, found),
        )
        return found

    def arguments(self, given: Mapping[str, Tensor], span: int | None) -> tuple[ctypes.Structure, ...]:
        """What `lstmn` gets, and the same of the source: as each of the kernels gets it."""
        return (
            *lstmn.LstmnKernels(self.isa, self.threads).arguments(given, span),
            pointers(_Weights, given),
            _Source.of(given),
        )


def kept_size(*, inputs: Tensor, source_mask: Tensor, hidden_tape: Tensor, **_: Any) -> int:
    """How many floats the kernels keep for the backward, as readhead_fusion.h says."""
    (B, T, _E), S, D = inputs.shape, source_mask.shape[1], hidden_tape.shape[2]
    padded = (D + 15) // 16 * 16
    own = lstmn.kept_size(inputs=inputs, hidden_tape=hidden_tape)
    return own + 16 + B * T * (2 * D + 2 * padded + S) + B * S * 3 * padded


def define(name: str, kernels: FusionKernels) -> Callable[..., FusedTapes]:
    """The op by these kernels, as operators that begin with `readhead::{name}`."""
    return define_kernels(
        name,
        kernels,
        arguments=tuple(AXES),
        option=OPTION,
        outputs=FusedTapes,
        shapes=output_shapes,
        kept_size=kept_size,
    )


fusion = define("fusion_cpu", FusionKernels())
"""The tapes, as `readhead.ops.fusion` says."""
