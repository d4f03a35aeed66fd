"""The binary parses of SNLI and MultiNLI, read back to their words."""

from __future__ import annotations

import re

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
}
_ESCAPED = re.compile(r"-[LR][RSC]B-|^``$|^''$")


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
            words.append(_ESCAPED.sub(lambda match: _ESCAPES[match[0]], piece))
    if depth != 0:
        raise ValueError("the brackets of the parse do not match")
    return tuple(words)
