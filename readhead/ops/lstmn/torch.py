"""`lstmn` as one operator: a loop over the tokens with two products a step, and its backward written out.

What does not depend on the step before is one product for all tokens. W_b and W_h̃ both multiply h̃_t, so they are one
matrix: row t of `steps` holds the gates of token t - 1 and the query of token t,

    steps_{t+1} = [W_i x_t + b_g | 2 (W_x x_{t+1} + b)] + [W_b; 2 W_h̃] h̃_t

and row t of its gradient likewise, so that each weight's gradient is one product after the loop. What is read slot by
slot stands batch first, what is written step by step time first. Kept for the way back are 10 D numbers a token and
the attention's weights; nothing of size T² D.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from readhead.ops import cell
from readhead.ops.additive import AdditiveAttention, AdditiveGradient, Scale
from readhead.ops.linear import add_product, product, weight_gradient
from readhead.ops.lstmn.signature import AXES, OPTION, output_shapes
from readhead.ops.lstmn.tapes import Tapes
from readhead.ops.operator import define_by_hand
from readhead.ops.readable import reading_windows


def lstmn(**given: Any) -> Tapes:
    """The tapes, as `readhead.ops.lstmn` says."""
    hidden, memory, blend, attention = _operator(**given)
    return Tapes(hidden, memory, attention, blend)


class Kept(NamedTuple):
    """What the backward needs of the forward. There are T + 1 rows where the state before the first token counts too.

    attention: [B, T, M + T], the weights.
    steps: [T + 1, B, 5D], the gates of the token before and the query of this one.
    reads: [T + 1, B, 2D], h̃ and c̃ of the token before.
    tape: [B, M + T, 2D], h and c of each slot.
    keys: [B, M + T, D], of each slot, in the scale.
    exponential: a scalar, which scale that is.
    """

    attention: Float[Tensor, "B T M+T"]
    steps: Float[Tensor, "T+1 B 5*D"]
    reads: Float[Tensor, "T+1 B 2*D"]
    tape: Float[Tensor, "B M+T 2*D"]
    keys: Float[Tensor, "B M+T D"]
    exponential: Bool[Tensor, ""]


def forward(
    given: Mapping[str, Tensor], span: int | None, added: Float[Tensor, "T B D"] | None = None
) -> tuple[Tensor, Tensor, Tensor, Kept]:
    """hidden, memory and blend as in `Tapes`, and what is kept; the attention is in there.

    given: the tensors of `readhead.ops.lstmn` by name; others do not matter.
    added: [T, B, D], what goes into c besides eq. (8); None = nothing.
    """
    mask, (num_slots, width) = given["mask"], given["hidden_tape"].shape[1:]
    tokens = slice(num_slots, None)
    kept = _before_the_loop(given)
    steps, reads, tape, keys = kept.steps, kept.reads, kept.tape, kept.keys
    scale = Scale(bool(kept.exponential))
    reader = AdditiveAttention(scale=scale, score=given["attend_score"], keys=keys, tape=tape)
    recurrent = torch.cat([given["gate_blend"], 2 * given["attend_blend"]])  # [5D, D]
    doubled_keys = 2 * given["attend_hidden"]
    windows, unreadable = reading_windows(given["written"], mask, span)
    for t, window in enumerate(windows):
        query = scale.query_(steps[t, :, 4 * width :])
        hindered = None if unreadable is None else unreadable[:, t, window]
        kept.attention[:, t, window] = reader.read(window, query, hindered, out=reads[t + 1])
        blend, before = reads[t + 1].chunk(2, dim=1)  # h̃, c̃: [B, D]
        if unreadable is not None:  # a padded token leaves h̃ as it is
            torch.where(mask[:, t, None], blend, reads[t, :, :width], out=blend)
        add_product(steps[t + 1], blend, recurrent)
        gates = steps[t + 1, :, : 4 * width]
        cell.activate_(gates)
        hidden, memory = tape[:, num_slots + t].chunk(2, dim=1)
        cell.remember(gates, before, None if added is None else added[t], out=memory)
        cell.expose(gates, memory, out=hidden)
        keys[:, num_slots + t] = scale.key_(product(hidden, doubled_keys))
    hidden, memory = (part.masked_fill(~mask.unsqueeze(2), 0) for part in tape[:, tokens].chunk(2, dim=2))
    return hidden, memory, reads[-1, :, :width].clone(), kept


def _before_the_loop(given: Mapping[str, Tensor]) -> Kept:
    """All that does not depend on a token before."""
    inputs, unwritten = given["inputs"], ~given["written"].unsqueeze(2)
    (B, T, _), (M, D) = inputs.shape, given["hidden_tape"].shape[1:]
    x = inputs.transpose(0, 1)  # [T, B, E]
    steps = inputs.new_zeros(T + 1, B, 5 * D)
    torch.add(product(x, given["gate_input"]), given["gate_bias"], out=steps[1:, :, : 4 * D])
    queries = product(x, 2 * given["attend_input"])
    torch.add(queries, given["attend_bias"], alpha=2, out=steps[:-1, :, 4 * D :])
    add_product(steps[0, :, 4 * D :], given["blend"], 2 * given["attend_blend"])
    reads = inputs.new_zeros(T + 1, B, 2 * D)
    reads[0, :, :D] = given["blend"]
    tape = inputs.new_zeros(B, M + T, 2 * D)
    tape[:, :M, :D] = given["hidden_tape"].masked_fill(unwritten, 0)
    tape[:, :M, D:] = given["memory_tape"].masked_fill(unwritten, 0)
    doubled = product(tape[:, :M, :D], 2 * given["attend_hidden"])  # [B, M, D]
    # |h| < 1 bounds the keys of tokens; what stands on the initial tape may be any number.
    largest = torch.cat([2 * given["attend_hidden"].abs().sum(dim=1), doubled.abs().flatten()]).amax()
    scale = Scale.fitting(largest)
    keys = inputs.new_zeros(B, M + T, D)
    keys[:, :M] = scale.key_(doubled)
    attention = inputs.new_zeros(B, T, M + T)
    exponential = torch.tensor(scale.exponential, device=inputs.device)
    return Kept(attention, steps, reads, tape, keys, exponential)


def backward(
    gradients: Sequence[Tensor | None], given: Mapping[str, Tensor], kept: Kept, span: int | None
) -> tuple[dict[str, Tensor], Float[Tensor, "T B D"]]:
    """The gradients by each of the tensors that are no masks, by name, and the one by `added`.

    gradients: by hidden, memory, blend and attention; None = zero.
    given, span: as the forward got them. kept: as it gave it.
    """
    by_hidden, by_memory, by_blend, by_attention = gradients
    mask, (num_slots, width) = given["mask"], given["hidden_tape"].shape[1:]
    by_tape = _from_outputs(by_hidden, by_memory, mask, kept)
    by_steps = torch.zeros_like(kept.steps)
    gates = kept.steps[1:, :, : 4 * width]
    memory = kept.tape[:, num_slots:, width:].transpose(0, 1)  # [T, B, D]
    exposure = cell.slopes(gates, memory, kept.reads[1:, :, width:], out=by_steps[1:, :, : 4 * width])
    scale = Scale(bool(kept.exponential))
    reader = AdditiveAttention(scale=scale, score=given["attend_score"], keys=kept.keys, tape=kept.tape)
    reading = AdditiveGradient(reader, by_tape)
    recurrent = torch.cat([given["gate_blend"], given["attend_blend"]]).t().contiguous()  # [D, 5D]
    keys_turned = given["attend_hidden"].t().contiguous()
    by_read = torch.zeros_like(kept.reads[0])  # [B, 2D]
    carried = torch.zeros_like(given["blend"]) if by_blend is None else by_blend  # what h̃ gets from later on
    windows, _ = reading_windows(given["written"], mask, span)
    for t in reversed(range(len(windows))):
        window, slot = windows[t], slice(num_slots + t, num_slots + t + 1)
        by_h, by_c = by_tape[:, slot].squeeze(1).chunk(2, dim=1)
        add_product(by_h, reading.finish_keys(slot).squeeze(1), keys_turned)
        cell.step_back_(by_steps[t + 1, :, : 4 * width], exposure[t], by_h, by_c)
        torch.add(product(by_steps[t + 1], recurrent), carried, out=by_read[:, :width])
        torch.mul(by_c, gates[t, :, width : 2 * width], out=by_read[:, width:])
        # A padded token has h̃ from the token before, and hands its gradient on to it.
        carried = by_read[:, :width].masked_fill(mask[:, t, None], 0)
        by_weights = None if by_attention is None else by_attention[:, t, window]
        weights = kept.attention[:, t, window].contiguous()
        query = kept.steps[t, :, 4 * width :]
        by_steps[t, :, 4 * width :] = reading.read(window, query, weights, by_read, by_weights)
    reading.finish_keys(slice(num_slots))
    by_tokens = by_tape[:, num_slots:, width:].transpose(0, 1)
    return _after_the_loop(given, kept, reading, by_steps, carried), by_tokens


def _from_outputs(by_hidden: Tensor | None, by_memory: Tensor | None, mask: Tensor, kept: Kept) -> Tensor:
    """The gradient by the tape, [B, M + T, 2D], as far as it comes from the outputs; those of padding are constants."""
    by_tape, padding = torch.zeros_like(kept.tape), ~mask.unsqueeze(2)
    by_h, by_c = by_tape[:, kept.tape.shape[1] - mask.shape[1] :].chunk(2, dim=2)
    if by_hidden is not None:
        by_h.copy_(by_hidden.masked_fill(padding, 0))
    if by_memory is not None:
        by_c.copy_(by_memory.masked_fill(padding, 0))
    return by_tape


def _after_the_loop(
    given: Mapping[str, Tensor], kept: Kept, reading: AdditiveGradient, by_steps: Tensor, carried: Tensor
) -> dict[str, Tensor]:
    """The gradients by name, each weight's as one product over all tokens."""
    width, num_slots = given["attend_score"].shape[0], given["hidden_tape"].shape[1]
    x = given["inputs"].transpose(0, 1).flatten(0, 1)  # [TB, E]
    by_gates = by_steps[1:, :, : 4 * width].flatten(0, 1)  # [TB, 4D]
    by_queries = by_steps[:-1, :, 4 * width :].flatten(0, 1)  # [TB, D]
    blends = kept.reads[:, :, :width]  # h̃, [T + 1, B, D]
    by_biases = by_steps.sum(dim=1)  # [T + 1, 5D]; texts first and tokens then, which rounds less
    by_x = product(by_gates, given["gate_input"].t()) + product(by_queries, given["attend_input"].t())
    by_slots = reading.by_tape[:, :num_slots]  # [B, M, 2D]
    by_keys = reading.by_keys
    return {
        "inputs": by_x.view(given["inputs"].transpose(0, 1).shape).transpose(0, 1).contiguous(),
        "attend_hidden": weight_gradient(by_keys.flatten(0, 1), kept.tape[:, :, :width].flatten(0, 1)),
        "attend_input": weight_gradient(by_queries, x),
        "attend_blend": weight_gradient(by_queries, blends[:-1].flatten(0, 1)),
        "attend_bias": by_biases[:, 4 * width :].sum(dim=0),
        "attend_score": reading.by_score,
        "gate_input": weight_gradient(by_gates, x),
        "gate_blend": weight_gradient(by_gates, blends[1:].flatten(0, 1)),
        "gate_bias": by_biases[:, : 4 * width].sum(dim=0),
        "hidden_tape": by_slots[:, :, :width] + product(by_keys[:, :num_slots], given["attend_hidden"].t()),
        "memory_tape": by_slots[:, :, width:].clone(memory_format=torch.contiguous_format),
        "blend": carried + product(by_steps[0, :, 4 * width :], given["attend_blend"].t()),
    }


