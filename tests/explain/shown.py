"""What is true of every picture, page and printout, whatever was read."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from html.parser import HTMLParser
from itertools import pairwise

from rich.cells import cell_len

from readhead.explain import html
from readhead.explain.figures import figures, main_figure
from readhead.explain.ranking import RankingExplained
from readhead.explain.record import Explanation
from readhead.explain.terminal import render

VOID = {"meta", "input", "br", "img", "link", "hr"}
SVG = "{http://www.w3.org/2000/svg}"
FOCUSABLE = {"button", "input", "summary", "a"}
NAMED = {"figure", "svg", "region", "group", "img", "listbox", "option", "grid", "gridcell"}


class Outline(HTMLParser):
    """The elements of a page with their attributes; fails where they do not fit together."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.seen: list[tuple[str, dict[str, str | None]]] = []
        self.text: list[str] = []
        self._open: list[str] = []
        self.feed(page)
        self.close()
        assert not self._open, f"never closed: {self._open}"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))
        if tag not in VOID:
            self._open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text.append(data)

    def all(self, tag: str) -> list[dict[str, str | None]]:
        """The attributes of each element of a kind."""
        return [given for name, given in self.seen if name == tag]


def expect_shown(explained: Explanation | RankingExplained) -> Outline:
    """It comes out as a page, as files and in a terminal, each as it should be."""
    page = html.document(explained, about="A test.")
    outline = _expect_page(page)
    assert html.read(page).to_json() == explained.to_json()
    assert "<script" not in html.fragment(explained)
    for picture in [main_figure(explained), *(drawn for _, drawn in figures(explained))]:
        _expect_picture(picture)
    names = [name for name, _ in figures(explained)]
    assert len(set(names)) == len(names) and all(re.fullmatch(r"[a-z0-9-]+", name) for name in names)
    for width in (80, 24):
        lines = render(explained, width=width, colour=False).splitlines()
        assert max(map(cell_len, lines)) <= width
    assert "\x1b" not in render(explained, width=80, colour=False)
    return outline


def _expect_page(page: str) -> Outline:
    page.encode("utf-8")
    outline = Outline(page)
    ids = [given["id"] for _, given in outline.seen if "id" in given]
    assert len(ids) == len(set(ids))
    for tag, given in outline.seen:
        assert "style" not in given and not any(name.startswith("on") for name in given), (tag, given)
        assert not {"src", "srcset", "action", "formaction"} & given.keys()
        assert (given.get("href") or "#").startswith("#")
        if tag in NAMED or given.get("role") in NAMED:
            assert given.get("aria-label"), (tag, given)
    assert {str(given["href"])[1:] for given in outline.all("a")} <= set(ids)
    assert [given.get("type") for given in outline.all("script")] == ["application/json", None]
    assert not set(re.findall(r"https?://[^\s\"'<]*", page)) - {"http://www.w3.org/2000/svg"}
    levels = [int(tag[1]) for tag, _ in outline.seen if re.fullmatch("h[1-6]", tag)]
    assert levels[0] == 1 and all(after <= before + 1 for before, after in pairwise(levels))
    return outline


def _expect_picture(picture: str) -> None:
    root = ET.fromstring(picture.encode("utf-8"))
    assert root.tag == f"{SVG}svg" and root.get("aria-label")
    width, height = float(str(root.get("width"))), float(str(root.get("height")))
    assert width > 0 and height > 0
    for part in root.iter(f"{SVG}rect"):
        if part.get("x") is not None and not _moved(root, part):
            assert -1 <= float(str(part.get("x"))) <= width and -1 <= float(str(part.get("y"))) <= height
            assert float(str(part.get("width"))) >= 0 and float(str(part.get("height"))) >= 0
    assert "NaN" not in picture and "inf" not in re.sub(
        r"<text.*?</text>|aria-label=\"[^\"]*\"|data-told=\"[^\"]*\"", "", picture
    )
    assert "var(" not in picture


def _moved(root: ET.Element, part: ET.Element) -> bool:
    return any(part in group.iter() for group in root.iter(f"{SVG}g") if group.get("transform"))
