"""Deep fusion: an LSTMN that also reads another text's tapes, and lets that text's memory into its own."""

from __future__ import annotations

from jaxtyping import Bool, Float
from torch import Tensor

from readhead.ops.backends import Implementation, choose
from readhead.ops.fusion import cpu, reference, torch
from readhead.ops.fusion.signature import AXES, OPTION, output_shapes
from readhead.ops.fusion.tapes import FusedTapes
from readhead.ops.kernel_call import why_no_kernels
from readhead.ops.operator import define_by_definition
from readhead.ops.shapes import check_arguments, check_span

IMPLEMENTATIONS = {
    "cpu": Implementation(cpu.fusion, why_no_kernels),
    "torch": Implementation(torch.fusion),
    "reference": Implementation(
        define_by_definition("fusion_reference", tuple(AXES), reference.fusion, output_shapes, option=OPTION, outputs=6)
    ),
}


def fusion(
    *,
    inputs: Float[Tensor, "B T E"],
    mask: Bool[Tensor, "B T"],
    attend_hidden: Float[Tensor, "D D"],
    attend_input: Float[Tensor, "D E"],
    attend_blend: Float[Tensor, "D D"],
    attend_bias: Float[Tensor, " D"],
    attend_score: Float[Tensor, " D"],
    gate_input: Float[Tensor, "4*D E"],
    gate_blend: Float[Tensor, "4*D D"],
    gate_bias: Float[Tensor, " 4*D"],
    hidden_tape: Float[Tensor, "B M D"],
    memory_tape: Float[Tensor, "B M D"],
    written: Bool[Tensor, "B M"],
    blend: Float[Tensor, "B D"],
    source_hidden: Float[Tensor, "B S D"],
    source_memory: Float[Tensor, "B S D"],
    source_mask: Bool[Tensor, "B S"],
    fuse_source: Float[Tensor, "D D"],
    fuse_input: Float[Tensor, "D E"],
    fuse_blend: Float[Tensor, "D D"],
    fuse_bias: Float[Tensor, " D"],
    fuse_score: Float[Tensor, " D"],
    gate_source_input: Float[Tensor, "D E"],
    gate_source_blend: Float[Tensor, "D D"],
    gate_source_bias: Float[Tensor, " D"],
    source_blend: Float[Tensor, "B D"],
    span: int | None = None,
    backend: str = "auto",
) -> FusedTapes:
    """Deep fusion of a long short-term memory-network (Cheng, Dong and Lapata 2016), eq. (11)-(16).

    It is `readhead.ops.lstmn`, and what that says of its arguments holds here. Besides its own tapes it reads those
    of another text, the source, where γ_j and α_j stand in slot j of the hidden and the memory tape:

    b_j = uᵀ tanh(W_γ γ_j + W_x x_t + W_γ̃ γ̃_{t-1} + b)        for every real slot j of the source
    [γ̃_t; α̃_t] = Σ_j softmax_j(b) [γ_j; α_j]
    r_t = σ(W_r x_t + W_s γ̃_t + b_r)
    c_t = r_t ⊙ α̃_t + f ⊙ c̃_t + i ⊙ ĉ                h_t = o ⊙ tanh(c_t)

    Where the source has no real slot, γ̃ = α̃ = 0.

    inputs to blend, and span: as for `readhead.ops.lstmn`. A padded token leaves γ̃ as it is, too.
    source_hidden, source_memory: [B, S, D], the source's tapes, γ and α.
    source_mask: [B, S], True = a real slot. Whatever stands in the others is never read.
    fuse_source, fuse_input, fuse_blend, fuse_bias, fuse_score: W_γ [D, D], W_x [D, E], W_γ̃ [D, D], b [D], u [D].
    gate_source_input, gate_source_blend, gate_source_bias: W_r [D, E], W_s [D, D] and b_r [D].
    source_blend: [B, D], γ̃ before the first token.
    backend: `auto`, `cpu`, `torch` or `reference`; `readhead.ops.chosen_backend` tells what `auto` takes, and why.

    Returns `FusedTapes`.

    Raises:
        InputError: arguments that do not fit together, a span below 1, or a backend that cannot run here.
    """
    given = {
        "inputs": inputs,
        "mask": mask,
        "attend_hidden": attend_hidden,
        "attend_input": attend_input,
        "attend_blend": attend_blend,
        "attend_bias": attend_bias,
        "attend_score": attend_score,
        "gate_input": gate_input,
        "gate_blend": gate_blend,
        "gate_bias": gate_bias,
        "hidden_tape": hidden_tape,
        "memory_tape": memory_tape,
        "written": written,
        "blend": blend,
        "source_hidden": source_hidden,
        "source_memory": source_memory,
        "source_mask": source_mask,
        "fuse_source": fuse_source,
        "fuse_input": fuse_input,
        "fuse_blend": fuse_blend,
        "fuse_bias": fuse_bias,
        "fuse_score": fuse_score,
        "gate_source_input": gate_source_input,
        "gate_source_blend": gate_source_blend,
        "gate_source_bias": gate_source_bias,
        "source_blend": source_blend,
    }
    check_span("fusion", span)
    check_arguments("fusion", AXES, given)
    choice = choose("fusion", IMPLEMENTATIONS, inputs.device, backend, inputs.dtype)
    return FusedTapes(*IMPLEMENTATIONS[choice.backend].run(**given, span=span))


__all__ = ["IMPLEMENTATIONS", "FusedTapes", "fusion"]
