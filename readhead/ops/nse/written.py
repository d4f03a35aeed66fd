"""What stands in a memory, as a sum of what there was and of what was written: no memory is kept for any step.

After token t a slot holds

    M_t = A_t ⊙ M_0 + Σ_{s ≤ t} W_t[s] h_s        A_t = Π_{r ≤ t} (1 - z_r)        W_t[s] = z_s Π_{s < r ≤ t} (1 - z_r)

A and W follow from the keys z by products alone. A quotient, W_{t-1} = W_t / (1 - z_t), would not do: z can be 1.
"""

from __future__ import annotations

from collections.abc import Iterator

import torch
from jaxtyping import Float
from torch import Tensor

BLOCK = 8
"""How many steps' W are there at a time."""


def shares_left(keys: Float[Tensor, "B T S"]) -> Float[Tensor, "B T+1 S"]:
    """A before each token, and after the last one. keys: [B, T, S], z. Returns [B, T + 1, S]."""
    first = torch.ones_like(keys[:, :1]) if keys.shape[1] else keys.new_ones(keys.shape[0], 1, keys.shape[2])
    return torch.cat([first, 1 - keys], dim=1).cumprod(dim=1)


def shares_written(keys: Float[Tensor, "B T S"]) -> Float[Tensor, "B T S"]:
    """W after the last token. keys: [B, T, S], z."""
    stays = torch.cat([1 - keys[:, 1:], torch.ones_like(keys[:, :1])], dim=1)  # [B, T, S], of the token after
    return stays.flip(1).cumprod(dim=1).flip(1).mul_(keys)


def shares_before(keys: Float[Tensor, "B T S"]) -> Iterator[Float[Tensor, "B t S"]]:
    """W before each token, the last token's first: tensors of T - 1, …, 0 rows. keys: [B, T, S], z."""
    num_tokens = keys.shape[1]
    for start in reversed(range(0, num_tokens, BLOCK)):
        block = [shares_written(keys[:, :start])]
        for t in range(start, min(start + BLOCK, num_tokens) - 1):
            written = keys[:, t : t + 1]  # [B, 1, S]
            block.append(torch.cat([block[-1] * (1 - written), written], dim=1))
        yield from reversed(block)
