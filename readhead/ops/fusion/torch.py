"""`fusion` as one operator: first the source is read, by every token, and then `lstmn` runs with what that gave.

The source's blends γ̃ do not depend on the reader's own tapes. So r ⊙ α̃ of eq. (15) is there for all tokens before the
first state is, and all that the loop of `lstmn` does for it is add it to c. The source's own loop has one product a
step, W_γ̃ γ̃, for the query of the next token; its gates are one product after it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from readhead.ops.additive import AdditiveAttention, AdditiveGradient, Scale
from readhead.ops.fusion.signature import AXES, OPTION, output_shapes
from readhead.ops.fusion.tapes import FusedTapes
from readhead.ops.linear import add_product, product, weight_gradient
from readhead.ops.lstmn import torch as lstmn
from readhead.ops.operator import define_by_hand


def fusion(**given: Any) -> FusedTapes:
    """The tapes, as `readhead.ops.fusion` says."""
    hidden, memory, blend, source_blend, source_attention, attention = _operator(**given)
    return FusedTapes(hidden, memory, attention, source_attention, blend, source_blend)


class SourceKept(NamedTuple):
    """What the backward needs of the reading of the source.

    attention: [B, T, S], the weights.
    queries: [T + 1, B, D], in the scale.
    reads: [T + 1, B, 2D], γ̃ and α̃ of the token before.
    gates: [T, B, D], r.
    tape: [B, S, 2D], γ and α of each slot.
    keys: [B, S, D], of each slot, in the scale.
    exponential: a scalar, which scale that is.
    """

    attention: Float[Tensor, "B T S"]
    queries: Float[Tensor, "T+1 B D"]
    reads: Float[Tensor, "T+1 B 2*D"]
    gates: Float[Tensor, "T B D"]
    tape: Float[Tensor, "B S 2*D"]
    keys: Float[Tensor, "B S D"]
    exponential: Bool[Tensor, ""]


def _read_source(given: Mapping[str, Tensor]) -> SourceKept:
    """Eq. (11)-(14) for all tokens."""
    mask, source_mask = given["mask"], given["source_mask"]
    kept = _before_the_loop(given)
    scale, width = Scale(bool(kept.exponential)), kept.keys.shape[2]
    reader = AdditiveAttention(scale=scale, score=given["fuse_score"], keys=kept.keys, tape=kept.tape)
    recurrent = 2 * given["fuse_blend"]
    unreadable = ~(source_mask.unsqueeze(1) & mask.unsqueeze(2))  # [B, T, S]
    hindered = bool(unreadable.any())
    for t in range(mask.shape[1]):
        query = scale.query_(kept.queries[t])
        kept.attention[:, t] = reader.read(
            slice(None), query, unreadable[:, t] if hindered else None, out=kept.reads[t + 1]
        )
        blend = kept.reads[t + 1, :, :width]  # γ̃, [B, D]
        if hindered:  # a padded token leaves γ̃ as it is
            torch.where(mask[:, t, None], blend, kept.reads[t, :, :width], out=blend)
        add_product(kept.queries[t + 1], blend, recurrent)
    kept.gates.add_(product(kept.reads[1:, :, :width], given["gate_source_blend"])).sigmoid_()
    return kept


def _before_the_loop(given: Mapping[str, Tensor]) -> SourceKept:
    inputs, unreal = given["inputs"], ~given["source_mask"].unsqueeze(2)
    (B, T, _), D = inputs.shape, given["source_blend"].shape[1]
    x = inputs.transpose(0, 1)  # [T, B, E]
    queries = inputs.new_zeros(T + 1, B, D)
    torch.add(product(x, 2 * given["fuse_input"]), given["fuse_bias"], alpha=2, out=queries[:-1])
    add_product(queries[0], given["source_blend"], 2 * given["fuse_blend"])
    reads = inputs.new_zeros(T + 1, B, 2 * D)
    reads[0, :, :D] = given["source_blend"]
    tape = torch.cat([given["source_hidden"], given["source_memory"]], dim=2).masked_fill_(unreal, 0)
    doubled = product(tape[:, :, :D], 2 * given["fuse_source"])
    scale = Scale.fitting(torch.cat([doubled.new_zeros(1), doubled.abs().flatten()]).amax())
    return SourceKept(
        attention=inputs.new_zeros(B, T, tape.shape[1]),
        queries=queries,
        reads=reads,
        gates=product(x, given["gate_source_input"]) + given["gate_source_bias"],  # sums as yet
        tape=tape,
        keys=scale.key_(doubled),
        exponential=torch.tensor(scale.exponential, device=inputs.device),
    )


def _source_backward(
    by_added: Float[Tensor, "T B D"],
    by_blend: Float[Tensor, "B D"] | None,
    by_attention: Float[Tensor, "B T S"] | None,
    given: Mapping[str, Tensor],
    kept: SourceKept,
) -> dict[str, Tensor]:
    """The gradients by the source's tensors, by name; and by `inputs`, as far as they go through the source.

    by_added: of r ⊙ α̃, time first. by_blend: of the last γ̃.
    """
    mask, width = given["mask"], kept.keys.shape[2]
    memory_blend = kept.reads[1:, :, width:]  # α̃, [T, B, D]
    by_gates = by_added * memory_blend * kept.gates * (1 - kept.gates)  # by the sums of r, [T, B, D]
    by_reads = torch.cat([product(by_gates, given["gate_source_blend"].t()), by_added * kept.gates], dim=2)
    by_queries = torch.zeros_like(kept.queries)
    scale = Scale(bool(kept.exponential))
    reader = AdditiveAttention(scale=scale, score=given["fuse_score"], keys=kept.keys, tape=kept.tape)
    reading = AdditiveGradient(reader, torch.zeros_like(kept.tape))
    turned = given["fuse_blend"].t().contiguous()
    carried = torch.zeros_like(given["source_blend"]) if by_blend is None else by_blend
    for t in reversed(range(mask.shape[1])):
        by_read = by_reads[t]  # [B, 2D]
        add_product(by_read[:, :width], by_queries[t + 1], turned)
        by_read[:, :width] += carried
        # A padded token has γ̃ from the token before, and hands its gradient on to it.
        carried = by_read[:, :width].masked_fill(mask[:, t, None], 0)
        by_weights = None if by_attention is None else by_attention[:, t]
        weights = kept.attention[:, t].contiguous()
        by_queries[t] = reading.read(slice(None), kept.queries[t], weights, by_read, by_weights)
    return _after_the_loop(given, kept, reading, by_queries=by_queries, by_gates=by_gates, carried=carried)


def _after_the_loop(
    given: Mapping[str, Tensor],
    kept: SourceKept,
    reading: AdditiveGradient,
    *,
    by_queries: Float[Tensor, "T+1 B D"],
    by_gates: Float[Tensor, "T B D"],
    carried: Float[Tensor, "B D"],
) -> dict[str, Tensor]:
    """The gradients by name, each weight's as one product over all tokens."""
    width = kept.keys.shape[2]
    x = given["inputs"].transpose(0, 1).flatten(0, 1)  # [TB, E]
    blends, hidden = kept.reads[:, :, :width], kept.tape[:, :, :width]
    by_keys = reading.finish_keys(slice(None))  # [B, S, D]
    flat_gates, flat_queries = by_gates.flatten(0, 1), by_queries[:-1].flatten(0, 1)  # [TB, D]
    by_x = product(by_gates, given["gate_source_input"].t()) + product(by_queries[:-1], given["fuse_input"].t())
    by_hidden, by_memory = reading.by_tape.chunk(2, dim=2)
    return {
        "inputs": by_x.transpose(0, 1),
        "source_hidden": by_hidden + product(by_keys, given["fuse_source"].t()),
        "source_memory": by_memory.clone(memory_format=torch.contiguous_format),
        "fuse_source": weight_gradient(by_keys.flatten(0, 1), hidden.flatten(0, 1)),
        "fuse_input": weight_gradient(flat_queries, x),
        "fuse_blend": weight_gradient(flat_queries, blends[:-1].flatten(0, 1)),
        "fuse_bias": by_queries.sum(dim=1).sum(dim=0),
        "fuse_score": reading.by_score,
        "gate_source_input": weight_gradient(flat_gates, x),
        "gate_source_blend": weight_gradient(flat_gates, blends[1:].flatten(0, 1)),
        "gate_source_bias": by_gates.sum(dim=1).sum(dim=0),
        "source_blend": carried + product(by_queries[0], given["fuse_blend"].t()),
    }


