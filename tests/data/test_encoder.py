"""One text to ids."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from readhead.data.encoder import TextEncoder
from readhead.data.tokenizer import Tokenizer, Tokens
from readhead.data.vocabulary import Vocabulary

TOKENIZER = Tokenizer(lowercase=True)
PIECES = ["don't", "''", "-LRB-", "U.S.", "a", ".", "can", "not", "…", "\u200d", "`", "É", "\x1c", " ", "\n", "\ud800"]


def encoder(max_tokens: int) -> TextEncoder:
    vocabulary = Vocabulary(words=["a", "can"], oov_rows=1)
    return TextEncoder(tokenizer=TOKENIZER, vocabulary=vocabulary, max_tokens=max_tokens, first=None, last="end")


@given(st.lists(st.sampled_from(PIECES)).map("".join) | st.lists(st.sampled_from(PIECES)).map(" ".join) | st.text())
def test_a_text_is_cut_after_as_many_words_as_are_read(text: str) -> None:
    split, encoded = TOKENIZER(text), encoder(3)(text)
    assert encoded.tokens == (*split.words[:3], "⊣")
    assert encoded.offsets == (*split.offsets[:3], None)
    assert encoded.truncated == (len(split) > 3)


def test_what_is_not_read_is_not_split(monkeypatch: pytest.MonkeyPatch) -> None:
    split: list[int] = []

    def noting(self: Tokenizer, text: str) -> Tokens:
        split.append(len(text))
        return real(self, text)

    real = Tokenizer.__call__
    monkeypatch.setattr(Tokenizer, "__call__", noting)
    assert encoder(400)("a can " * 500_000).truncated
    assert sum(split) < 1300, "characters, of three million"
