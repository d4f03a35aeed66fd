"""Neural semantic encoders that share memories (Munkhdalai and Yu 2017, arXiv:1607.04315v3, section 3.2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from jaxtyping import Bool, Float
from torch import Tensor, nn

from readhead.errors import InputError
from readhead.layers.dropout import Dropout
from readhead.layers.memory import Memory
from readhead.layers.nse_layer import NSELayer
from readhead.layers.one_bias_lstm import OneBiasLSTM
from readhead.layers.slot_states import Rewritten, SlotStates
from readhead.readers.packed import run
from readhead.readers.reading import Reading


@dataclass(frozen=True, slots=True)
class SharedReading:
    """A text as it was read with other texts' memories at hand, and what it left in every memory.

    reading: its attention, "memory", is over the text's own slots, one a token.
    own: the text's own memory after its last token.
    shared: the others after it, in the order in which they were given.
    attention: z of each token over each shared memory, [B, T, S], in the same order; a padded token's row is zero.
    states: what stands in each shared memory after each token, in the same order.
    """

    reading: Reading
    own: Memory
    shared: tuple[Memory, ...]
    attention: tuple[Float[Tensor, "B T S"], ...]
    states: tuple[SlotStates, ...]


class ManyMemoryReader(nn.Module):
    """Reads a text into a memory of its own, and at each token reads and writes the memories it shares too.

    o_t = LSTM_r(x_t)                                                        (1)
    z_t = softmax(o_tᵀ M_{t-1})            m_t = z_tᵀ M_{t-1}                (2), (3), for each memory
    c_t = W [o_t; m_t; m_t of each shared memory] + b                        (4)
    h_t = LSTM_w(c_t)                                                        (5)
    M_t = M_{t-1} (1 - z_t) + h_t z_t                                        (6), for each memory

    MMA-NSE is this with one shared memory: the paper writes it out as (7)-(15). A text's own memory starts as its
    embedded tokens, and dropout does not touch it. Each LSTM has one bias a layer and starts from zero.

    input_dim: D, features of an embedded token, and so of o, h and every slot.
    num_shared: how many memories it shares.
    num_layers: LSTMs on top of one another, both of those that read and of those that write.
    dropout: on what either LSTM reads, a probability.

    Raises:
        InputError: there is no layer, or dropout is no probability below 1.
    """

    def __init__(self, *, input_dim: int, num_shared: int, num_layers: int = 1, dropout: float = 0.0) -> None:
        super().__init__()
        if num_layers < 1:
            raise InputError(f"num_layers = {num_layers}: an NSE needs at least 1 layer that reads and 1 that writes")
        self.output_dim = input_dim
        self.num_shared = num_shared
        self.dropout = Dropout(dropout)
        self.lstm = OneBiasLSTM(input_dim=input_dim, hidden_dim=input_dim, num_layers=num_layers)
        self.nse = NSELayer(dim=input_dim, num_memories=1 + num_shared, num_layers=num_layers, dropout=dropout)

    def forward(
        self, embedded: Float[Tensor, "B T D"], mask: Bool[Tensor, "B T"], shared: Sequence[Memory]
    ) -> SharedReading:
        """embedded: [B, T, D], mask: [B, T], True = a real token. shared: `num_shared` memories of B texts.

        Raises:
            InputError: there are more memories or fewer, or one is of another width or of another number of texts.
        """
        self._expect_fitting(shared, len(embedded))
        # Padding stands on the right, where no real token sees it: packing would only cost time.
        reads, _ = run(self.lstm, self.dropout(embedded))  # [B, T, D], eq. (1)
        before = [Memory(embedded, mask), *shared]
        written = self.nse(reads, mask, before)  # eq. (2)-(6)
        own, *others = written.memories
        over_own, *over_others = written.attention
        states, *of_others = (
            Rewritten(start, keys, written.hidden) for start, keys in zip(before, written.attention, strict=True)
        )
        reading = Reading(written.hidden, mask, {"memory": over_own}, {"memory": states})
        return SharedReading(reading, own, tuple(others), tuple(over_others), tuple(of_others))

    def _expect_fitting(self, shared: Sequence[Memory], batch_size: int) -> None:
        if len(shared) != self.num_shared:
            raise InputError(f"{len(shared)} shared memories; this reader was made for {self.num_shared}")
        for slots, _ in shared:
            texts, _, width = slots.shape
            if width != self.output_dim:
                raise InputError(f"a shared memory's slots are {width} wide; this reader's are {self.output_dim}")
            if texts != batch_size:
                raise InputError(f"a shared memory is of {texts} texts; the batch has {batch_size}")
