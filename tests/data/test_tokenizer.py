from __future__ import annotations

import json
from pathlib import Path

import pytest
import tokenizers
from hypothesis import example, given, settings
from hypothesis import strategies as st

from readhead.data.example import Words
from readhead.data.tokenizer import Tokenizer, Tokens
from readhead.errors import InputError

LOWER = Tokenizer(lowercase=True)
KEPT = Tokenizer(lowercase=False)

# Short pieces that meet each other's rules, and everything else that can stand in a text.
SPLIT = r"""n't 's ' ’ `` '' " “ . ... … - -- — -LRB- -rsb- ( ] 5 $ : / * + & a I B. é 🎈 🇫🇷 < İ שלום don't
cannot gonna 'tis U.S. Mr. 1,000 <unk>"""
HIDDEN = [" ", "\n", "\x1c", "\u00a0", "\u2028", "\0", "\u0301", "\u200d", "\ufe0f", "\ud800"]
PIECES = st.sampled_from([*SPLIT.split(), *HIDDEN])
TEXTS = st.one_of(
    st.lists(PIECES, max_size=12).map("".join), st.text(st.characters(exclude_categories=()), max_size=40)
)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Don't go.", "Do n't go ."),
        ("It's the cooks' soup.", "It 's the cooks ' soup ."),
        ("I'd've gone, shouldn't've we?", "I 'd 've gone , should n't 've we ?"),
        ("We cannot, can't and won't", "We can not , ca n't and wo n't"),
        ("gonna wanna gotta gimme lemme", "gon na wan na got ta gim me lem me"),
        ("'Tis late, 'twas early", "'T is late , 't was early"),
        ("call 'em from the '80s", "call 'em from the '80s"),
        ("O'Hara's y'all at five o'clock", "O'Hara 's y'all at five o'clock"),
        ("a hand-made, well-worn saddle-", "a hand-made , well-worn saddle -"),
        ("$5, 1,000.50 and .5 or 20% at 10:30", "$ 5 , 1,000.50 and .5 or 20 % at 10:30"),
        ("in the U.S., e.g. at 5 p.m.", "in the U.S. , e.g. at 5 p.m."),
        ("Mr. J. Brook met Dr. Vale, Ph.D.", "Mr. J. Brook met Dr. Vale , Ph.D."),
        ("So do I. Grade a. Then", "So do I . Grade a . Then"),
        ("Well... maybe.. no…", "Well ... maybe .. no ..."),
        ("left—right – up--down", "left -- right -- up -- down"),
        ("``one'' “two” \"three\"", '" one " " two " " three "'),
        ("‘four’ `five´", "' four ' ' five '"),
        ("the baker’s, don’t", "the baker 's , do n't"),
        ("-LRB- so -RRB- [x] {y}-lsb-", "( so ) [ x ] { y } ["),
        ("What?! (No!!) a;b #tag", "What ? ! ( No ! ! ) a ; b # tag"),
        ("salt&pepper and/or c++", "salt & pepper and/or c++"),
        ("the <unk> of <b>", "the <unk> of < b >"),
        ("👍🏽 👩\u200d🚀🇫🇷🇯🇵", "👍🏽 👩\u200d🚀 🇫🇷 🇯🇵"),
        ("שלום, עולם", "שלום , עולם"),
        ("می\u200cروم", "می\u200cروم"),
        ("", ""),
        (" \t\n", ""),
    ],
)
def test_splits_as_the_treebank_does(text: str, words: str) -> None:
    assert KEPT(text).words == words.split()
    assert LOWER(text).words == words.lower().split()


@pytest.mark.parametrize("words", ["Two cooks are n't here .", "it 's ca n't ... ( a ) \" x \" U.S. Mr. ' 'em -- , '"])
def test_tokenised_text_stays_as_it_is(words: str) -> None:
    assert KEPT(words).words == words.split()


@given(TEXTS)
@example("mr… b.… u.s…")
@example("-RRB-LRB- '''")
@settings(max_examples=300, deadline=None)
def test_words_are_split_into_the_same_words_again(text: str) -> None:
    words = LOWER(text).words
    assert LOWER(" ".join(words)).words == words


@given(TEXTS)
@settings(max_examples=300, deadline=None)
def test_offsets_are_increasing_places_in_the_text(text: str) -> None:
    tokens = LOWER(text)
    previous = 0
    for start, end in tokens.offsets:
        assert previous <= start < end <= len(text)
        previous = end
    covered = "".join(text[start:end] for start, end in tokens.offsets)
    assert covered == "".join(text.split())  # every character that is no space belongs to one word


