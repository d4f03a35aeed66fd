"""A user's text, made safe for a terminal: no control codes, a known width, its direction kept to itself."""

from __future__ import annotations

import re
import unicodedata

from rich.cells import cell_len, chop_cells, set_cell_size

ELLIPSIS = "…"
_JOINERS = "\u200c\u200d"  # they shape letters and emoji, and move nothing
_UNSEEN = re.compile(r"[^ -~]")
_LONE_JOINER = re.compile(rf"(?<!\S)[{_JOINERS}]|[{_JOINERS}](?!\S)")
_FIRST_STRONG_ISOLATE, _POP_ISOLATE = "\u2068", "\u2069"


def visible(text: str) -> str:
    """The text with a picture in place of each character that would act on the terminal: ESC becomes `␛`.

    A mark with nothing to stand on gets a dotted circle, so that it cannot join what is printed before it.
    """
    seen = _UNSEEN.sub(lambda match: _picture(match[0]), text)
    seen = _LONE_JOINER.sub("\ufffd", seen)
    return "◌" + seen if seen and unicodedata.category(seen[0]).startswith("M") else seen


def _picture(character: str) -> str:
    code = ord(character)
    if code < 0x20:
        return chr(0x2400 + code)  # Unicode's control pictures stand in the order of the controls
    if code == 0x7F:
        return "␡"
    acts = unicodedata.category(character) in {"Cc", "Cf", "Cs", "Zl", "Zp"} and character not in _JOINERS
    return "\ufffd" if acts else character


def shorten(text: str, width: int) -> str:
    """The text in at most `width` terminal cells; what is cut ends in an ellipsis."""
    if cell_len(text) <= width:
        return text
    return set_cell_size(text, width - 1).rstrip(" " + _JOINERS) + ELLIPSIS


def brief(text: str, width: int) -> str:
    """A user's text, visible and in at most `width` cells, without a look at all of a text of a million letters."""
    enough = 8 * width  # characters: marks and joiners take no cell
    return shorten(visible(text[:enough]) + ELLIPSIS * (len(text) > enough), width)


def pad(text: str, width: int) -> str:
    """The text in exactly `width` cells, on the left, isolated if it runs from right to left."""
    text = shorten(text, width)
    return isolate(text) + " " * (width - cell_len(text))


def isolate(text: str) -> str:
    """Right-to-left text within invisible brackets, so that its neighbours in the line keep their order."""
    if any(unicodedata.bidirectional(character) in {"R", "AL", "AN"} for character in text):
        return _FIRST_STRONG_ISOLATE + text + _POP_ISOLATE
    return text


def wrap(text: str, width: int) -> list[str]:
    """The text in lines of at most `width` cells, cut between words, or inside one that fits on no line."""
    lines: list[str] = []
    for word in text.split():
        for piece in [word] if cell_len(word) <= width else chop_cells(word, width):
            if lines and cell_len(f"{lines[-1]} {piece}") <= width:
                lines[-1] += f" {piece}"
            else:
                lines.append(piece)
    return lines
