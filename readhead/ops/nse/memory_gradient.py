"""Back through reading and writing the memories, one token at a time, the last one first.

The memory before a token is M = A ⊙ M_0 + Wᵀ H (`written`), so that reading it with o, and blending it with z, is

    score = A ⊙ (M_0 o) + Wᵀ (H o)        m = M_0ᵀ (A ⊙ z) + Hᵀ (W z)

The gradient by M is thus one by A, [B, S], and one by W, [B, T, S]. Those by M_0, H and o are sums of o_t and m̄_t, of
M_0 and of H, whose coefficients are noted down on the way.
"""

from __future__ import annotations

import torch
from jaxtyping import Float
from torch import Tensor

from readhead.ops.nse.segments import Segments
from readhead.ops.nse.written import shares_before, shares_left, shares_written


class MemoryGradient:
    """The gradients by what the memories were, and by what they were asked and told.

    segments: the N memories.
    memory: [B, S, D], M_0; 0 where no token reads.
    reads: [B, T, D], o. hidden: [B, T, D], h. keys: [B, T, S], z. They are 0 at padded tokens.
    by_final: [B, S, D], the gradient by the memory after the last token.
    """

    def __init__(
        self,
        *,
        segments: Segments,
        memory: Float[Tensor, "B S D"],
        reads: Float[Tensor, "B T D"],
        hidden: Float[Tensor, "B T D"],
        keys: Float[Tensor, "B T S"],
        by_final: Float[Tensor, "B S D"],
    ) -> None:
        (B, T, S), N = keys.shape, len(segments.slices)
        self._segments, self._memory, self._hidden, self._keys = segments, memory, hidden, keys
        self._left, self._written = shares_left(keys), shares_before(keys)
        self._reads_of_slots = torch.bmm(reads, memory.transpose(1, 2))  # [B, T, S]
        self._reads_of_tokens = torch.bmm(reads, hidden.transpose(1, 2))  # [B, T, T]
        self._rows = reads.new_zeros(B, T, N + 1, reads.shape[2])  # o_t, and m̄_t of each memory
        self._rows[:, :, 0] = reads
        self._on_slots = reads.new_zeros(B, T, N + 1, S)  # coefficients of these rows for M_0, and
        self._on_tokens = reads.new_zeros(B, T, T, N + 1)  # for h of each token before
        self._by_final = by_final
        self._by_hidden = torch.bmm(shares_written(keys), by_final)  # [B, T, D], as far as from there
        self._by_written = torch.bmm(hidden, by_final.transpose(1, 2))  # W̄, [B, T, S]
        self._by_left = (memory * by_final).sum(dim=2)  # Ā, [B, S]

    def by_hidden(self, t: int) -> Float[Tensor, "B D"]:
        """The gradient by h of a token: what its being written gave to those after it, which must be done."""
        coefficients = self._on_tokens[:, t, t + 1 :].flatten(1).unsqueeze(1)  # [B, 1, (T - t - 1)(N + 1)]
        later = self._rows[:, t + 1 :].flatten(1, 2)
        return torch.baddbmm(self._by_hidden[:, t : t + 1], coefficients, later).squeeze(1)

    def step(self, t: int, by_blends: Float[Tensor, "B N D"], by_keys: Float[Tensor, "B S"] | None) -> None:
        """Back through one token's reading and writing.

        by_blends: [B, N, D], m̄ of each memory. by_keys: [B, S], the gradient by z as it was given out; None = zero.
        """
        self._rows[:, t, 1:] = by_blends
        # Few rows times many columns: the other way round such a product is ten times as slow.
        of_blends = self._segments.gather(torch.bmm(by_blends, self._memory.transpose(1, 2)))  # [B, S], M_0 m̄
        blends_of_tokens = torch.bmm(by_blends, self._hidden[:, :t].transpose(1, 2))  # [B, N, t]
        left, written, keys = self._left[:, t], next(self._written), self._keys[:, t]
        by_written = self._by_written[:, :t]  # [B, t, S]
        by_z = self._segments.gather(torch.bmm(blends_of_tokens, written))
        by_z += self._by_written[:, t] - (written * by_written).sum(dim=1)
        by_z.addcmul_(left, of_blends - self._by_left)
        if by_keys is not None:
            by_z += by_keys
        by_scores = self._segments.softmax_backward(by_z, keys)
        weights = torch.cat([by_scores.unsqueeze(1), self._segments.spread(keys)], dim=1)  # [B, N + 1, S]
        of_tokens = torch.cat([self._reads_of_tokens[:, t : t + 1, :t], blends_of_tokens], dim=1)  # [B, N + 1, t]
        stays = 1 - keys
        by_written.mul_(stays.unsqueeze(1)).baddbmm_(of_tokens.transpose(1, 2), weights)
        self._by_left.mul_(stays).addcmul_(self._reads_of_slots[:, t], by_scores).addcmul_(of_blends, keys)
        torch.mul(weights, left.unsqueeze(1), out=self._on_slots[:, t])
        self._on_tokens[:, :t, t] = torch.bmm(weights, written.transpose(1, 2)).transpose(1, 2)

    def by_memory(self) -> Float[Tensor, "B S D"]:
        """The gradient by M_0, when all tokens are done."""
        coefficients = self._on_slots.flatten(1, 2).transpose(1, 2)  # [B, S, T (N + 1)]
        return torch.baddbmm(self._by_final * self._left[:, -1].unsqueeze(2), coefficients, self._rows.flatten(1, 2))

    def by_reads(self) -> Float[Tensor, "B T D"]:
        """The gradient by o as far as it asked the memories, when all tokens are done."""
        from_tokens = torch.bmm(self._on_tokens[..., 0].transpose(1, 2), self._hidden)
        return from_tokens.baddbmm_(self._on_slots[:, :, 0], self._memory)
