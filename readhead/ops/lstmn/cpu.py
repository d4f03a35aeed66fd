"""`lstmn` by the native kernels (native/include/readhead_lstmn.h)."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from readhead.ops.kernel_call import (
    address,
    call,
    demand_contract,
    dense,
    pointers,
    structure_of_pointers,
    structure_of_sizes,
)
from readhead.ops.kernel_operator import define_kernels
from readhead.ops.lstmn.signature import AXES, OPTION, output_shapes
from readhead.ops.lstmn.tapes import Tapes
from readhead.ops.native import load_kernels
from readhead.ops.shapes import check_arguments, check_span

WEIGHTS = tuple(name for name in AXES if name.startswith(("attend", "gate")))
"""Which of the arguments belong to a layer, and not to a batch."""

_TEXTS = ("inputs", "mask", "hidden_tape", "memory_tape", "written", "blend")
LEARNING = ("inputs", *WEIGHTS, "hidden_tape", "memory_tape", "blend")

_Sizes = structure_of_sizes("Sizes", ("texts", "tokens", "input_dim", "dim", "slots", "span", "threads"))
_Weights = structure_of_pointers("Weights", WEIGHTS)
_Texts = structure_of_pointers("Texts", _TEXTS)
Outputs = structure_of_pointers("Outputs", Tapes._fields)
Gradients = structure_of_pointers("Gradients", LEARNING)


@dataclass(frozen=True, slots=True)
class LstmnKernels:
    """The kernels of one instruction set.

    isa: its name; None = the best that runs here.
    threads: how many take part in a call; None = as many as torch uses.
    """

    isa: str | None = None
    threads: int | None = None

    def forward(
        self, given: Mapping[str, Tensor], span: int | None, *, packed: Tensor | None = None, keep: bool
    ) -> tuple[Tapes, Tensor | None]:
        """What `readhead.ops.lstmn` returns, and what `backward` needs if it is to be kept.

        given: the tensors of `readhead.ops.lstmn` by name, dense. packed: the weights, as `pack` gave them.

        Raises:
            InputError: a tensor that the kernels cannot read, or an instruction set that this machine lacks.
        """
        demand_contract("lstmn", {name: given[name] for name in AXES})
        outputs = output_shapes(**given)
        kept = given["inputs"].new_empty(kept_size(**given)) if keep else None
        sizes, weights, texts = self.arguments(given, span)
        call(
            load_kernels(self.isa).library.readhead_lstmn_forward,
            sizes,
            weights,
            address(packed),
            texts,
            pointers(Outputs, outputs._asdict()),
            address(kept),
        )
        return outputs, kept

    def backward(
        self, gradients: Mapping[str, Tensor | None], given: Mapping[str, Tensor], kept: Tensor, span: int | None
    ) -> dict[str, Tensor]:
        """The gradients by each of the tensors that are no masks, by name.

        gradients: by each field of `Tapes`, dense; None = zero.
        given, span: as `forward` got them. kept: as it gave it.

        Raises:
            InputError: as `forward`.
        """
        demand_contract("lstmn", {**{f"gradient of {name}": x for name, x in gradients.items()}, **given})
        found = {name: torch.empty_like(given[name]) for name in LEARNING}
        call(
            load_kernels(self.isa).library.readhead_lstmn_backward,
            *self.arguments(given, span),
            pointers(Outputs, gradients),
            address(kept),
            pointers(Gradients, found),
        )
        return found

    def pack(self, weights: Mapping[str, Tensor]) -> Float[Tensor, " N"]:
        """The weights' matrices as `forward` wants them. weights: dense, by name."""
        demand_contract("lstmn", {name: weights[name] for name in WEIGHTS})
        dim, input_dim = weights["attend_input"].shape
        sizes = ctypes.byref(_Sizes(input_dim=input_dim, dim=dim))
        kernels = load_kernels(self.isa).library
        count = kernels.readhead_lstmn_packed_size
        count.restype = ctypes.c_int64
        packed = weights["attend_input"].new_empty(count(sizes))
        kernels.readhead_lstmn_pack(sizes, ctypes.byref(pointers(_Weights, weights)), ctypes.c_void_p(address(packed)))
        return packed

    def arguments(
        self, given: Mapping[str, Tensor], span: int | None
    ) -> tuple[ctypes.Structure, ctypes.Structure, ctypes.Structure]:
        """Sizes, weights and texts, as each of the kernels gets them."""
        (B, T, E), (M, D) = given["inputs"].shape, given["hidden_tape"].shape[1:]
        sizes = _Sizes(B, T, E, D, M, span or 0, self.threads or torch.get_num_threads())
        return sizes, pointers(_Weights, given), pointers(_Texts, given)


def kept_size(*, inputs: Tensor, hidden_tape: Tensor, **_: Any) -> int:
    """How many floats the kernels keep for the backward, as readhead_lstmn.h says."""
    (B, T, _E), (M, D) = inputs.shape, hidden_tape.shape[1:]
    padded = (D + 15) // 16 * 16
    return 16 + B * T * (5 * D + 2 * padded + M + T) + B * (M + T) * 3 * padded


def define(name: str, kernels: LstmnKernels) -> Callable[..., Tapes]:
    """The op by these kernels, as operators that begin with `readhead::{name}`."""
    return define_kernels(
        name,
        kernels,
        arguments=tuple(AXES),
        option=OPTION,
        outputs=Tapes,
        shapes=output_shapes,
        kept_size=kept_size,
    )


lstmn = define("lstmn_cpu", LstmnKernels())
"""The tapes, as `readhead.ops.lstmn` says."""


class PackedLstmn:
    """`lstmn` with weights that do not change any more, laid out once for many calls: for inference.

    With one text at a time, laying them out costs as much as reading it.

    weights: those of `readhead.ops.lstmn`, by name. They are copied, except for the vectors.
    kernels: who lays them out, and reads them; None = the best that run here.

    Raises:
        InputError: weights that the kernels cannot read.
    """

    def __init__(self, *, weights: Mapping[str, Tensor], kernels: LstmnKernels | None = None) -> None:
        self._kernels = kernels or LstmnKernels()
        self._weights = {name: weights[name].detach().contiguous() for name in WEIGHTS}
        self._packed = self._kernels.pack(self._weights)

    @torch.no_grad()
    def __call__(
        self,
        *,
        inputs: Float[Tensor, "B T E"],
        mask: Bool[Tensor, "B T"],
        hidden_tape: Float[Tensor, "B M D"],
        memory_tape: Float[Tensor, "B M D"],
        written: Bool[Tensor, "B M"],
        blend: Float[Tensor, "B D"],
        span: int | None = None,
    ) -> Tapes:
        """The tapes: the arguments are those of `readhead.ops.lstmn`.

        Raises:
            InputError: arguments that do not fit together, or that the kernels cannot read.
        """
        texts = {
            "inputs": inputs,
            "mask": mask,
            "hidden_tape": hidden_tape,
            "memory_tape": memory_tape,
            "written": written,
            "blend": blend,
        }
        given = dense(texts) | self._weights
        check_span("lstmn", span)
        check_arguments("lstmn", AXES, given)
        return self._kernels.forward(given, span, packed=self._packed, keep=False)[0]
