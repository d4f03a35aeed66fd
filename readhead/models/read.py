"""From token ids to a reading, and the reader's attention under the name that `Output` gives it."""

from __future__ import annotations

from jaxtyping import Float
from torch import Tensor

from readhead.data.batch import Text
from readhead.layers.embedding import Embedding
from readhead.readers.reading import Reader, Reading


def read(text: Text, embedding: Embedding, reader: Reader) -> Reading:
    """What the reader makes of B texts."""
    return reader(embedding(text.token_ids, text.mask), text.mask)


def own_attention(**readings: Reading) -> dict[str, Float[Tensor, "B T S"]]:
    """Attention within each text, as `text->text`; with the reader's own name for it if it has several.

    readings: by the text's field name.
    """
    return {
        f"{field}->{field}" + (f" ({name})" if len(reading.attention) > 1 else ""): weights
        for field, reading in readings.items()
        for name, weights in reading.attention.items()
    }
