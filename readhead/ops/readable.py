"""Which slots of a growing tape a token may read."""

from __future__ import annotations

import torch
from jaxtyping import Bool
from torch import Tensor


def readable_slots(
    written: Bool[Tensor, "B M"], mask: Bool[Tensor, "B T"], span: int | None = None
) -> Bool[Tensor, "B T M+T"]:
    """A token reads the slots that were written before it, and of those the last `span`.

    written: [B, M], the slots there are before the first token; False = a slot that is never read.
    mask: [B, T], True = a real token. A padded one reads nothing, and its slot is never written.
    span: how many slots back a token can look, counted in written slots; None = all.

    Returns [B, T, M + T]: first the M slots, then one for each token.
    """
    num_slots = written.shape[1]
    filled = torch.cat([written, mask], dim=1)  # [B, M + T]
    number = filled.cumsum(dim=1)  # [B, M + T], each written slot's number, counted from 1
    before = (number - filled.long())[:, num_slots:]  # [B, T], how many are written before each token
    behind = before.unsqueeze(2) - number.unsqueeze(1)  # [B, T, M + T], 0 = the last one written
    earlier = torch.ones_like(behind, dtype=torch.bool).tril(num_slots - 1)
    readable = earlier & filled.unsqueeze(1) & mask.unsqueeze(2)
    return readable if span is None else readable & (behind < span)


def reading_windows(
    written: Bool[Tensor, "B M"], mask: Bool[Tensor, "B T"], span: int | None = None
) -> tuple[list[slice], Bool[Tensor, "B T M+T"] | None]:
    """The same, for a loop over the tokens: the arguments are those of `readable_slots`.

    Returns for each token the slots from the first to the last that any text may read, and which slots a text may not
    read, [B, T, M + T]; None if every text may read all of its windows.
    """
    num_slots, num_tokens = written.shape[1], mask.shape[1]
    ends = range(num_slots, num_slots + num_tokens)
    if bool(written.all()) and bool(mask.all()):
        return [slice(0 if span is None else max(0, end - span), end) for end in ends], None
    readable = readable_slots(written, mask, span)
    # Each text's first readable slot, and its own slot if there is none.
    first = torch.where(readable, torch.arange(readable.shape[2], device=mask.device), readable.shape[2]).amin((0, 2))
    return [slice(min(start, end), end) for start, end in zip(first.tolist(), ends, strict=True)], ~readable
