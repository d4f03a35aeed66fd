"""Which memory slot each word was composed with: Munkhdalai and Yu 2017 (arXiv:1607.04315v3), Fig. 2."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from readhead.explain.clusters import Cluster, Node, clusters
from readhead.explain.links import Link
from readhead.explain.svg.boxes import PAD, TALL, baseline, lettered
from readhead.explain.svg.canvas import drawing, element, number, shade, share
from readhead.explain.svg.lettering import printed, text, width_of

_ROW = TALL + 6  # from one word to the one below, in pixels like all here
_STEM = 40.0  # of an arrow
_HEAD = 7.0
_APART = 28.0  # between clusters that stand side by side
_BELOW = 14.0  # and one below the other


def associations(tokens: Sequence[str], links: Sequence[Link], *, width: float, label: str) -> str:
    """Words in clusters, with an arrow from each to the one whose memory slot it was composed with.

    An arrow that would close a circle, or lead further to the right than there is room, ends in the name of its word.

    links: at most one a word.
    width: that clusters are laid side by side in.
    """
    words = [printed(token) for token in tokens]
    widest = max(map(width_of, words)) + 2 * PAD + _STEM
    found = clusters(len(words), links, deepest=max(2, int(width // widest)))
    shared = _Words(words, {link.row: link for link in links}, Counter(link.column for link in links))
    parts, x, y, tall, reached = [], 0.0, 4.0, 0.0, 0.0
    for cluster in found:
        drawn = _Drawn(cluster, shared)
        if x and x + drawn.width > width:
            x, y, tall = 0.0, y + tall + _BELOW, 0.0
        parts.append(element("g", *drawn.parts(), transform=f"translate({number(x)} {number(y)})"))
        reached = max(reached, x + drawn.width)
        x, tall = x + drawn.width + _APART, max(tall, cluster.rows * _ROW)
    return drawing("associations", *parts, width=reached, height=y + tall, label=label)


@dataclass(frozen=True, slots=True)
class _Words:
    """What all clusters share: the printed words, the arrow of each, and how many lead to it."""

    words: Sequence[str]
    arrows: Mapping[int, Link]
    counts: Counter[int]

    def wide(self, word: int) -> float:
        """Of its box."""
        return width_of(self.words[word]) + 2 * PAD

    def shade(self, word: int) -> str:
        """The more arrows lead to it, the bluer."""
        return shade(self.counts[word] / max(self.counts.values(), default=1))


class _Drawn:
    """A cluster on paper, its depths from left to right."""

    def __init__(self, cluster: Cluster, words: _Words) -> None:
        self.cluster, self.words = cluster, words
        self.beyond = "" if cluster.beyond is None else words.words[cluster.beyond]
        self.lefts = [width_of(self.beyond) + _STEM if self.beyond else 0.0]
        for depth in range(max(node.depth for node in cluster.nodes) + 1):
            wide = max(words.wide(node.word) for node in cluster.nodes if node.depth == depth)
            self.lefts.append(self.lefts[-1] + wide + _STEM)
        self.width = self.lefts.pop() - _STEM

    def parts(self) -> Iterator[str]:
        """Arrows first, so that words stand on them."""
        places = {node.word: node for node in self.cluster.nodes}
        root, *others = self.cluster.nodes
        if self.beyond:
            yield text(self.beyond, x=0, y=baseline(root.row * _ROW), class_="elsewhere")
            yield self._arrow(root, (width_of(self.beyond) + 3, self._middle(root)))
        for node in others:
            to = places[self.words.arrows[node.word].column]
            yield self._arrow(node, (self.lefts[to.depth] + self.words.wide(to.word), self._middle(to)))
        for node in self.cluster.nodes:
            yield self._word(node)

    def _middle(self, node: Node) -> float:
        return node.row * _ROW + TALL / 2

    def _word(self, node: Node) -> str:
        x, y, wide = self.lefts[node.depth], node.row * _ROW, self.words.wide(node.word)
        box = {"x": x, "y": y, "width": wide, "height": TALL, "rx": 4.0}
        ground = element("rect", **box, class_="ground")
        count = element("rect", **box, class_="cell", fill_opacity=self.words.shade(node.word))
        return ground + count + lettered(self.words.words[node.word], x + wide / 2, y)

    def _arrow(self, node: Node, to: tuple[float, float]) -> str:
        weight = self.words.arrows[node.word].weight
        x, y, tip, to_y = self.lefts[node.depth], self._middle(node), to[0] + 1, to[1]
        bent = (x - tip) / 2
        points = ((x - bent, y), (tip + bent, to_y), (tip + _HEAD - 1, to_y))
        line = element(
            "path",
            d=f"M{number(x)} {number(y)}C{' '.join(f'{number(a)} {number(b)}' for a, b in points)}",
            class_="arrow",
            stroke_width=0.8 + 3.2 * weight,
            stroke_opacity=share(0.35 + 0.65 * weight),
        )
        back = number(tip + _HEAD)
        head = f"M{number(tip)} {number(to_y)}L{back} {number(to_y - 4)}L{back} {number(to_y + 4)}Z"
        return line + element("path", d=head, class_="arrowhead")
