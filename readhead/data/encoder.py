"""One text to ids, as a reader was trained to see it: split, cut, looked up, marked."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from readhead.data.example import Words
from readhead.data.tokenizer import Tokenizer
from readhead.data.vocabulary import Vocabulary

MARKER_SIGNS = {"null": "∅", "start": "⊢", "end": "⊣"}
"""How a marker that stands in no text is shown to people."""


@dataclass(frozen=True, slots=True)
class EncodedText:
    """A text in ids.

    ids: [T] rows of the vocabulary, markers included.
    tokens: T words as the vocabulary knows them; a marker's sign where it stands.
    offsets: T places in the text, in characters; None for a marker.
    truncated: whether the text had more words than are read.
    """

    ids: np.ndarray
    tokens: tuple[str, ...]
    offsets: tuple[tuple[int, int] | None, ...]
    truncated: bool


class TextEncoder:
    """Text to `EncodedText`.

    tokenizer, vocabulary: the run's.
    max_tokens: words that are read; markers are not counted.
    first, last: the markers put in front and behind; None = none.
    """

    def __init__(
        self,
        *,
        tokenizer: Tokenizer,
        vocabulary: Vocabulary,
        max_tokens: int,
        first: str | None,
        last: str | None,
    ) -> None:
        self.tokenizer, self.vocabulary, self.max_tokens = tokenizer, vocabulary, max_tokens
        self.first = () if first is None else (first,)
        self.last = () if last is None else (last,)

    def __call__(self, text: str | Words) -> EncodedText:
        """Any text is encoded; one without words gives its markers alone."""
        split = self.tokenizer(text)
        words, offsets = split.words[: self.max_tokens], split.offsets[: self.max_tokens]
        ids = [self._rows(self.first), self.vocabulary.ids(words), self._rows(self.last)]
        tokens = (*_signs(self.first), *words, *_signs(self.last))
        places = (*(None for _ in self.first), *offsets, *(None for _ in self.last))
        return EncodedText(np.concatenate(ids), tokens, places, len(split) > self.max_tokens)

    def _rows(self, markers: tuple[str, ...]) -> np.ndarray:
        return np.array([self.vocabulary.marker_row(name) for name in markers], dtype=np.int64)


def _signs(markers: tuple[str, ...]) -> list[str]:
    return [MARKER_SIGNS[name] for name in markers]
