"""Pictures as SVG files of their own, for papers and slides."""

from __future__ import annotations

from collections.abc import Iterator

from readhead.explain.answer_pictures import order
from readhead.explain.picture import WIDE, Picture
from readhead.explain.pictures import pictures
from readhead.explain.ranking import RankingExplained
from readhead.explain.record import Explanation
from readhead.explain.svg.canvas import standalone


def main_figure(explained: Explanation | RankingExplained) -> str:
    """The picture that stands for all: a ranking's order, or the first attention, or else the last that there is."""
    if isinstance(explained, RankingExplained):
        return _drawn(order(explained))
    found = pictures(explained)
    return _drawn(next((picture for picture in found if picture.name.startswith("attention")), found[-1]))


def figures(explained: Explanation | RankingExplained) -> Iterator[tuple[str, str]]:
    """Each picture with a name for its file: of a ranking, the order and every candidate's."""
    if not isinstance(explained, RankingExplained):
        yield from ((picture.name, _drawn(picture)) for picture in pictures(explained))
        return
    yield "ranking", _drawn(order(explained))
    for rank, candidate in enumerate(explained.candidates, start=1):
        yield from ((f"candidate-{rank}-{name}", drawn) for name, drawn in figures(candidate))


def _drawn(picture: Picture) -> str:
    return standalone(picture.draw(WIDE))
