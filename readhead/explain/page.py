"""One self-contained HTML page: no script, no link to elsewhere, light and dark, for keyboards and screen readers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape

from readhead.explain.printable import visible

LONGEST = 2_000  # characters of a text that are shown

# Colours that both schemes have under one name; letters on them keep a contrast of 4.5 or more.
_STYLE = """
:root { color-scheme: light dark; --back: #fff; --ink: #1c2024; --faint: #5b6470; --line: #d5dae1; --panel: #f4f6f8;
  --accent: #1f6feb; --bad: #b3261e; --good: #1a7f37; }
@media (prefers-color-scheme: dark) { :root { --back: #14171b; --ink: #e6e9ed; --faint: #9aa5b1; --line: #363d46;
  --panel: #1d2228; --accent: #6aa7ff; --bad: #ff8a80; --good: #6fd08c; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1.5rem 1rem 4rem; max-width: 62rem; background: var(--back); color: var(--ink);
  font: 1rem/1.5 system-ui, sans-serif; }
h1 { font-size: 1.5rem; margin: 0 0 .25rem; overflow-wrap: anywhere; }
h2 { font-size: 1.2rem; margin: 2.5rem 0 .5rem; padding-top: .75rem; border-top: 1px solid var(--line); }
h3 { font-size: 1rem; margin: 0; }
p { margin: .25rem 0 .75rem; max-width: 46rem; }
a { color: var(--accent); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.skip { position: absolute; left: -100vw; } .skip:focus { position: static; }
nav ul { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; list-style: none; padding: 0; margin: .75rem 0 0; }
.faint { color: var(--faint); font-size: .9rem; }
.wide { overflow-x: auto; margin: .5rem 0 1rem; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
caption { text-align: left; font-weight: 600; padding-bottom: .25rem; }
th, td { padding: .2rem .75rem .2rem 0; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); }
th { font-weight: 600; } thead th { color: var(--faint); font-size: .9rem; white-space: nowrap; }
tbody th { font-weight: 400; overflow-wrap: anywhere; max-width: 24rem; }
.number { text-align: right; white-space: nowrap; }
.shaded { padding: .3rem .7rem; text-align: right; border: 1px solid var(--line);
  background: color-mix(in srgb, var(--shade) calc(var(--share) * 45%), var(--back)); }
.right { --shade: var(--good); } .wrong { --shade: var(--bad); }
.said { color: var(--bad); } .gold, .hit { color: var(--good); font-weight: 600; }
article { background: var(--panel); border: 1px solid var(--line); border-radius: .4rem; padding: .6rem .9rem;
  margin: 0 0 .75rem; }
article .wide { margin: 0; }
ol { margin: .35rem 0; padding-left: 2rem; } li { overflow-wrap: anywhere; }
dl { margin: .25rem 0 0; display: grid; grid-template-columns: max-content 1fr; gap: .15rem .75rem; }
dt { color: var(--faint); } dd { margin: 0; overflow-wrap: anywhere; min-width: 0; }
details { margin: .5rem 0; } summary { cursor: pointer; }
svg { max-width: 100%; height: auto; } svg text { fill: var(--ink); font: 12px system-ui, sans-serif; }
.axis { stroke: var(--faint); fill: none; } .grid { stroke: var(--line); fill: none; }
.ideal { stroke: var(--faint); stroke-dasharray: 5 4; fill: none; }
.bar { fill: var(--accent); fill-opacity: .55; stroke: var(--accent); } .gap { stroke: var(--bad); stroke-width: 2.5; }
.span { stroke: var(--ink); stroke-width: 2; } .track { fill: var(--line); } .dot { fill: var(--accent); }
.word { padding: 0 .15rem; border-radius: .2rem; display: inline-block; max-width: 100%; overflow-wrap: anywhere;
  --shade: var(--accent); background: color-mix(in srgb, var(--shade) calc(var(--share) * 45%), transparent); }
.unknown { text-decoration: underline dotted; }
@media (max-width: 34rem) { dl { grid-template-columns: 1fr; gap: 0; } dd { margin-bottom: .4rem; } }
@media print { .skip, nav { display: none; } article { break-inside: avoid; } }
"""

# A text that found a way into the markup could still load and run nothing.
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"


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
    """The whole page.

    title: plain text.
    introduction: HTML below the title.
    """
    links = "".join(f'<li><a href="#{part.name}">{escape(part.title)}</a></li>' for part in sections)
    bodies = "".join(
        f'<section id="{part.name}" aria-labelledby="{part.name}-title"><h2 id="{part.name}-title">'
        f"{escape(part.title)}</h2>\n{part.body}</section>\n"
        for part in sections
    )
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta name="referrer" content="no-referrer">'
        f"<title>{escape(visible(title))}</title><style>{_STYLE}</style></head>\n"
        f'<body><a class="skip" href="#main">Skip to the figures</a>\n<header><h1>{shown(title)}</h1>{introduction}'
        f'<nav aria-label="Sections"><ul>{links}</ul></nav></header>\n<main id="main">\n{bodies}</main></body></html>\n'
    )


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


def _row(cells: Sequence[str], kinds: Sequence[str]) -> str:
    first, *others = cells
    rest = "".join(f"<td{kind}>{cell}</td>" for cell, kind in zip(others, kinds[1:], strict=True))
    return f'<tr><th scope="row">{first}</th>{rest}</tr>\n'