@given(TEXTS)
@settings(max_examples=200, deadline=None)
def test_the_words_of_a_text_are_those_of_its_pieces(text: str) -> None:
    assert KEPT(text).words == [word for piece in text.split() for word in KEPT(piece).words]


@given(st.text(st.characters(codec="ascii"), max_size=30))
@settings(max_examples=200, deadline=None)
def test_offsets_give_the_surface_form(text: str) -> None:
    tokens = KEPT(text)
    for word, (start, end) in zip(tokens.words, tokens.offsets, strict=True):
        surface = text[start:end]
        written = surface.replace("`", "'")
        assert word == ('"' if written == "''" else written)


def test_a_sign_of_many_characters_is_found_whole() -> None:
    text = "a ``-LRB-b…''"
    tokens = LOWER(text)
    assert [text[start:end] for start, end in tokens.offsets] == ["a", "``", "-LRB-", "b", "…", "''"]
    assert tokens.words == ["a", '"', "(", "b", "...", '"']


def test_given_words_are_not_split_again() -> None:
    words = ("Don't", "``", "-RRB-", "New York", "x\u00a0y", "\ud800")
    tokens = LOWER(words)
    assert tokens.words == ["don't", '"', ")", "new york", "x\u00a0y", "\ufffd"]
    joined = " ".join(words)
    assert [joined[start:end] for start, end in tokens.offsets] == list(words)
    assert LOWER(()) == Tokens([], [])


def test_an_empty_given_word_is_refused() -> None:
    with pytest.raises(ValueError, match="word 2 of 3 is empty"):
        LOWER(("a", "", "b"))


def test_a_batch_gives_what_single_texts_give() -> None:
    texts: list[str | Words] = ["Don't.", ("Two", "Words"), "", "The U.S."]
    assert LOWER.batch(texts) == [LOWER(text) for text in texts]


@pytest.mark.parametrize("piece", ["a", "a.", "a-", "1,", "'", "n't", "-", "\u0301", "🎈\u200d", "a'", "<", "can"])
@pytest.mark.parametrize("end", ["", "n't", "'t", "."])
def test_long_texts_without_a_space_are_answered(piece: str, end: str) -> None:
    text = piece * (20_000 // len(piece)) + end
    assert "".join(text[start:stop] for start, stop in LOWER(text).offsets) == text


def test_a_megabyte_of_one_word() -> None:
    assert LOWER("x" * 1_000_000).offsets == [(0, 1_000_000)]


def test_saved_and_opened_it_splits_the_same(tmp_path: Path) -> None:
    text = "The Cook's “soup” -LRB- don't …"
    for tokenizer in (LOWER, KEPT):
        tokenizer.save(tmp_path / "tokenizer.json")
        opened = Tokenizer.open(tmp_path / "tokenizer.json")
        assert opened(text) == tokenizer(text)
        assert opened(("The", "``")) == tokenizer(("The", "``"))


def test_the_file_alone_splits_the_same(tmp_path: Path) -> None:
    LOWER.save(tmp_path / "tokenizer.json")
    alone = tokenizers.Tokenizer.from_file(str(tmp_path / "tokenizer.json"))
    text = "The Cook's ``soup'' isn't 5,000 U.S. dollars—yet"
    assert alone.encode(text).tokens == LOWER(text).words


@pytest.mark.parametrize("change", ["cut", "no model", "other model", "bad pattern", "list", "bytes"])
def test_a_broken_file_is_told_by_name(tmp_path: Path, change: str) -> None:
    path = tmp_path / "tokenizer.json"
    LOWER.save(path)
    text = path.read_text(encoding="utf-8")
    rules = json.loads(text)
    if change == "other model":
        rules["model"] = {"type": "WordLevel", "vocab": {}, "unk_token": "<unk>"}
    if change == "bad pattern":
        rules["pre_tokenizer"]["pattern"] = {"Regex": "("}
    broken = {"cut": text[:200].encode(), "no model": b"{}", "list": b"[]", "bytes": b"\xff\xfe"}
    path.write_bytes(broken.get(change, json.dumps(rules).encode()))
    with pytest.raises(InputError, match=r"tokenizer\.json.*expected a tokenizer\.json written by readhead"):
        Tokenizer.open(path)


def test_a_missing_file_is_told_by_name(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"gone\.json"):
        Tokenizer.open(tmp_path / "gone.json")
