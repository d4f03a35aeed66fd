"""How surprising each word of a text was."""

from __future__ import annotations

from collections.abc import Sequence

from readhead.explain.svg.boxes import PAD
from readhead.explain.svg.canvas import drawing, element
from readhead.explain.svg.flow import flowed, lines
from readhead.explain.svg.lettering import SMALL, printed, text, width_of

_HIGH = 64.0  # the highest bar, in pixels like all here
_PITCH = _HIGH + 48


def surprisal(words: Sequence[str], bits: Sequence[float], *, width: float, label: str) -> str:
    """A text's words with a bar over each, as high as it is surprising.

    words: tokens, the first of which is given and foretold by nothing.
    bits: of each but the first.
    """
    seen = [printed(word) for word in words]
    told = ["", *(f"{value:.1f}" for value in bits)]
    widths = [
        max(width_of(word) + 2 * PAD, width_of(number, SMALL) + 4) for word, number in zip(seen, told, strict=True)
    ]
    spots = flowed(widths, width - 2, left=2)
    highest = max(bits, default=0.0) or 1.0
    parts = []
    for word, number, value, spot in zip(seen, told, [0.0, *bits], spots, strict=True):
        base = 16 + _HIGH + spot.line * _PITCH
        tall = _HIGH * max(value, 0.0) / highest
        bar = min(spot.width - 4, 26.0)
        if number:
            parts.append(
                element("rect", x=spot.middle - bar / 2, y=base - tall, width=bar, height=tall + 0.5, class_="level")
            )
            parts.append(text(number, x=spot.middle, y=base - tall - 4, anchor="middle", size=SMALL, class_="small"))
        parts.append(text(word, x=spot.middle, y=base + 17, anchor="middle", class_=None if number else "faint"))
    return drawing("surprisal", *parts, width=width, height=lines(spots) * _PITCH, label=label)
