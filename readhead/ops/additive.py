"""Additive attention over a tape, one query at a time: the step that a recurrence takes T times.

For key u_n and query q, all of width D:

    a_n = vᵀ tanh(u_n + q)        w = softmax(a)        y = Σ_n w_n value_n

With p = e^(2u) e^(2q) it is tanh(u + q) = (p - 1) / (p + 1). So a tape of e^(2u) instead of u leaves no transcendental
function in the T² part, which is several times as fast. Where p could overflow, the tape holds u itself. The tanh is
all of size T² D that the backward needs, and is computed twice instead of kept.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch
from jaxtyping import Bool, Float
from torch import Tensor


@dataclass(frozen=True, slots=True)
class Scale:
    """How keys and queries stand in memory: as e^(2u) and e^(2q), or as they are.

    exponential: the first of the two.
    """

    exponential: bool

    @classmethod
    def fitting(cls, largest_key: Float[Tensor, ""]) -> Scale:
        """The exponential one, where it is exact. largest_key: a scalar that no |2u| is above."""
        if largest_key.dtype not in (torch.float32, torch.float64):
            return cls(exponential=False)
        return cls(exponential=bool(largest_key <= _LARGEST_KEY * _largest_exponent(largest_key.dtype)))

    def key_(self, doubled: Tensor) -> Tensor:
        """From 2u, in place."""
        return doubled.exp_() if self.exponential else doubled.mul_(0.5)

    def query_(self, doubled: Tensor) -> Tensor:
        """From 2q, in place."""
        if not self.exponential:
            return doubled.mul_(0.5)
        limit = _LARGEST_QUERY * _largest_exponent(doubled.dtype)
        return doubled.clamp_(-limit, limit).exp_()

    def activation(
        self,
        keys: Float[Tensor, "B N D"],
        query: Float[Tensor, "B D"],
        out: Float[Tensor, "B N D"],
        spare: Float[Tensor, "B N D"],
    ) -> Float[Tensor, "B N D"]:
        """tanh(u + q) for every slot. Returns `out`; `spare` is overwritten."""
        if not self.exponential:
            return torch.add(keys, query.unsqueeze(1), out=out).tanh_()
        minus_one = torch.full((), -1, dtype=keys.dtype, device=keys.device)
        torch.addcmul(minus_one, keys, query.unsqueeze(1), out=out)  # p - 1
        return torch.div(out, torch.add(out, 2, out=spare), out=out)


# Shares of the largest exponent. Together they stay below it, so that p is a number; and they are so far apart that
# a query which is cut off there has every tanh at ±1 already.
_LARGEST_KEY, _LARGEST_QUERY = 0.38, 0.6


def _largest_exponent(dtype: torch.dtype) -> float:
    """The x at which e^x overflows."""
    return math.log(torch.finfo(dtype).max)


class AdditiveAttention:
    """Reads slots of a tape, query by query.

    scale: that of the keys, and of the queries.
    score: [D], v.
    keys: [B, N, D], tape: [B, N, W], the values. A slot may be written after this object is made, before it is read.
    """

    def __init__(
        self, *, scale: Scale, score: Float[Tensor, " D"], keys: Float[Tensor, "B N D"], tape: Float[Tensor, "B N W"]
    ) -> None:
        self.scale, self.score, self.keys, self.tape = scale, score, keys, tape
        self._room, self._spare = torch.empty_like(keys).flatten(), torch.empty_like(keys).flatten()

    def read(
        self,
        slots: slice,
        query: Float[Tensor, "B D"],
        unreadable: Bool[Tensor, "B n"] | None,
        out: Float[Tensor, "B W"],
    ) -> Float[Tensor, "B n"]:
        """Writes y into `out`. Returns the weights.

        slots: n of the N.
        unreadable: True = a slot that counts for nothing; None: all count. Where none does, y is zero.
        """
        activation = self.activation(slots, query)  # [B, n, D]
        scores = torch.mv(activation.flatten(0, 1), self.score).view(activation.shape[:2])
        if unreadable is None:
            weights = torch.softmax(scores, dim=-1)
        else:
            # The lowest finite number and not -inf: a row without a readable slot would be 0/0.
            scores.masked_fill_(unreadable, torch.finfo(scores.dtype).min)
            weights = torch.softmax(scores, dim=-1).masked_fill_(unreadable, 0)
        torch.bmm(weights.unsqueeze(1), self.tape[:, slots], out=out.unsqueeze(1))
        return weights

    def activation(self, slots: slice, query: Float[Tensor, "B D"]) -> Float[Tensor, "B n D"]:
        """tanh(u + q) of these slots, in memory that the next call takes for its own."""
        keys = self.keys[:, slots]
        room, spare = (memory[: keys.numel()].view(keys.shape) for memory in (self._room, self._spare))
        return self.scale.activation(keys, query, room, spare)


class AdditiveGradient:
    """The way back through every `read` of an attention, in any order.

    With ȳ the gradient by y, and by the weights w̄:

    ŵ_n = value_n·ȳ + w̄_n        ā = w ⊙ (ŵ - Σ_n w_n ŵ_n)        ū_n = ā_n v ⊙ (1 - tanh²(u_n + q))        q̄ = Σ_n ū_n

    attention: what was read.
    by_tape: [B, N, W], the gradient by the values; gathers what each call adds.
    by_score: [D], the gradient by v; likewise.
    by_keys: [B, N, D], the gradient by the keys; likewise, but for the factor v, which `finish_keys` puts in.
    """

    def __init__(self, attention: AdditiveAttention, by_tape: Float[Tensor, "B N W"]) -> None:
        self.attention, self.by_tape = attention, by_tape
        self.by_score = torch.zeros_like(attention.score)
        self.by_keys = torch.zeros_like(attention.keys)
        self._room = torch.empty_like(attention.keys).flatten()

    def read(
        self,
        slots: slice,
        query: Float[Tensor, "B D"],
        weights: Float[Tensor, "B n"],
        by_read: Float[Tensor, "B W"],
        by_weights: Float[Tensor, "B n"] | None,
    ) -> Float[Tensor, "B D"]:
        """slots, query, weights: of that read; by_read: ȳ; by_weights: w̄, None = zero. Returns q̄."""
        by_weight = torch.bmm(by_read.unsqueeze(1), self.attention.tape[:, slots].transpose(1, 2)).squeeze(1)
        if by_weights is not None:
            by_weight += by_weights
        by_energy = torch.ops.aten._softmax_backward_data(by_weight, weights, -1, weights.dtype)  # ā, [B, n]
        self.by_tape[:, slots].addcmul_(weights.unsqueeze(2), by_read.unsqueeze(1))

        activation = self.attention.activation(slots, query)  # [B, n, D]
        # Not addmv_: onto a large sum it would add slot by slot, and round each time.
        self.by_score.add_(torch.mv(activation.flatten(0, 1).t(), by_energy.flatten()))
        by_key = self._room[: activation.numel()].view(activation.shape)
        torch.ops.aten.tanh_backward.grad_input(
            by_energy.unsqueeze(2).expand_as(activation), activation, grad_input=by_key
        )
        self.by_keys[:, slots].add_(by_key)
        return by_key.sum(dim=1).mul_(self.attention.score)

    def finish_keys(self, slots: slice) -> Float[Tensor, "B n D"]:
        """ū of these slots, once nothing will read them any more; to be called once for each slot."""
        return self.by_keys[:, slots].mul_(self.attention.score)
