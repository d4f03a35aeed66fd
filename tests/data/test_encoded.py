from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from readhead.data.encoded import EncodedSplit, TokenisedSplit
from readhead.data.example import Example, Words
from readhead.data.tokenizer import Tokenizer
from readhead.data.vocabulary import Vocabulary
from readhead.errors import InputError

TOKENIZER = Tokenizer(lowercase=True)
LABELS = ["no", "yes"]
EXAMPLES = [
    Example({"premise": "The cook stirs.", "hypothesis": "Don't stir."}, "yes", "cooks.tsv:2", {"source": "own"}),
    Example({"premise": "", "hypothesis": ("The", "``", "pan")}, "no", "cooks.tsv:3", {}),
    Example(
        {"premise": "the soup", "hypothesis": "the the pan"},
        "yes",
        "cooks.tsv:4",
        {"source": "own", "n": "1"},
    ),
]
VOCABULARY = Vocabulary(words=["the", "cook", "stirs", ".", "do", "n't", "stir", '"'], oov_rows=1)
# rows: <unk> 1, <null> 2, <start> 3, <end> 4, the 5, cook 6, stirs 7, . 8, do 9, n't 10, stir 11, " 12
PAIR = ("premise", "hypothesis")


def tokenised(examples: list[Example] = EXAMPLES, max_tokens: int = 9) -> TokenisedSplit:
    return TokenisedSplit(examples, fields=PAIR, tokenizer=TOKENIZER, max_tokens=max_tokens)


def ids(split: EncodedSplit, field: str) -> list[list[int]]:
    return [split.texts[field][index].tolist() for index in range(len(split))]


def test_rows_labels_and_tags_by_hand() -> None:
    split = tokenised().encode(VOCABULARY, labels=LABELS)
    assert ids(split, "premise") == [[5, 6, 7, 8], [], [5, 1]]
    assert ids(split, "hypothesis") == [[9, 10, 11, 8], [5, 12, 1], [5, 5, 1]]
    assert split.labels is not None
    assert split.labels.tolist() == [1, 0, 1]
    assert split.tags == {"source": ["own", None, "own"], "n": [None, None, "1"]}
    assert split.lengths.tolist() == [[4, 4], [0, 3], [2, 3]]
    assert (len(split), split.truncated) == (3, 0)


@pytest.mark.parametrize(
    ("first", "last", "premises"),
    [
        ("null", None, [[2, 5, 6, 7, 8], [2], [2, 5, 1]]),
        (None, "end", [[5, 6, 7, 8, 4], [4], [5, 1, 4]]),
        ("start", "end", [[3, 5, 6, 7, 8, 4], [3, 4], [3, 5, 1, 4]]),
    ],
)
def test_markers_stand_at_the_edges(first: str | None, last: str | None, premises: list[list[int]]) -> None:
    split = tokenised().encode(VOCABULARY, labels=None, first=first, last=last)
    assert ids(split, "premise") == premises
    assert split.labels is None


def test_what_is_cut_off_is_counted() -> None:
    split = tokenised(max_tokens=3).encode(VOCABULARY, labels=None, first="null")
    assert ids(split, "premise") == [[2, 5, 6, 7], [2], [2, 5, 1]]
    assert split.cut.tolist() == [[1, 1], [0, 0], [0, 0]]
    assert split.truncated == 1


def test_counts_are_those_of_the_words_that_are_read() -> None:
    assert tokenised().counts() == {
        **{"the": 5, "cook": 1, "stirs": 1, ".": 2, "do": 1, "n't": 1},
        **{"stir": 1, '"': 1, "pan": 2, "soup": 1},
    }
    assert "." not in tokenised(max_tokens=3).counts()


def test_a_batch_is_padded() -> None:
    batch = tokenised().encode(VOCABULARY, labels=LABELS).batch(np.array([2, 0]))
    assert list(batch.texts) == ["premise", "hypothesis"]
    assert batch.texts["premise"].token_ids.tolist() == [[5, 1, 0, 0], [5, 6, 7, 8]]
    assert batch.texts["premise"].mask.tolist() == [[True, True, False, False], [True] * 4]
    assert batch.labels is not None
    assert batch.labels.tolist() == [1, 1]
    assert tokenised().encode(VOCABULARY, labels=None).batch(np.array([1])).labels is None


def test_encoding_at_once_is_the_same() -> None:
    at_once = EncodedSplit.encode(
        iter(EXAMPLES),
        fields=PAIR,
        tokenizer=TOKENIZER,
        vocabulary=VOCABULARY,
        labels=LABELS,
        max_tokens=3,
        first="null",
    )
    in_steps = tokenised(max_tokens=3).encode(VOCABULARY, labels=LABELS, first="null")
    assert [ids(at_once, field) for field in PAIR] == [ids(in_steps, field) for field in PAIR]
    assert at_once.cut.tolist() == in_steps.cut.tolist()


@pytest.mark.parametrize(
    ("label", "origin", "message"),
    [
        ("maybe", "cooks.tsv:7", "cooks.tsv:7: expected a label of no, yes, found 'maybe'"),
        (None, "cooks.tsv:7", "cooks.tsv:7: expected a label of no, yes, found none"),
        ("maybe", "typed in", "typed in: expected a label of no, yes, found 'maybe'"),
    ],
)
def test_a_wrong_label_is_told_with_its_place(label: str | None, origin: str, message: str) -> None:
    split = tokenised([*EXAMPLES, Example(EXAMPLES[0].texts, label, origin)])
    with pytest.raises(InputError) as caught:
        split.encode(VOCABULARY, labels=LABELS)
    assert str(caught.value) == message
    assert len(split.encode(VOCABULARY, labels=None)) == 4


def test_no_examples() -> None:
    split = tokenised([]).encode(VOCABULARY, labels=LABELS, first="null")
    assert (len(split), split.lengths.shape, split.truncated) == (0, (0, 2), 0)
    assert tokenised([]).counts() == {}


def test_a_token_takes_four_bytes() -> None:
    text = tokenised().encode(VOCABULARY, labels=None).texts["premise"]
    assert text.ids.nbytes == 4 * text.lengths.sum()


@given(st.lists(st.one_of(st.text(max_size=20), st.lists(st.text(min_size=1, max_size=5)).map(tuple)), max_size=5))
@settings(max_examples=100, deadline=None)
def test_ids_are_those_of_the_tokenizers_words(texts: list[str | Words]) -> None:
    examples = [Example({"text": text}, None, "") for text in texts]
    split = TokenisedSplit(examples, fields=["text"], tokenizer=TOKENIZER, max_tokens=99)
    vocabulary = Vocabulary(words=[], oov_rows=100)
    encoded = split.encode(vocabulary, labels=None)
    for index, text in enumerate(texts):
        assert encoded.texts["text"][index].tolist() == vocabulary.ids(TOKENIZER(text).words).tolist()
    assert split.counts().total() == sum(len(TOKENIZER(text)) for text in texts)
