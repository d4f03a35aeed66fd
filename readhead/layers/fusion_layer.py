"""An LSTMN layer with deep attention fusion (Cheng, Dong and Lapata 2016, arXiv:1601.06733v7, section 4)."""

from __future__ import annotations

from jaxtyping import Bool, Float
from torch import Tensor, nn

from readhead.layers.lstmn_layer import LSTMNLayer
from readhead.layers.tape import Tape
from readhead.ops.fusion import FusedTapes, fusion


class FusionLayer(nn.Module):
    """Reads a text with the tapes of another one at hand, and lets that one's memory into its own.

    `readhead.ops.fusion` has the equations, (11)-(16), and calls the weights by the same names. Those of (4)-(9) are in
    `lstmn`, which reads a text on its own.

    input_dim: E, features of an embedded token.
    hidden_dim: D, features of h and c, of the source's slots, and of both attentions.
    """

    def __init__(self, *, input_dim: int, hidden_dim: int) -> None:
        super().__init__()
        self.lstmn = LSTMNLayer(input_dim=input_dim, hidden_dim=hidden_dim)
        self.fuse_source = nn.Linear(hidden_dim, hidden_dim, bias=False)
        self.fuse_input = nn.Linear(input_dim, hidden_dim)
        self.fuse_blend = nn.Linear(hidden_dim, hidden_dim, bias=False)
        self.fuse_score = nn.Linear(hidden_dim, 1, bias=False)
        self.gate_source_input = nn.Linear(input_dim, hidden_dim)
        self.gate_source_blend = nn.Linear(hidden_dim, hidden_dim, bias=False)

    def forward(
        self, inputs: Float[Tensor, "B T E"], mask: Bool[Tensor, "B T"], tape: Tape, source: Tape
    ) -> FusedTapes:
        """Reads a text from its beginning: h̃ and γ̃ before the first token are zero.

        inputs: [B, T, E], mask: [B, T], True = a real token.
        tape: the M slots that there are before the first token.
        source: the other text's S slots.

        Returns the T new slots, and the attention to the tape [B, T, M + T] and to the source [B, T, S].
        """
        nothing = tape.hidden.new_zeros(len(inputs), tape.hidden.shape[-1])  # [B, D]
        return fusion(
            inputs=inputs,
            mask=mask,
            **self.lstmn.weights(),
            hidden_tape=tape.hidden,
            memory_tape=tape.memory,
            written=tape.written,
            blend=nothing,
            source_hidden=source.hidden,
            source_memory=source.memory,
            source_mask=source.written,
            fuse_source=self.fuse_source.weight,
            fuse_input=self.fuse_input.weight,
            fuse_blend=self.fuse_blend.weight,
            fuse_bias=self.fuse_input.bias,
            fuse_score=self.fuse_score.weight.squeeze(0),
            gate_source_input=self.gate_source_input.weight,
            gate_source_blend=self.gate_source_blend.weight,
            gate_source_bias=self.gate_source_input.bias,
            source_blend=nothing,
        )
