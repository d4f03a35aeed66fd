"""The gates of an LSTM cell, in place: one step forward, and all that one step back needs.

    [i; f; o; ĉ] = [σ; σ; σ; tanh](sums)        c = f ⊙ c̃ + i ⊙ ĉ        h = o ⊙ tanh(c)

c̃ is the memory that the cell goes on from.
"""

from __future__ import annotations

import torch
from jaxtyping import Float
from torch import Tensor


def activate_(sums: Float[Tensor, "*N 4*D"]) -> None:
    """From the sums to i, f, o, ĉ, in place."""
    width = sums.shape[-1] // 4
    sums[..., : 3 * width].sigmoid_()
    sums[..., 3 * width :].tanh_()


def remember(
    gates: Float[Tensor, "N 4*D"], before: Float[Tensor, "N D"], added: Float[Tensor, "N D"] | None, out: Tensor
) -> None:
    """Writes c into `out`, [N, D]. before: c̃; added: what else goes into c, None = nothing."""
    i, f, _, candidate = gates.chunk(4, dim=-1)
    torch.mul(f, before, out=out).addcmul_(i, candidate)
    if added is not None:
        out.add_(added)


def expose(gates: Float[Tensor, "N 4*D"], memory: Float[Tensor, "N D"], out: Tensor) -> None:
    """Writes h into `out`, [N, D]. memory: c."""
    torch.mul(gates.chunk(4, dim=-1)[2], torch.tanh(memory), out=out)


def slopes(
    gates: Float[Tensor, "*N 4*D"], memory: Float[Tensor, "*N D"], before: Float[Tensor, "*N D"], out: Tensor
) -> Float[Tensor, "*N D"]:
    """What gradients are multiplied by on the way back, for all steps at once.

    Writes into `out`, [..., 4D], the factors from c̄, c̄, h̄ and c̄ to the gradients by the four sums. Returns the
    factor from h̄ to its share of c̄, [..., D].
    """
    i, f, o, candidate = gates.chunk(4, dim=-1)
    squashed = torch.tanh(memory)
    by_i, by_f, by_o, by_candidate = out.chunk(4, dim=-1)
    torch.mul(candidate, i * (1 - i), out=by_i)
    torch.mul(before, f * (1 - f), out=by_f)
    torch.mul(squashed, o * (1 - o), out=by_o)
    torch.mul(i, 1 - candidate.square(), out=by_candidate)
    return o * (1 - squashed.square())


def step_back_(
    slopes: Float[Tensor, "N 4*D"],
    exposure: Float[Tensor, "N D"],
    by_hidden: Float[Tensor, "N D"],
    by_memory: Float[Tensor, "N D"],
) -> None:
    """One step back, in place: `by_memory` becomes the whole of c̄, and `slopes` the gradients by the sums.

    by_hidden: h̄, whole. by_memory: c̄ but for what comes through h. slopes, exposure: as `slopes` gives them.
    """
    by_memory.addcmul_(by_hidden, exposure)
    width = by_hidden.shape[-1]
    slopes[:, : 2 * width].view(-1, 2, width).mul_(by_memory.unsqueeze(1))
    slopes[:, 2 * width : 3 * width].mul_(by_hidden)
    slopes[:, 3 * width :].mul_(by_memory)
