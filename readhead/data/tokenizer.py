"""Text to words as the Penn Treebank and the corpora after it split them, each with its place in the text."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path

import tokenizers
from tokenizers import Regex, models, normalizers, pre_tokenizers

from readhead import durable
from readhead.data.example import Words
from readhead.errors import InputError

# One sign is written in many ways; the word vectors know the way on the right. The order matters: two
# apostrophes, however written, are a quotation mark, and half a dash is no part of a bracket.
_SPELLINGS = (
    ("-[lL][rR][bB]-", "("),
    ("-[rR][rR][bB]-", ")"),
    ("-[lL][sS][bB]-", "["),
    ("-[rR][sS][bB]-", "]"),
    ("-[lL][cC][bB]-", "{"),
    ("-[rR][cC][bB]-", "}"),
    ("[‘’‚‛`´]", "'"),
    ("''|[“”„‟«»]", '"'),
    ("[–—―]", "--"),
    ("…", "..."),
)
# Signs that several characters may stand for, by the last of these characters: how many they are.
_SHORTENED = {(sign, "-"): 5 for sign in "()[]{}"} | {('"', mark): 2 for mark in "'‘’‚‛`´"}
_SHORTENED_SIGNS = frozenset(sign for sign, _ in _SHORTENED)

# What words are made of: letters with their marks, digits, "_", and the two joiners that Persian and the
# scripts of India write inside words. _END: no more of it follows; _CLOSE: at most a n't.
_LETTER = r"[\w\x{200C}\x{200D}]"
_END = rf"(?!{_LETTER})"
_CLOSE = rf"(?:{_END}|(?=(?i:n't){_END}))"
# What str.split takes for a space beyond Unicode's white space: four control characters.
_SIGN = r"[^\s\x1C-\x1F]"
# Full stops that belong to the word, beside those of single letters (U.S.), which a pattern finds.
_ABBREVIATIONS = (
    "mr|mrs|ms|messrs|dr|prof|rev|hon|st|jr|sr|gen|sen|rep|gov|lt|col|capt|sgt|maj|adm|ph\\.d|"
    "inc|ltd|corp|co|bros|etc|al|eds?|pp|vols?"
)

# The first alternative that fits is taken. Repetitions are possessive (`++`), so that no text makes the
# search go back: its time grows with the text's length alone. No alternative asks what stands before the word
# or behind the next space, and none minds a space that follows: hence words already split stay as they are.
_WORD = "|".join(
    (
        r"\.{2,}+|-{2,}+|\*++|<unk>",
        rf"(?i:n't){_END}",
        rf"'(?i:s|m|d|re|ve|ll|t|n|em|til|cause|bout|\d\ds?){_END}",  # it 's, 'em, the '80s
        rf"'[tT](?=(?i:is|was){_CLOSE})",  # 't is
        rf"(?i:can)(?=(?i:not){_CLOSE})|(?i:gon|wan)(?=(?i:na){_CLOSE})",  # can not, gon na
        rf"(?i:got)(?=(?i:ta){_CLOSE})|(?i:gim|lem)(?=(?i:me){_CLOSE})",
        rf"(?={_LETTER}++(?<=[nN])'[tT]{_END}){_LETTER}+(?=[nN]')",  # did n't
        rf"\p{{L}}(?:\.\p{{L}}{_END})++\.(?![.\w])",  # U.S., e.g.
        rf"(?i:{_ABBREVIATIONS})\.(?![.\w])",
        # An initial; but sentences end in "I" or "a". Of one that ends in "plan B." only the stop is lost.
        r"[b-hj-zB-HJ-Z]\.(?![.\w])",
        r"\.\d++",  # .5
        # state-of-the-art, o'clock, 1,000.50, 10:30, and/or, c++
        rf"{_LETTER}++(?:(?:[-./*+]|'(?!(?i:s|m|d|re|ve|ll){_END})|(?<=\d)[,:](?=\d)){_LETTER}++)*+\+*+",
        r"[\x{1F1E6}-\x{1F1FF}]{2}",  # two letters make a flag
        r"[\"()\[\]{}]",
        # Another sign; an emoji with its skin tone and all that is joined to it.
        rf"{_SIGN}(?:[\p{{M}}\x{{1F3FB}}-\x{{1F3FF}}]|\x{{200D}}[^\s\x00-\x7F])*+",
    )
)

_SURROGATE = re.compile("[\ud800-\udfff]")
_REPLACEMENT = "\ufffd"


@dataclass(frozen=True, slots=True)
class Tokens:
    """The T words of a text, and where they stand in it.

    words: T words, as the vocabulary knows them.
    offsets: T pairs (start, end), in characters: `text[start:end]` is how the text itself writes the word.
    """

    words: list[str]
    offsets: list[tuple[int, int]]

    def __len__(self) -> int:
        return len(self.words)


class Tokenizer:
    """Text to words in the manner of the Penn Treebank (Marcus et al. 1993): "Don't go." is `do n't go .`.

    Clitics (`n't`, `'s`) and punctuation stand apart; hyphenated words, numbers, acronyms and "..." stay
    whole; all double quotes are `"`, brackets are never written `-LRB-`. Two laws hold: words joined by
    spaces are split into the same words again, and a text's words are those of its pieces (`text.split()`),
    in order.

    All rules lie in one `tokenizer.json`, which the library `tokenizers` follows without this class.

    lowercase: whether "The" is read as "the"; what the corpus and the word vectors do decides.
    """

    def __init__(self, *, lowercase: bool) -> None:
        self._set(_rules(lowercase))

    def _set(self, rules: tokenizers.Tokenizer) -> None:
        self._rules = rules
        # Words that a corpus has split are spelt by the same rules, and not split again.
        unsplit = json.loads(rules.to_str()) | {"pre_tokenizer": None}
        self._spelling = tokenizers.Tokenizer.from_str(json.dumps(unsplit))

    def __call__(self, text: str | Words) -> Tokens:
        """Splits a text; a tuple of words is taken as split, and its offsets count in `" ".join(words)`.

        Any text is answered: of one without words come no tokens, a lone surrogate is read as U+FFFD.

        Raises:
            ValueError: one of a tuple's words is empty.
        """
        if isinstance(text, str):
            encoding = self._rules.encode(_readable(text), add_special_tokens=False)
            return Tokens(encoding.tokens, _widened(encoding, text))
        words = self._spell(text)
        ends = accumulate(len(word) + 1 for word in text)
        return Tokens(words, [(end - 1 - len(word), end - 1) for word, end in zip(text, ends, strict=True)])

    def batch(self, texts: Iterable[str | Words]) -> list[Tokens]:
        """Splits many texts, on the calling thread.

        The library's `encode_batch` was measured beside this loop: on one core they are equally fast; on two
        it gains a fifth, for a pool of threads that a process which forks later must not have.
        """
        return [self(text) for text in texts]

    def _spell(self, words: Words) -> list[str]:
        if "" in words:
            raise ValueError(f"word {words.index('') + 1} of {len(words)} is empty")
        readable = [_readable(word) for word in words]
        spelt: list[str] = self._spelling.encode(readable, is_pretokenized=True, add_special_tokens=False).tokens
        return spelt

    def to_bytes(self) -> bytes:
        """`tokenizer.json`: all the rules, as the library `tokenizers` reads them."""
        return (self._rules.to_str(pretty=True) + "\n").encode("utf-8")

    def save(self, path: Path) -> None:
        """Writes `tokenizer.json` durably."""
        durable.write(path, self.to_bytes())

    @classmethod
    def open(cls, path: Path) -> Tokenizer:
        """Reads `tokenizer.json`: the rules it was saved with, even where a later version has others.

        Raises:
            InputError: the file cannot be read, or is not a tokenizer that `save` wrote.
        """
        tokenizer = cls.__new__(cls)
        tokenizer._set(_read_rules(path))
        return tokenizer


def _rules(lowercase: bool) -> tokenizers.Tokenizer:
    # Of the library's models only Unigram answers with the very word where it knows none: with a vocabulary
    # of nothing but "<unk>", a word comes back whole. WordLevel would answer "<unk>", BPE letters. Ids are
    # the Vocabulary's work.
    rules = tokenizers.Tokenizer(models.Unigram([("<unk>", 0.0)], unk_id=0, byte_fallback=False))
    cases = [normalizers.Lowercase()] if lowercase else []
    spellings = [normalizers.Replace(Regex(pattern), sign) for pattern, sign in _SPELLINGS]
    rules.normalizer = normalizers.Sequence(cases + spellings)
    # "removed" with invert: what is no word is left out.
    rules.pre_tokenizer = pre_tokenizers.Split(Regex(_WORD), behavior="removed", invert=True)
    return rules


def _readable(text: str) -> str:
    return _SURROGATE.sub(_REPLACEMENT, text)


def _widened(encoding: tokenizers.Encoding, text: str) -> list[tuple[int, int]]:
    """The offsets, those of a sign that stands for several characters widened to all of them.

    The library gives the place of the last one.
    """
    offsets: list[tuple[int, int]] = encoding.offsets
    if _SHORTENED_SIGNS.isdisjoint(encoding.tokens):
        return offsets
    return [
        (end - _SHORTENED.get((word, text[end - 1]), end - start), end)
        for word, (start, end) in zip(encoding.tokens, offsets, strict=True)
    ]


def _read_rules(path: Path) -> tokenizers.Tokenizer:
    try:
        text = path.read_text(encoding="utf-8")
        model = json.loads(text)["model"]["type"]
    except (OSError, ValueError, LookupError, TypeError) as error:
        raise InputError(f"expected a tokenizer.json written by readhead; {error}", file=path) from error
    if model != "Unigram":
        raise InputError(f"expected a tokenizer.json written by readhead, found one for {model}", file=path)
    try:
        return tokenizers.Tokenizer.from_str(text)
    except Exception as error:  # the library has no class of its own for what it cannot read
        raise InputError(f"expected a tokenizer.json written by readhead; {error}", file=path) from error
