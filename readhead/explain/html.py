"""An explanation as HTML: a fragment for somebody's page, or one file that needs nothing else."""

from __future__ import annotations

import json
from html import escape

from readhead.errors import InputError
from readhead.explain.answer_pictures import order
from readhead.explain.asset import asset
from readhead.explain.marks import legend
from readhead.explain.page import paragraph, record_in, shown, table, whole
from readhead.explain.picture import WIDE, Picture
from readhead.explain.pictures import pictures
from readhead.explain.printable import visible
from readhead.explain.ranking import RankingExplained, answering, relevance
from readhead.explain.record import Answer, Explanation, Surprise, TextRead

NARROW = 328  # of a telephone's page, in pixels
MOST_CANDIDATES = 20  # of a ranking, that are shown with their pictures

STYLE = asset("tokens.css", "parts.css", "pictures.css", "explanation.css")
SCRIPT = asset("explanation.js")

NOT_ALONE = "Attention is no explanation by itself: a word may be looked at and change nothing."
RESTS_ON = {
    True: "What the answer rests on is what the attribution tells.",
    False: "What each word adds to the answer is told by an attribution, which was not asked for here.",
}


def fragment(explanation: Explanation | RankingExplained, *, level: int = 2) -> str:
    """The texts, the answer and every picture, for a page that has `STYLE`, and `SCRIPT` to bring them to life.

    level: of its headings, from 2 to 6.
    """
    told = _ranking(explanation, level) if isinstance(explanation, RankingExplained) else _reading(explanation, level)
    return f'<div class="readhead explanation">\n{told}</div>\n'


def document(explanation: Explanation | RankingExplained, *, about: str = "") -> str:
    """One HTML file that loads nothing, with the record in it, which `read` takes out again.

    about: a sentence on what read this, as plain text.
    """
    return whole(
        _title(explanation),
        (paragraph(about, faint=True) if about else "") + _contents(explanation),
        fragment(explanation),
        style=STYLE + asset("page.css"),
        script=SCRIPT,
        record=explanation.to_json(),
    )


def read(page: str) -> Explanation | RankingExplained:
    """The explanation that a `document` was made from, up to its rounding.

    Raises: InputError if there is none in the page.
    """
    record = record_in(page)
    if record is None:
        raise InputError("expected a page that `readhead explain --html` wrote; this one holds no record")
    kind = RankingExplained if "ranking" in json.loads(record) else Explanation
    return kind.from_json(record)


def _contents(explanation: Explanation | RankingExplained) -> str:
    if isinstance(explanation, RankingExplained):
        return ""
    links = "".join(
        f'<li><a href="#{picture.name}">{escape(picture.title)}</a></li>' for picture in pictures(explanation)
    )
    return f'<nav aria-label="Pictures"><ul>{links}</ul></nav>'


def _title(explanation: Explanation | RankingExplained) -> str:
    if isinstance(explanation, RankingExplained):
        return f"Ranked: {explanation.question}"
    if isinstance(explanation.answer, Answer):
        return f"Answer: {explanation.answer.label}"
    if isinstance(explanation.answer, Surprise):
        return f"Perplexity: {explanation.answer.perplexity:.1f}"
    return f"Right with probability {explanation.answer.score:.2f}"


def _reading(explanation: Explanation, level: int, within: str = "") -> str:
    texts = "".join(_text(name, read, name in explanation.truncated) for name, read in explanation.texts.items())
    figures = "".join(_figure(picture, level, within) for picture in pictures(explanation))
    signs = legend(explanation)
    told = paragraph(f"{signs}.", faint=True) if signs else ""
    rests_on = RESTS_ON[explanation.attributed is not None]
    warning = paragraph(f"{NOT_ALONE} {rests_on}", faint=True) if explanation.attention else ""
    return f"<dl>{texts}</dl>\n{told}{figures}{warning}"


def _text(name: str, read: TextRead, truncated: bool) -> str:
    count = sum(offset is not None for offset in read.offsets)
    cut = (
        f' <strong class="said">Too long for this reader: it read the first {count:,} words.</strong>'
        if truncated
        else ""
    )
    return f"<dt>{shown(name)}</dt><dd>{shown(read.text) if read.text.strip() else '(empty)'}{cut}</dd>"


