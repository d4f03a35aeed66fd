"""One self-contained HTML page: no link to elsewhere, light and dark, for keyboards and screen readers."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from html import escape

from readhead.explain.asset import asset
from readhead.explain.printable import brief, visible

LONGEST = 2_000  # characters of a text that are shown
_LONGEST_TITLE = 120  # cells of what a browser shows above the page

_RECORD = re.compile(r'<script type="application/json" id="record">([^<]*)</script>')
_UNBROKEN = re.compile(r"[^\s<>]{25}")

STYLE = asset("tokens.css", "parts.css", "page.css", "charts.css")


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the page.

    name: its anchor, a word.
    title: its heading, as plain text.
    body: HTML.
    """

    name: str
    title: str
    body: str


def document(title: str, introduction: str, sections: Sequence[Section]) -> str:
    """A page of sections, with links to each.

    title: plain text.
    introduction: HTML below the title.
    """
    links = "".join(f'<li><a href="#{part.name}">{escape(part.title)}</a></li>' for part in sections)
    bodies = "".join(
        f'<section id="{part.name}" aria-labelledby="{part.name}-title"><h2 id="{part.name}-title">'
        f"{escape(part.title)}</h2>\n{part.body}</section>\n"
        for part in sections
    )
    return whole(title, f'{introduction}<nav aria-label="Sections"><ul>{links}</ul></nav>', bodies)


def whole(title: str, introduction: str, body: str, *, style: str = STYLE, script: str = "", record: str = "") -> str:
    """A whole page, which loads nothing: what is not in it is forbidden by its policy.

    title: plain text.
    introduction, body: HTML.
    style, script: the only ones that it obeys.
    record: JSON that is kept in the page and read back by `record_in`.
    """
    scripts = (f'<script type="application/json" id="record">{_within_script(record)}</script>\n' if record else "") + (
        f"<script>{script}</script>\n" if script else ""
    )
    return (
        '<!doctype html>\n<html lang="en" class="readhead"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{_policy(style, script)}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta name="referrer" content="no-referrer">'
        f"<title>{escape(brief(title, _LONGEST_TITLE))}</title><style>{style}</style></head>\n"
        f'<body><a class="skip" href="#main">Skip to the figures</a>\n<header><h1>{shown(title)}</h1>{introduction}'
        f'</header>\n<main id="main">\n{body}</main>\n{scripts}</body></html>\n'
    )


def record_in(page: str) -> str | None:
    """The JSON that `whole` kept in a page; None if there is none."""
    found = _RECORD.search(page)
    return found[1] if found else None


def _policy(style: str, script: str) -> str:
    # A text that found a way into the markup could still load and run nothing.
    scripts = f"script-src {_hash(script)}; " if script else ""
    return f"default-src 'none'; {scripts}style-src {_hash(style)}; base-uri 'none'; form-action 'none'"


def _hash(source: str) -> str:
    return f"'sha256-{b64encode(sha256(source.encode()).digest()).decode()}'"


def _within_script(record: str) -> str:
    # In JSON these stand in strings alone, where an escape means the same; `</script>` and `<!--` then end nothing.
    return record.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")


def shown(text: str) -> str:
    """A user's text, escaped; its control codes as pictures, its direction kept to itself, its end left out if long."""
    left_out = len(text) - LONGEST
    end = f' <span class="faint">… and {left_out:,} more characters</span>' if left_out > 0 else ""
    return f"<bdi>{escape(visible(text[:LONGEST]))}</bdi>{end}"


def paragraph(text: str, *, faint: bool = False) -> str:
    """A paragraph of plain text."""
    return f"<p{' class=faint' if faint else ''}>{escape(visible(text))}</p>\n"


def table(caption: str, header: Sequence[str], rows: Iterable[Sequence[str]], *, numbers: Sequence[int] = ()) -> str:
    """A table that scrolls within itself where it is too wide; a reader without a mouse can reach and scroll it.

    caption, header: plain text.
    rows: HTML cells; the first of a row is its heading.
    numbers: places of columns that are flush right.
    """
    kinds = [' class="number"' if place in numbers else "" for place in range(len(header))]
    head = "".join(
        f'<th scope="col"{kind}>{escape(visible(name))}</th>' for name, kind in zip(header, kinds, strict=True)
    )
    body = "".join(_row(cells, kinds) for cells in rows)
    return scrolling(
        caption,
        f"<table><caption>{escape(visible(caption))}</caption><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>",
    )


def scrolling(what: str, html: str) -> str:
    """HTML that may be wider than the page."""
    return f'<div class="wide" role="region" tabindex="0" aria-label="{escape(visible(what))}">{html}</div>\n'


def shade(share: float) -> str:
    """The class of something that is shaded by a share from 0 to 1, in steps of a twentieth."""
    return f"share-{round(20 * min(max(share, 0.0), 1.0))}"


def _row(cells: Sequence[str], kinds: Sequence[str]) -> str:
    first, *others = cells
    rest = "".join(f"<td{kind}>{cell}</td>" for cell, kind in zip(others, kinds[1:], strict=True))
    # Only what could not be broken otherwise may be broken anywhere: else a narrow page has a letter a line.
    kind = ' class="long"' if _UNBROKEN.search(first) else ""
    return f'<tr><th scope="row"{kind}>{first}</th>{rest}</tr>\n'
