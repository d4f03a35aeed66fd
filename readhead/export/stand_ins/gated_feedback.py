"""`readhead.readers.gated_feedback` with a loop that can be exported."""

from __future__ import annotations

from jaxtyping import Bool, Float
from torch import Tensor

from readhead.export.stand_ins.over_time import Tensors, over_time
from readhead.readers.causal import State
from readhead.readers.gated_feedback import GatedFeedbackReader
from readhead.readers.reading import Reading
from readhead.readers.stack import of_layers


def go_on(
    reader: GatedFeedbackReader, embedded: Float[Tensor, "B T E"], mask: Bool[Tensor, "B T"], state: State
) -> tuple[Reading, State]:
    """As of `GatedFeedbackReader`, but for the state after the text, which no export asks for: it is the one before."""
    num_layers = reader.num_layers

    def step(carried: Tensors, token: Tensors) -> tuple[Tensors, Tensors]:
        h, c = reader._read_token(token[0], list(carried[:num_layers]), list(carried[num_layers:]))
        return (*h, *c), (h[-1],)

    before = [of_layers(state, name, num_layers) for name in ("hidden", "memory")]
    first = tuple(one.clone() for layers in before for one in layers)
    _, (hidden,) = over_time(step, first, (reader.from_below[0](embedded),))
    return Reading(hidden * mask.unsqueeze(-1), mask), state
