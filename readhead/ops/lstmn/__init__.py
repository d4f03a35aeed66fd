"""LSTMN: a recurrence that keeps every state on a tape, and reads the tape instead of its last state."""

from __future__ import annotations

from jaxtyping import Bool, Float
from torch import Tensor

from readhead.ops.backends import Implementation, choose
from readhead.ops.kernel_call import why_no_kernels
from readhead.ops.lstmn import cpu, reference, torch
from readhead.ops.lstmn.signature import AXES, OPTION, output_shapes
from readhead.ops.lstmn.tapes import Tapes
from readhead.ops.operator import define_by_definition
from readhead.ops.shapes import check_arguments, check_span

IMPLEMENTATIONS = {
    "cpu": Implementation(cpu.lstmn, why_no_kernels),
    "torch": Implementation(torch.lstmn),
    "reference": Implementation(
        define_by_definition("lstmn_reference", tuple(AXES), reference.lstmn, output_shapes, option=OPTION, outputs=4)
    ),
}


def lstmn(
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
    span: int | None = None,
    backend: str = "auto",
) -> Tapes:
    """One layer of a long short-term memory-network (Cheng, Dong and Lapata 2016), eq. (4)-(9).

    With h_i and c_i what stands in slot i of the hidden and the memory tape, for each token t:

    a_i = vᵀ tanh(W_h h_i + W_x x_t + W_h̃ h̃_{t-1} + b)        for every slot i that t may read
    [h̃_t; c̃_t] = Σ_i softmax_i(a) [h_i; c_i]
    [i; f; o; ĉ] = [σ; σ; σ; tanh](W_i x_t + W_b h̃_t + b_g)
    c_t = f ⊙ c̃_t + i ⊙ ĉ                h_t = o ⊙ tanh(c_t)

    A token reads the initial slots that are written and the tokens before it, never itself. Where it can read no
    slot, h̃ = c̃ = 0. An upper layer, eq. (10), is this op on the outputs of the layer below it.

    inputs: [B, T, E], x, finite everywhere.
    mask: [B, T], True = a real token. A padded one reads nothing, writes nothing and leaves h̃ as it is.
    attend_hidden, attend_input, attend_blend, attend_bias, attend_score: W_h [D, D], W_x [D, E], W_h̃ [D, D],
        b [D] and v [D].
    gate_input, gate_blend, gate_bias: W_i [4D, E], W_b [4D, D] and b_g [4D]; the rows of i, f, o, ĉ in turn.
    hidden_tape, memory_tape: [B, M, D], the slots there are before the first token.
    written: [B, M], False = a slot that is never read, whatever stands in it.
    blend: [B, D], h̃ before the first token.
    span: a token reads at most so many slots: those written last. None = all.
    backend: `auto`, `cpu`, `torch` or `reference`; `readhead.ops.chosen_backend` tells what `auto` takes, and why.

    Returns `Tapes`.

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
    }
    check_span("lstmn", span)
    check_arguments("lstmn", AXES, given)
    choice = choose("lstmn", IMPLEMENTATIONS, inputs.device, backend, inputs.dtype)
    return Tapes(*IMPLEMENTATIONS[choice.backend].run(**given, span=span))


__all__ = ["IMPLEMENTATIONS", "Tapes", "lstmn"]
