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
        self._first, self._last = self._marker(first), self._marker(last)

    def __call__(self, text: str | Words) -> EncodedText:
        """Any text is encoded; one without words gives its markers alone."""
        split = self.tokenizer(_enough(text, self.max_tokens) if isinstance(text, str) else text)
        words, offsets = split.words[: self.max_tokens], split.offsets[: self.max_tokens]
        (first, sign), (last, last_sign) = self._first, self._last
        ids = np.concatenate([first, self.vocabulary.ids(words), last])
        places = (*(None for _ in sign), *offsets, *(None for _ in last_sign))
        return EncodedText(ids, (*sign, *words, *last_sign), places, len(split) > self.max_tokens)

    def _marker(self, name: str | None) -> tuple[np.ndarray, tuple[str, ...]]:
        """The row and the sign of a marker, or none of each."""
        rows = [] if name is None else [self.vocabulary.marker_row(name)]
        return np.array(rows, dtype=np.int64), () if name is None else (MARKER_SIGNS[name],)


def _enough(text: str, words: int) -> str:
    """As much of a text as tells its first words, and whether there are more.

    What stands between two spaces is a word or more, and is split alone: a megabyte need not be split for 400 words.
    """
    pieces = text.split(None, words + 1) if len(text) > words else []
    return text if len(pieces) <= words + 1 else text[: -len(pieces[-1])]
