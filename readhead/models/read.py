"""From token ids to a reading, and the reader's attention under the name that `Output` gives it."""

from __future__ import annotations

from jaxtyping import Bool, Float
from torch import Tensor, nn

from readhead.data.batch import Batch, Text
from readhead.layers.embedding import Embedding
from readhead.layers.slot_states import SlotStates
from readhead.readers.reading import Reader, Reading


def pair(batch: Batch) -> tuple[tuple[str, Text], tuple[str, Text]]:
    """The two texts of a batch in the order in which they are read, each with its field's name.

    Which two they are is the task's business (`Task.reads`): premise and hypothesis, candidate and question.

    Raises: ValueError if the batch holds another number of texts.
    """
    first, second = batch.texts.items()
    return first, second


def read(text: Text, embedding: Embedding, reader: Reader) -> Reading:
    """What the reader makes of B texts."""
    return reader(embedding(text.token_ids, text.mask), text.mask)


def own_attention(**readings: Reading) -> dict[str, Float[Tensor, "B T S"]]:
    """Attention within each text, as `text->text`; with the reader's own name for it if it has several.

    readings: by the text's field name.
    """
    return {
        _named(field, name, reading): weights
        for field, reading in readings.items()
        for name, weights in reading.attention.items()
    }


def own_memory(**readings: Reading) -> dict[str, SlotStates]:
    """What stands in the memory that each text was read with, if there is one, named as `own_attention` names it."""
    return {
        _named(field, name, reading): states
        for field, reading in readings.items()
        for name, states in reading.memory.items()
    }


def _named(field: str, name: str, reading: Reading) -> str:
    return f"{field}->{field}" + (f" ({name})" if len(reading.attention) > 1 else "")


def of_last_token(weights: Float[Tensor, "B 1 S"], mask: Bool[Tensor, "B T"]) -> Float[Tensor, "B T S"]:
    """Attention of a text's last token alone as a matrix with a row for each token; all others are zero.

    weights: [B, 1, S]. mask: [B, T], True = a real token; padding stands on the right.
    """
    is_last = mask & ~nn.functional.pad(mask[:, 1:], (0, 1))  # [B, T]
    return weights * is_last.unsqueeze(-1)
