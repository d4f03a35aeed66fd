"""Words shaded by what each adds to an answer's score, or takes from it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from jaxtyping import Float

from readhead.explain.svg.boxes import MARGIN, PAD, TALL, lettered
from readhead.explain.svg.canvas import drawing, element, number, shade
from readhead.explain.svg.flow import Spot, flowed, lines
from readhead.explain.svg.lettering import SMALL, printed, text, width_of

_PITCH = TALL + 22  # from line to line, in pixels like all here
_NAME = 22.0
_WORTH = 0.2  # of the greatest share: words with less have no number below them


def attribution(texts: Mapping[str, tuple[Sequence[str], Float[np.ndarray, " T"]]], *, width: float, label: str) -> str:
    """Every text's words: blue for the answer, brown and underlined against it; the deeper, the more.

    texts: by name, tokens and the share of each, of either sign.
    """
    greatest = max((float(np.abs(shares).max(initial=0.0)) for _, shares in texts.values()), default=0.0) or 1.0
    parts: list[str] = []
    top = MARGIN
    for name, (tokens, shares) in texts.items():
        if len(texts) > 1:
            parts.append(text(printed(name), x=MARGIN, y=top + 13, class_="small faint"))
            top += _NAME
        words = [printed(token) for token in tokens]
        told = [signed(share) if abs(share) >= _WORTH * greatest else "" for share in shares.tolist()]
        widths = [
            max(width_of(word) + 2 * PAD, width_of(digits, SMALL) + 2) for word, digits in zip(words, told, strict=True)
        ]
        spots = flowed(widths, width - MARGIN, left=MARGIN)
        for word, digits, spot, share in zip(words, told, spots, shares.tolist(), strict=True):
            parts.append(_word((word, digits), spot, top + spot.line * _PITCH, share / greatest))
        top += lines(spots) * _PITCH + 6
    return drawing("attribution", *parts, width=width, height=top, label=label)


def signed(share: float) -> str:
    """`+.31`, `−2.0`: two digits, and a true minus."""
    told = f"{abs(share):.2f}".removeprefix("0") if abs(share) < 0.995 else f"{abs(share):.1f}"
    return ("−" if share < 0 else "+") + told


def _word(written: tuple[str, str], spot: Spot, top: float, share: float) -> str:
    """A word on its ground, with the number below it if it has one."""
    word, digits = written
    ground = element(
        "rect",
        x=spot.left,
        y=top,
        width=spot.width,
        height=TALL,
        rx=4,
        class_="against" if share < 0 else "for",
        fill_opacity=shade(abs(share)),
    )
    drawn = ground + lettered(word, spot.middle, top)
    if share < 0 and digits:
        line = f"M{number(spot.left + 2)} {number(top + TALL - 1.5)}h{number(spot.width - 4)}"
        drawn += element("path", d=line, class_="minus")
    if digits:
        drawn += text(digits, x=spot.middle, y=top + TALL + 12, anchor="middle", size=SMALL, class_="small")
    return drawn
