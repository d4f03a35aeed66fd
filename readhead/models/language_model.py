"""A language model: a causal reader, asked at every token which one comes next."""

from __future__ import annotations

from typing import ClassVar

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from readhead.data.batch import Batch
from readhead.errors import InputError
from readhead.layers.dropout import Dropout
from readhead.layers.embedding import Embedding
from readhead.layers.next_words import classes_of
from readhead.layers.slot_states import BeforeTheLast
from readhead.layers.vocabulary_softmax import VocabularySoftmax
from readhead.models.output import Output
from readhead.models.read import own_attention, own_memory
from readhead.models.uniform_start import start_uniformly
from readhead.readers.causal import CausalReader, State
from readhead.readers.reading import Reader, Reading


class LanguageModel(nn.Module):
    """p(w_{t+1} | w_1 … w_t) = softmax(W h_t + b), with h_t the reader's output at token t (Cheng et al. 2016, 5.1).

    A class is a row of the vocabulary that can follow: the unknown word, the end of the text, each word. The rows
    that can't (padding and the markers in front) stand first in the vocabulary, with the unknown word among them.

    embedding: token ids to vectors, V rows.
    reader: a causal one, vectors to a `Reading`.
    num_classes: C, rows that can follow.
    dropout: on h, before the softmax, a probability.
    init_range: every weight and bias starts in U(-init_range, init_range), but for word vectors that came from a
        file; None leaves them as they were made.

    Raises:
        InputError: the reader looks ahead, or the range is not above 0.
    """

    num_texts: ClassVar[int] = 1
    by_class: ClassVar[tuple[str, ...]] = ("predict.linear.weight", "predict.linear.bias")

    def __init__(
        self,
        *,
        embedding: Embedding,
        reader: Reader,
        num_classes: int,
        dropout: float = 0.0,
        init_range: float | None = None,
    ) -> None:
        super().__init__()
        if not isinstance(reader, CausalReader):
            told = f"a language model needs a reader that can read on word by word; {type(reader).__name__} cannot"
            raise InputError(f"{told}, but such as rnn, lstm or lstmn can ([reader] kind)")
        self.embedding = embedding
        self.reader = reader
        self.dropout = Dropout(dropout)
        self.predict = VocabularySoftmax(input_dim=reader.output_dim, num_classes=num_classes)
        start_uniformly(self, embedding, init_range)

    def forward(self, batch: Batch) -> Output:
        """batch: B examples with a field `text`, each with its markers in front and behind.

        Returns -log p [N] of each of the N tokens that follow another one, text by text, and the reader's attention
        [B, T, T]; with a state, the state after the last token but one.
        """
        text = batch.texts["text"]
        followed = text.mask[:, 1:]  # [B, T - 1], whether the token before has a next one
        reading, state = self._read(text.token_ids[:, :-1], followed, batch.state)
        following = classes_of(text.token_ids[:, 1:][followed])  # [N]
        nats = self.predict(self.dropout(reading.outputs[followed]), following)  # [N]
        attention = {
            name: nn.functional.pad(weights, (0, 1, 0, 1)) for name, weights in own_attention(text=reading).items()
        }
        memory = {name: BeforeTheLast(states) for name, states in own_memory(text=reading).items()}
        return Output(None, attention, nats, state, memory)

    def begin(self, batch_size: int) -> State:
        """The state before the first token of `batch_size` texts."""
        return self.reader.initial_state(batch_size)

    def next_words(self, token_ids: Int[Tensor, " B"], state: State) -> tuple[Float[Tensor, "B C"], State]:
        """Reads one more token of B texts. Returns the logits [B, C] of what may follow, and the state after it."""
        mask = torch.ones(len(token_ids), 1, dtype=torch.bool, device=token_ids.device)
        hidden, after = self.reader.step(self.embedding(token_ids[:, None], mask).squeeze(1), state)
        return self.predict.logits(hidden), after

    def _read(
        self, token_ids: Int[Tensor, "B T"], mask: Bool[Tensor, "B T"], state: State | None
    ) -> tuple[Reading, State | None]:
        embedded = self.embedding(token_ids, mask)
        if state is None:
            return self.reader(embedded, mask), None
        return self.reader.read(embedded, mask, state or self.reader.initial_state(len(mask)))
