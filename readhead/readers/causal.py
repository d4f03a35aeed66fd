"""Readers that never look ahead, and so can read on: token by token, or one segment after the other."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

from readhead.errors import InputError
from readhead.readers.reading import Reading

State = Mapping[str, Tensor]
"""What a reader knows of all it has read, by name: `2.memory` is of its second layer.

The first axis of every tensor is B. The last one of a tensor of real numbers is a width; axes between them, and those
of truth values, count slots. Gradients flow through it, segment after segment, until somebody detaches it.
"""


class CausalReader(nn.Module):
    """A reader whose output at a token depends on that token and those before it alone.

    A subclass says how it begins (`initial_state`) and how it goes on from a state (`go_on`). Reading a text whole
    (`forward`), a segment of it (`read`) and word by word (`step`) are the same thing cut in other places, and give the
    same numbers.

    `output_dim` is D of `Reading.outputs`, in features.
    """

    output_dim: int

    @abstractmethod
    def initial_state(self, batch_size: int) -> State:
        """The state before the first token of `batch_size` texts, on the reader's own device."""

    @abstractmethod
    def go_on(self, embedded: Float[Tensor, "B T E"], mask: Bool[Tensor, "B T"], state: State) -> tuple[Reading, State]:
        """`read`, from a state that is known to be of B texts."""

    def read(self, embedded: Float[Tensor, "B T E"], mask: Bool[Tensor, "B T"], state: State) -> tuple[Reading, State]:
        """Reads on from a state.

        embedded: [B, T, E], mask: [B, T], True = a real token; padding stands on the right and changes nothing.
        state: of B texts.

        Returns the `Reading` of these T tokens, and the state after each text's last real token; a text without one
        keeps its state.

        Raises:
            InputError: the state is of another number of texts.
        """
        for name, value in state.items():
            if len(value) != len(embedded):
                raise InputError(f"the state's {name} is of {len(value)} texts, the batch has {len(embedded)}")
        return self.go_on(embedded, mask, state)

    def forward(self, embedded: Float[Tensor, "B T E"], mask: Bool[Tensor, "B T"]) -> Reading:
        """embedded: [B, T, E], mask: [B, T]. Returns a `Reading` of width `output_dim`."""
        reading, _ = self.read(embedded, mask, self.initial_state(len(embedded)))
        return reading

    def step(self, embedded: Float[Tensor, "B E"], state: State) -> tuple[Float[Tensor, "B D"], State]:
        """Reads one token of each text. embedded: [B, E]. Returns its output [B, D] and the state after it."""
        one = torch.ones(len(embedded), 1, dtype=torch.bool, device=embedded.device)
        reading, after = self.read(embedded.unsqueeze(1), one, state)
        return reading.outputs.squeeze(1), after
