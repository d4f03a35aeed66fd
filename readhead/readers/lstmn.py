"""Long short-term memory-networks (Cheng, Dong and Lapata 2016, arXiv:1601.06733v7)."""

from __future__ import annotations

from typing import Literal

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

from readhead.errors import InputError
from readhead.layers.dropout import Dropout
from readhead.layers.lstmn_layer import LSTMNLayer
from readhead.layers.slot_states import Appended
from readhead.layers.tape import Tape, last_written
from readhead.ops.lstmn import Tapes
from readhead.readers.causal import CausalReader, State
from readhead.readers.reading import Reading
from readhead.readers.stack import by_layer, expect_stack, of_layers


class LSTMNReader(CausalReader):
    """An LSTM that keeps every word's state on a tape, and at each word attends to the tape for its previous state.

    `readhead.ops.lstmn` has the equations, (4)-(10). The tape begins with a slot of zeros, to which the first word
    attends, as in the authors' code. The reading's attention is over the words alone: what a word gave to that slot,
    or to an earlier segment, is missing in its row.

    Its state: of each layer `hidden_tape` and `memory_tape` [B, M, D], `written` [B, M] and `blend`, h̃ [B, D].

    input_dim: features of an embedded token.
    hidden_dim: D, features of h and c.
    num_layers: LSTMNs on top of one another.
    dropout: on the h that goes up to the next layer, a probability.
    span: how many words back a word can look, in slots of the tape; the state then holds no more than these.
        None = to the beginning.
    skip_connections: whether upper layers read the embedded token beside h of the layer below.
    backend: who computes it: `cpu` (native kernels), `torch`, `reference`; `auto` = the fastest that can.

    Raises:
        InputError: a size is below 1, or dropout or skip-connections are asked for and there is only one layer.
    """

    def __init__(
        self,
        *,
        input_dim: int,
        hidden_dim: int,
        num_layers: int = 1,
        dropout: float = 0.0,
        span: int | None = None,
        skip_connections: bool = False,
        backend: Literal["auto", "reference", "torch", "cpu"] = "auto",
    ) -> None:
        super().__init__()
        expect_stack("lstmn", hidden_dim=hidden_dim, num_layers=num_layers, dropout=dropout)
        if span is not None and span < 1:
            raise InputError(f"span = {span}: the lstmn reader must see at least 1 slot")
        if skip_connections and num_layers == 1:
            raise InputError("skip_connections go from the words to upper layers; the lstmn reader has only one layer")
        self.output_dim = hidden_dim
        self.span = span
        self.bounded = span is not None
        self.skip_connections = skip_connections
        upper = hidden_dim + input_dim if skip_connections else hidden_dim
        self.layers = nn.ModuleList(
            LSTMNLayer(input_dim=width, hidden_dim=hidden_dim, backend=backend)
            for width in [input_dim, *[upper] * (num_layers - 1)]
        )
        self.dropout = Dropout(dropout)

    def initial_state(self, batch_size: int) -> State:
        """One slot of zeros."""
        tape = Tape.empty(batch_size, self.output_dim, next(self.parameters()))
        return _state([(tape, tape.hidden[:, 0])] * len(self.layers))

    def go_on(self, embedded: Float[Tensor, "B T E"], mask: Bool[Tensor, "B T"], state: State) -> tuple[Reading, State]:
        """As `read`."""
        inputs, read, held = embedded, [], []
        for layer, (tape, blend) in zip(self.layers, _held(state, len(self.layers)), strict=True):
            tapes: Tapes = layer(inputs, mask, tape, blend, self.span)
            read.append(tapes)
            held.append((last_written(tape.then(Tape(tapes.hidden, tapes.memory, mask)), self.span), tapes.blend))
            inputs = self._upward(tapes.hidden, embedded)
        return _reading(read, mask, self.span), _state(held)

    def _upward(self, hidden: Tensor, embedded: Tensor) -> Tensor:
        """What the next layer reads, eq. (10)."""
        below: Tensor = self.dropout(hidden)  # [B, T, D]
        return torch.cat([below, embedded], dim=-1) if self.skip_connections else below


def _state(held: list[tuple[Tape, Tensor]]) -> State:
    return by_layer(
        hidden_tape=[tape.hidden for tape, _ in held],
        memory_tape=[tape.memory for tape, _ in held],
        written=[tape.written for tape, _ in held],
        blend=[blend for _, blend in held],
    )


def _held(state: State, num_layers: int) -> list[tuple[Tape, Tensor]]:
    """The other way round: what each layer holds."""
    parts = (of_layers(state, name, num_layers) for name in ("hidden_tape", "memory_tape", "written", "blend"))
    return [(Tape(hidden, memory, written), blend) for hidden, memory, written, blend in zip(*parts, strict=True)]


def _reading(read: list[Tapes], mask: Bool[Tensor, "B T"], span: int | None) -> Reading:
    """What the last layer made of a text, and every layer's attention and tape, without what was there before it."""
    names = ["intra"] if len(read) == 1 else [f"intra {layer}" for layer in range(1, len(read) + 1)]
    num_slots = read[0].attention.shape[2] - read[0].attention.shape[1]
    own = (tapes.attention[:, :, num_slots:] for tapes in read)
    written = (Appended(tapes.memory, mask, span) for tapes in read)
    return Reading(read[-1].hidden, mask, dict(zip(names, own, strict=True)), dict(zip(names, written, strict=True)))
