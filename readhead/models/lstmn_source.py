"""The premise of a pair as an LSTMN's encoder leaves it to the decoder (Cheng, Dong and Lapata 2016)."""

from __future__ import annotations

from dataclasses import dataclass

from jaxtyping import Bool, Float
from torch import Tensor

from readhead.layers.lstmn_layer import LSTMNLayer
from readhead.layers.slot_states import Appended, SlotStates
from readhead.layers.tape import Tape, last_written
from readhead.ops.lstmn import Tapes


@dataclass(frozen=True, slots=True)
class Source:
    """What was read, and what of it can be read again.

    outputs: [B, S, D], h of each token.
    attention: [B, S, S], what each token gave to those before it.
    tape: of 1 + S slots, the one of zeros that every tape begins with and the tokens'.
    """

    outputs: Float[Tensor, "B S D"]
    attention: Float[Tensor, "B S S"]
    tape: Tape

    def last(self) -> Tape:
        """Each text's last slot alone, with which the decoder's tape begins: of an empty text, that of zeros."""
        return last_written(self.tape, 1)

    def attention_beside(
        self,
        name: str,
        other: str,
        own: Float[Tensor, "B T 1+T"],
        across: Float[Tensor, "B T 1+S"],
        mask: Bool[Tensor, "B T"],
    ) -> dict[str, Float[Tensor, "B X Y"]]:
        """All attention between tokens, by name; what went to the tapes' first slots is left out.

        name, other: the names of this text and of the one that was read with it at hand.
        own: [B, T, 1 + T], the other's to its own tape; across: [B, T, 1 + S], to this one's.
        mask: [B, T], True = a real token of the other.
        """
        return {
            f"{name}->{name}": self.attention,
            f"{other}->{other}": own[:, :, 1:],
            f"{other}->{name}": across[:, :, 1:] * mask.unsqueeze(-1),
        }

    def memory_beside(
        self, name: str, other: str, written: Float[Tensor, "B T D"], mask: Bool[Tensor, "B T"]
    ) -> dict[str, SlotStates]:
        """What stands in each text's own tape after its tokens, named as `attention_beside` names it.

        This one's tape, which the other reads too, no longer changes then.

        name, other, mask: as there. written: [B, T, D], c of the other's tokens.
        """
        own = Appended(self.tape.memory[:, 1:], self.tape.written[:, 1:])
        return {f"{name}->{name}": own, f"{other}->{other}": Appended(written, mask)}


def read_source(layer: LSTMNLayer, inputs: Float[Tensor, "B S E"], mask: Bool[Tensor, "B S"]) -> Source:
    """Reads B premises from an empty tape. inputs: [B, S, E], mask: [B, S], True = a real token."""
    empty = Tape.empty(len(inputs), len(layer.attend_score), layer.attend_score)
    read: Tapes = layer(inputs, mask, empty, empty.hidden[:, 0])
    tape = empty.then(Tape(read.hidden, read.memory, mask))
    return Source(read.hidden, read.attention[:, :, 1:], tape)