def _figure(picture: Picture, level: int, within: str = "") -> str:
    title = escape(picture.title)
    steps = f' data-steps="{picture.steps}"' if picture.steps else ""
    kind = f"{picture.name.partition('-')[0]}-figure"
    return (
        f'<figure id="{within}{picture.name}" class="{kind}" aria-label="{title}"{steps}>\n'
        f"<h{level}>{title}</h{level}>\n"
        f"{_controls(picture)}{_readout(picture)}{_canvases(picture)}{_slots(picture)}"
        f'<figcaption class="faint">{escape(picture.caption)}</figcaption>{_numbers(picture)}</figure>\n'
    )


def _canvases(picture: Picture) -> str:
    """The drawing; where it is laid out for a width, a second one for narrow pages, of which the style shows one."""
    if not picture.flows:
        return _canvas(picture, picture.draw(WIDE), "canvas")
    return _canvas(picture, picture.draw(WIDE), "canvas roomy") + _canvas(picture, picture.draw(NARROW), "canvas tight")


def _canvas(picture: Picture, drawn: str, kind: str) -> str:
    # What may be wider than the page can be scrolled by keyboard, unless it has places of its own to go to.
    stop = "" if 'tabindex="' in drawn else ' tabindex="0"'
    return f'<div class="{kind}" role="region" aria-label="{escape(picture.title)}"{stop}>{drawn}</div>\n'


def _controls(picture: Picture) -> str:
    if not picture.steps:
        return ""
    last = picture.steps
    return (
        '<div class="controls" role="group" aria-label="Steps"><button type="button" data-do="back">Back</button>'
        '<button type="button" data-do="play">Play</button><button type="button" data-do="on">On</button>'
        f'<input type="range" min="1" max="{last}" value="{last}" step="1" aria-label="Step"></div>\n'
    )


def _readout(picture: Picture) -> str:
    # Those who cannot see it are told by what they visit.
    hint = escape(picture.readout or "")
    return f'<p class="readout faint" aria-hidden="true" data-hint="{hint}">{hint}</p>\n' if hint else ""


def _slots(picture: Picture) -> str:
    if not picture.slots:
        return ""
    items = "".join(
        f'<li data-word="{escape(slot.word)}" data-writes="{" ".join(map(str, slot.writes))}"'
        f"{' class=now' if picture.steps - 1 in slot.writes else ''}><bdi>{escape(slot.holds)}</bdi></li>"
        for slot in picture.slots
    )
    return f'<ul class="slots" aria-label="The memory, slot by slot">{items}</ul>\n'


def _numbers(picture: Picture) -> str:
    if picture.numbers is None:
        return ""
    rows = [[_cell(cell) for cell in row] for row in picture.numbers.rows]
    told = table(picture.title, picture.numbers.header, rows)
    return f"<details><summary>The same as a table</summary>{told}</details>"


def _cell(text: str) -> str:
    return escape(text) if text.isascii() else f"<bdi>{escape(visible(text))}</bdi>"


def _ranking(explained: RankingExplained, level: int) -> str:
    count = len(explained.candidates)
    few = f" The first {MOST_CANDIDATES} have pictures." if count > MOST_CANDIDATES else ""
    items = "".join(
        f'<li value="{rank}">{_candidate(candidate, level + 1, rank)}</li>\n'
        for rank, candidate in enumerate(explained.candidates, start=1)
    )
    return (
        f"<dl><dt>question</dt><dd>{shown(explained.question)}</dd></dl>\n"
        f"{_figure(order(explained), level)}"
        f"<h{level}>Candidate by candidate</h{level}>\n"
        f"{paragraph(f'{count:,} candidates, the likeliest answer first; each opens.{few}', faint=True)}"
        f'<ol class="ranking">{items}</ol>\n'
    )


def _candidate(candidate: Explanation, level: int, rank: int) -> str:
    told = f"<b>{relevance(candidate):.2f}</b> {shown(answering(candidate).text)}"
    if rank > MOST_CANDIDATES:
        return told
    body = _reading(candidate, level, f"candidate-{rank}-")
    return f"<details{' open' if rank == 1 else ''}><summary>{told}</summary>{body}</details>"
