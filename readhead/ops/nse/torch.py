"""`nse` as one operator: a loop over the tokens on one memory, written in place, and its backward written out.

What depends on o alone is one product for all tokens, and each weight's gradient is one product after the loop. For the
way back are kept the keys z, what each token read, composed, and went through in the write LSTM; nothing of size T S D.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor

from readhead.ops.linear import add_product, product, weight_gradient
from readhead.ops.nse.masks import Masks
from readhead.ops.nse.memories import Memories
from readhead.ops.nse.memory_gradient import MemoryGradient
from readhead.ops.nse.segments import Segments
from readhead.ops.nse.signature import AXES, OPTION, output_shapes
from readhead.ops.nse.write_lstm import Steps, WriteLstm, WriteLstmGradient
from readhead.ops.operator import define_by_hand


def nse(**given: Any) -> Memories:
    """What `readhead.ops.nse` says."""
    memory, hidden, attention = _operator(**given)
    return Memories(hidden, memory, attention)


def _run_forward(*, sizes: Sequence[int], **given: Tensor) -> tuple[Tensor, ...]:
    masks = Masks.of(given["mask"], given["slots"])
    memory, hidden, attention, blends, steps = _forward(_cleared(given, masks), masks, sizes)
    return masks.restore_slots(memory, given["memory"]), masks.clear_tokens(hidden), attention, blends, *steps


def _cleared(given: Mapping[str, Tensor], masks: Masks) -> dict[str, Tensor]:
    tokens = {name: masks.clear_tokens(given[name]) for name in ("reads", "kept")}
    return {**given, **tokens, "memory": masks.clear_slots(given["memory"])}


def _forward(
    given: Mapping[str, Tensor], masks: Masks, sizes: Sequence[int]
) -> tuple[Tensor, Tensor, Tensor, Float[Tensor, "T B N*D"], Steps]:
    """Memory, hidden and attention as in `Memories`, and with them what is kept: each token's m and what it wrote."""
    (B, T, D), (_, S, _), C = given["reads"].shape, given["memory"].shape, given["kept"].shape[2]
    memory, segments = given["memory"].clone(), Segments(sizes, given["memory"])
    hidden, attention = memory.new_empty(B, T, D), memory.new_empty(B, T, S)
    blends, steps = memory.new_empty(T, B, C - D), Steps.before(given)
    kept, lstm = given["kept"].transpose(0, 1), WriteLstm(given, steps, masks.padding)
    composed = steps.operands[:-1, :, :C]  # c, [T, B, C], as yet as far as from o
    of_reads, of_blends = _compose_parts(given)
    torch.add(product(given["reads"].transpose(0, 1), of_reads), given["compose_bias"], out=composed)
    for t in range(T):
        # Few rows times many columns: the other way round such a product is ten times as slow.
        scores = torch.bmm(given["reads"][:, t : t + 1], memory.transpose(1, 2)).squeeze(1)  # [B, S]
        keys = segments.softmax(scores, None if masks.unreadable is None else masks.unreadable[:, t])
        blends[t] = segments.blend(keys, memory).flatten(1)
        add_product(composed[t], blends[t], of_blends)
        composed[t].mul_(kept[t])
        h = lstm.step(t)
        memory.lerp_(h.unsqueeze(1), keys.unsqueeze(2))
        hidden[:, t], attention[:, t] = h, keys
    return memory, hidden, attention, blends, steps


def _run_backward(
    gradients: Sequence[Tensor | None], given: Mapping[str, Tensor], remembered: Sequence[Tensor], sizes: Sequence[int]
) -> dict[str, Tensor]:
    by_memory, by_hidden, by_attention = gradients
    hidden, attention, blends, *steps = remembered
    masks = Masks.of(given["mask"], given["slots"])
    given = _cleared(given, masks)
    by_final = torch.zeros_like(given["memory"]) if by_memory is None else by_memory
    reading = MemoryGradient(
        segments=Segments(sizes, given["memory"]),
        memory=given["memory"],
        reads=given["reads"],
        hidden=hidden,
        keys=attention,
        by_final=masks.clear_slots(by_final),
    )
    lstm = WriteLstmGradient(given, Steps(*steps), masks.padding)
    outputs = None if by_hidden is None else masks.clear_tokens(by_hidden), by_attention
    of_reads, of_blends = _compose_parts(given)
    by_composed = _back_through_tokens(outputs, given["kept"].transpose(0, 1), of_blends, lstm, reading)
    return {
        **_by_compose(by_composed, given, blends),
        **lstm.by_weights(),
        "reads": reading.by_reads() + product(by_composed, of_reads.t()).transpose(0, 1),
        "memory": masks.restore_slots(reading.by_memory(), by_final),
    }


def _back_through_tokens(
    outputs: tuple[Tensor | None, Tensor | None],
    kept: Float[Tensor, "T B C"],
    of_blends: Float[Tensor, "C N*D"],
    lstm: WriteLstmGradient,
    reading: MemoryGradient,
) -> Float[Tensor, "T B C"]:
    """The gradient by c. outputs: those by hidden and by attention; None = zero."""
    by_hidden, by_attention = outputs
    by_composed = kept.new_empty(kept.shape)
    turned = of_blends.t().contiguous()  # [N D, C]
    for t in reversed(range(len(kept))):
        by_h = reading.by_hidden(t)
        if by_hidden is not None:
            by_h += by_hidden[:, t]
        torch.mul(lstm.step(t, by_h), kept[t], out=by_composed[t])
        by_blends = product(by_composed[t], turned).view(len(by_h), -1, by_h.shape[1])  # [B, N, D]
        reading.step(t, by_blends, None if by_attention is None else by_attention[:, t])
    return by_composed


def _by_compose(
    by_composed: Float[Tensor, "T B C"], given: Mapping[str, Tensor], blends: Float[Tensor, "T B N*D"]
) -> dict[str, Tensor]:
    flat = by_composed.flatten(0, 1)  # [TB, C]
    read = (given["reads"].transpose(0, 1), blends)
    return {
        "compose": torch.cat([weight_gradient(flat, x.flatten(0, 1)) for x in read], dim=1),
        "compose_bias": by_composed.sum(dim=1).sum(dim=0),  # texts first and tokens then, which rounds less
    }


def _compose_parts(given: Mapping[str, Tensor]) -> tuple[Float[Tensor, "C D"], Float[Tensor, "C N*D"]]:
    """W of eq. (4) in two, for o and for the m's. Dense: oneDNN takes a thousand times as long for a part."""
    D = given["reads"].shape[2]
    return given["compose"][:, :D].contiguous(), given["compose"][:, D:].contiguous()


def _shapes(**given: Any) -> tuple[Tensor, ...]:
    hidden, memory, attention = output_shapes(**given)
    (B, T, C), (L, _, D), new = given["kept"].shape, given["write_hidden"].shape, given["reads"].new_empty
    steps = (new(T + 1, B, C + D), new(L - 1, T + 1, B, 2 * D), new(L, T, B, 4 * D), new(L, T + 1, B, D))
    return memory, hidden, attention, new(T, B, C - D), *steps


_KEPT = (1, 4 + len(Steps._fields))  # hidden and attention, which are outputs too, first
_operator = define_by_hand(
    "nse",
    tuple(AXES),
    _run_forward,
    _shapes,
    _run_backward,
    option=OPTION,
    outputs=3,
    kept=_KEPT,
    constant=("kept",),
)
