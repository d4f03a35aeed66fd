"""Trees in brackets, read back to words: the parses of SNLI and MultiNLI, the labelled trees of sentiment."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass

from readhead.data.example import Words

# The Penn Treebank's spellings of characters that mean something in its own notation.
_ESCAPES = {
    "-LRB-": "(",
    "-RRB-": ")",
    "-LSB-": "[",
    "-RSB-": "]",
    "-LCB-": "{",
    "-RCB-": "}",
    "``": '"',
    "''": '"',
    "\\/": "/",
    "\\*": "*",
}
_ESCAPED = re.compile(r"-[LR][RSC]B-|^``$|^''$|\\[/*]")
_PIECE = re.compile(r"\([^() ]*|\)|[^() ]+")


def words_of(parse: str) -> Words:
    """The words of a binary parse, `( ( The dog ) ( barks . ) )`, with brackets and quotes as in plain text.

    Words are parted by the ASCII space alone: some hold other blanks.

    Raises:
        ValueError: brackets do not match, as in a parse that was cut.
    """
    words, depth = [], 0
    for piece in parse.strip(" \r\n").split(" "):
        depth += (piece == "(") - (piece == ")")
        if depth < 0:
            break
        if piece not in ("(", ")", ""):
            words.append(_plain(piece))
    if depth != 0:
        raise ValueError("the brackets of the parse do not match")
    return tuple(words)


@dataclass(frozen=True, slots=True)
class Phrase:
    """A labelled part of a tree: the words from `start` to before `end`, counted from 0."""

    label: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class LabelledTree:
    """T words and the labelled phrases over them, single words among these; the first one is the whole tree."""

    words: Words
    phrases: tuple[Phrase, ...]


def labelled_tree(written: str, *, labels: Collection[str]) -> LabelledTree:
    """Reads a tree with a label at every bracket, `(3 (2 The) (4 (3 fine) (2 day)))`, however deep.

    A phrase is one word, or one phrase and more. Words come as in `words_of`. The time grows with the text alone.

    written: one whole tree.
    labels: what may stand behind an opening bracket.

    Raises:
        ValueError: brackets do not match, a label is missing or another one, a phrase is empty, or something
            stands outside the tree or beside a word.
    """
    words: list[str] = []
    spans: list[tuple[str, int, int]] = []  # a phrase's end is not known before its bracket closes
    unclosed: list[int] = []
    before = ""
    for piece in _PIECE.findall(written.rstrip("\r\n")):
        if not unclosed and (spans or piece[0] != "("):
            raise ValueError(f"'{piece}' stands outside the tree; expected one whole tree a line")
        _check_neighbours(before, piece)
        if piece[0] == "(":
            _check_label(piece, labels)
            unclosed.append(len(spans))
            spans.append((piece[1:], len(words), 0))
        elif piece == ")":
            label, start, _ = spans[unclosed[-1]]
            spans[unclosed.pop()] = (label, start, len(words))
        else:
            words.append(_plain(piece))
        before = piece
    if unclosed or not spans:
        raise ValueError(f"brackets still open at the end of the line: {len(unclosed)}; expected one whole tree")
    return LabelledTree(tuple(words), tuple(Phrase(*span) for span in spans))


def _check_neighbours(before: str, piece: str) -> None:
    """Whether a bracket or a word may stand behind another: an opened phrase holds a word, or else phrases."""
    opened = before.startswith("(")
    if piece == ")" and opened:
        raise ValueError(f"'{before})' is empty; expected a word")
    if piece[0] == "(" and before and not (opened or before == ")"):
        raise ValueError(f"'{piece}' stands beside the word '{before}'; expected each word in brackets of its own")
    if piece[0] not in "()" and not opened:
        raise ValueError(f"the word '{piece}' has no label; expected each word in brackets of its own")


def _check_label(piece: str, labels: Collection[str]) -> None:
    if piece[1:] not in labels:
        found = f"label '{piece[1:]}'" if piece[1:] else "a bracket without a label"
        raise ValueError(f"{found}; expected one of {', '.join(labels)} right behind each opening bracket")


def _plain(word: str) -> str:
    return _ESCAPED.sub(lambda match: _ESCAPES[match[0]], word)