def _run_forward(*, span: int | None, **given: Tensor) -> tuple[Tensor, ...]:
    source = _read_source(given)
    blends, memory_blends = source.reads.chunk(2, dim=2)  # γ̃, α̃: [T + 1, B, D]
    hidden, memory, blend, own = lstmn.forward(given, span, added=source.gates * memory_blends[1:])
    outputs = hidden, memory, blend, blends[-1].clone(), source.attention, own.attention
    return *outputs, *source[1:], *own[1:]


def _run_backward(
    gradients: Sequence[Tensor | None], given: Mapping[str, Tensor], kept: Sequence[Tensor], span: int | None
) -> dict[str, Tensor]:
    by_hidden, by_memory, by_blend, by_source_blend, by_source_attention, by_attention = gradients
    source_attention, attention, *rest = kept
    of_source = len(SourceKept._fields) - 1
    source, own = SourceKept(source_attention, *rest[:of_source]), lstmn.Kept(attention, *rest[of_source:])
    found, by_added = lstmn.backward([by_hidden, by_memory, by_blend, by_attention], given, own, span)
    more = _source_backward(by_added, by_source_blend, by_source_attention, given, source)
    return found | more | {"inputs": found["inputs"] + more["inputs"]}


def _shapes(**given: Any) -> tuple[Tensor, ...]:
    outputs, inputs = output_shapes(**given), given["inputs"]
    (B, T, _), (S, D) = inputs.shape, given["source_hidden"].shape[1:]
    source = (
        inputs.new_empty(T + 1, B, D),
        inputs.new_empty(T + 1, B, 2 * D),
        inputs.new_empty(T, B, D),
        inputs.new_empty(B, S, 2 * D),
        inputs.new_empty(B, S, D),
        inputs.new_empty((), dtype=torch.bool),
    )
    hidden, memory, attention, source_attention, blend, source_blend = outputs
    own = lstmn.kept_shapes(**given)
    return hidden, memory, blend, source_blend, source_attention, attention, *source, *own[1:]


_KEPT = (4, 4 + len(SourceKept._fields) + len(lstmn.Kept._fields))  # both attentions, which are outputs too, first
_operator = define_by_hand(
    "fusion", tuple(AXES), _run_forward, _shapes, _run_backward, option=OPTION, outputs=6, kept=_KEPT
)