def _run_forward(*, span: int | None, **given: Tensor) -> tuple[Tensor, ...]:
    hidden, memory, blend, kept = forward(given, span)
    return hidden, memory, blend, *kept


def _run_backward(
    gradients: Sequence[Tensor | None], given: Mapping[str, Tensor], kept: Sequence[Tensor], span: int | None
) -> dict[str, Tensor]:
    return backward(gradients, given, Kept(*kept), span)[0]


def kept_shapes(*, inputs: Tensor, written: Tensor, blend: Tensor, **_: Any) -> Kept:
    """Tensors of the sizes of what is kept, without numbers."""
    (B, T, _E), M, D = inputs.shape, written.shape[1], blend.shape[1]
    return Kept(
        attention=inputs.new_empty(B, T, M + T),
        steps=inputs.new_empty(T + 1, B, 5 * D),
        reads=inputs.new_empty(T + 1, B, 2 * D),
        tape=inputs.new_empty(B, M + T, 2 * D),
        keys=inputs.new_empty(B, M + T, D),
        exponential=inputs.new_empty((), dtype=torch.bool),
    )


def _shapes(**given: Any) -> tuple[Tensor, ...]:
    outputs = output_shapes(**given)
    return outputs.hidden, outputs.memory, outputs.blend, *kept_shapes(**given)


_KEPT = (3, 3 + len(Kept._fields))  # behind hidden, memory and blend; the attention is an output too
_operator = define_by_hand(
    "lstmn", tuple(AXES), _run_forward, _shapes, _run_backward, option=OPTION, outputs=4, kept=_KEPT
)
