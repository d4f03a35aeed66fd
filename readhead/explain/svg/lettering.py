"""How wide letters are, without asking a browser."""

from __future__ import annotations

from rich.cells import cell_len

from readhead.explain.printable import ELLIPSIS, brief
from readhead.explain.svg.canvas import element, escaped

SIZE, SMALL = 15.0, 11.0  # of a word's letters, and of numbers and headings; in pixels
LONGEST = 22  # cells of a word that are shown

# Of DejaVu Sans, in hundredths of the letters' size: of the fonts that a system may put in, it is one of the widest.
_WIDTHS = {
    27: "'", 28: "ijl", 30: "IJ", 32: " ,.", 34: "/:;\\|", 36: "f-", 39: "()[]t", 41: "!r", 46: '"', 50: "*_`",
    53: "sz?", 56: "cL", 59: "Fkvxy", 62: "PTYaoe", 64: "ESbdghnpqu0123456789${}", 67: "KAV", 70: "BRXZC",
    75: "UHN", 78: "DG&OQ", 83: "w#+<=>^~", 86: "M", 96: "%m", 100: "W@…",
}  # fmt: skip
_WIDTH = {letter: width / 100 for width, letters in _WIDTHS.items() for letter in letters}
_OTHER = 0.62  # of the size, a terminal cell of any other letter: as wide as most Latin ones, twice that for Chinese


def printed(token: str) -> str:
    """A token as it is written in a picture: control codes as pictures, its end left out if long."""
    return brief(token, LONGEST) if token.strip() else "␠"


def width_of(text: str, size: float = SIZE) -> float:
    """Pixels that a printed text takes at most."""
    return size * sum(_WIDTH.get(letter) or _OTHER * cell_len(letter) for letter in text)


def cut(text: str, width: float, size: float = SIZE) -> str:
    """A user's text, printed; its end left out where it is wider than so many pixels."""
    seen = brief(text, int(width))  # no letter is as narrow as a pixel
    if width_of(seen, size) <= width:
        return seen
    at, room = 0, width - width_of(ELLIPSIS, size)
    while at < len(seen) and (room := room - width_of(seen[at], size)) >= 0:
        at += 1
    return seen[:at].rstrip(f" {ELLIPSIS}") + ELLIPSIS


def text(written: str, *, x: float, y: float, anchor: str | None = None, size: float = SIZE, **more: str | None) -> str:
    """A printed text. Letters whose width is a guess are fitted into it.

    anchor: `middle` or `end`, where x is not the beginning.
    size: of the letters, in pixels; a class must say so too, since this only measures.
    """
    known = all(letter in _WIDTH for letter in written)
    return element(
        "text",
        escaped(written),
        x=x,
        y=y,
        text_anchor=anchor,
        textLength=None if known else width_of(written, size),
        lengthAdjust=None if known else "spacingAndGlyphs",
        **more,
    )
