"""NSE: a recurrence that reads a memory, composes what it read with the token, and writes the answer back."""

from __future__ import annotations

from collections.abc import Sequence

from jaxtyping import Bool, Float
from torch import Tensor

from readhead.ops.backends import Implementation, choose
from readhead.ops.nse import reference, torch
from readhead.ops.nse.memories import Memories
from readhead.ops.nse.signature import AXES, OPTION, check, output_shapes
from readhead.ops.operator import define_by_definition

IMPLEMENTATIONS = {
    "torch": Implementation(torch.nse),
    "reference": Implementation(
        define_by_definition("nse_reference", tuple(AXES), reference.nse, output_shapes, option=OPTION, outputs=3)
    ),
}


def nse(
    *,
    reads: Float[Tensor, "B T D"],
    mask: Bool[Tensor, "B T"],
    memory: Float[Tensor, "B S D"],
    slots: Bool[Tensor, "B S"],
    compose: Float[Tensor, "C C"],
    compose_bias: Float[Tensor, " C"],
    kept: Float[Tensor, "B T C"],
    write_input: Float[Tensor, "4*D C"],
    write_upper: Float[Tensor, "L-1 4*D D"],
    write_hidden: Float[Tensor, "L 4*D D"],
    write_bias: Float[Tensor, "L 4*D"],
    sizes: Sequence[int],
    backend: str = "auto",
) -> Memories:
    """A neural semantic encoder on any number N of memories (Munkhdalai and Yu 2017), eq. (2)-(6) and (7)-(15).

    With Mⁿ what stands in memory n, and o_t what the read LSTM, eq. (1), made of the text, for each token t:

    zⁿ_t = softmax(o_tᵀ Mⁿ_{t-1})        mⁿ_t = zⁿ_tᵀ Mⁿ_{t-1}        for every memory n
    c_t = W [o_t; m¹_t; …; mᴺ_t] + b
    h_t = LSTM(k_t ⊙ c_t)
    Mⁿ_t = (1 - zⁿ_t) ⊙ Mⁿ_{t-1} + zⁿ_t ⊗ h_t        for every memory n

    The softmax is over the real slots of one memory; one without any gives m = 0 and is not written. The LSTM starts
    from zero.

    reads: [B, T, D], o.
    mask: [B, T], True = a real token. A padded one reads nothing, writes nothing and leaves all states as they are.
    memory: [B, S, D], the slots of all memories side by side, those of the first memory first.
    slots: [B, S], False = a slot that is never read and never written, whatever stands in it.
    compose, compose_bias: W [C, C] and b [C], where C = (N + 1) D.
    kept: [B, T, C], k: dropout's mask, over the probability of being kept; all ones is
        `torch.ones(1, 1, 1).expand(B, T, C)`. It gets no gradient.
    write_input, write_hidden, write_bias: the LSTM's weights: [4D, C] of the first layer's input, and of each of its L
        layers [4D, D] of h_{t-1} and [4D]; the rows of i, f, o, ĉ in turn.
    write_upper: [L - 1, 4D, D], of the other layers' input, which is h of the layer below. The last layer's h is h_t.
    sizes: how many slots each memory has.
    backend: `auto`, `torch` or `reference`; `readhead.ops.chosen_backend` tells what `auto` takes, and why.

    Returns `Memories`.

    Raises:
        InputError: arguments that do not fit together, or a backend that cannot run here.
    """
    given = {
        "reads": reads,
        "mask": mask,
        "memory": memory,
        "slots": slots,
        "compose": compose,
        "compose_bias": compose_bias,
        "kept": kept.detach(),
        "write_input": write_input,
        "write_hidden": write_hidden,
        "write_upper": write_upper,
        "write_bias": write_bias,
    }
    check(given, sizes)
    choice = choose("nse", IMPLEMENTATIONS, reads.device, backend, reads.dtype)
    return Memories(*IMPLEMENTATIONS[choice.backend].run(**given, sizes=list(sizes)))


__all__ = ["IMPLEMENTATIONS", "Memories", "nse"]
