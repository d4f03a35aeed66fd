"""What was answered, as bars."""

from __future__ import annotations

from collections.abc import Mapping

from readhead.explain.svg.canvas import drawing, element
from readhead.explain.svg.lettering import SIZE, cut, text, width_of

_ROW = 26.0  # in pixels, like all here
_NUMBER = 44.0
_WIDEST = 0.45  # of the whole, that a label takes at most


def scores(shares: Mapping[str, float], chosen: str | None, *, width: float, label: str) -> str:
    """A bar for each label, as long as it is likely, with its number; the chosen one stands out.

    shares: by label, from 0 to 1.
    """
    widest = width * _WIDEST
    names = {name: ("▸ " if name == chosen else "") + cut(name, widest) for name in shares}
    left = max(map(width_of, names.values()), default=0.0) * 1.06 + 10  # bold letters are a little wider
    whole = max(width - left - _NUMBER, 40.0)
    parts = []
    for place, (name, share) in enumerate(shares.items()):
        y = place * _ROW + 3
        base = y + _ROW / 2 + SIZE * 0.36 - 1
        kind = "chosen" if name == chosen else None
        long = whole * min(max(share, 0.0), 1.0)
        parts += [
            text(names[name], x=left - 8, y=base, anchor="end", class_=kind),
            element("rect", x=left, y=y + 2, width=whole, height=_ROW - 6, rx=3, class_="track"),
            element("rect", x=left, y=y + 2, width=long, height=_ROW - 6, rx=3, class_="level"),
            text(f"{share:.2f}", x=left + whole + _NUMBER - 2, y=base, anchor="end", class_=kind),
        ]
    return drawing("scores", *parts, width=width, height=len(shares) * _ROW + 6, label=label)
