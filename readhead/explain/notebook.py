"""An explanation as a piece of HTML for a notebook's cell: no script, no link, no style that reaches beyond it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape

import numpy as np
from jaxtyping import Float

from readhead.explain.printable import visible
from readhead.explain.ranking import RankingExplained, answering, relevance
from readhead.explain.record import Answer, Explanation, Relevance, Surprise, TextRead, sides

LONGEST = 2_000  # letters of a text
MOST = 40  # rows and columns of a matrix, and words of a surprise, that are drawn
FROM = 0.05  # the least weight that has its number written

_BLUE, _BROWN = "31, 119, 180", "166, 97, 26"
_WHOLE = "font-family: sans-serif; font-size: 13px; overflow-x: auto; line-height: 1.5"
_CELL = "padding: 2px 5px; text-align: center; border: 1px solid rgba(128, 128, 128, 0.25)"
_WORD = "padding: 2px 6px; text-align: right; font-weight: normal; white-space: nowrap"
_FAINT = "opacity: 0.65"


def ranking(explained: RankingExplained) -> str:
    """The candidates in their order, each with its score; of a long list the beginning."""
    rows = [(_bar(relevance(one)), shown(answering(one).text[:LONGEST])) for one in explained.candidates[:MOST]]
    hidden = len(explained.candidates) - MOST
    more = f'<div style="{_FAINT}">… and {hidden:,} more</div>' if hidden > 0 else ""
    return f'<div style="{_WHOLE}"><b>{shown(explained.question[:LONGEST])}</b>{table(rows)}{more}</div>'


def fragment(explanation: Explanation) -> str:
    """The texts, the answer, and every attention as a table whose cells are the bluer the more weight they have."""
    parts = [
        *(_text(name, read, name in explanation.truncated) for name, read in explanation.texts.items()),
        _answer(explanation.answer, explanation.texts),
        *_attribution(explanation),
        *(_attention(name, explanation.texts, weights) for name, weights in explanation.attention.items()),
    ]
    return f'<div style="{_WHOLE}">' + "".join(parts) + "</div>"


def shown(text: str) -> str:
    """A user's text, escaped; its control codes as pictures, and its direction kept to itself."""
    return f"<bdi>{escape(visible(text))}</bdi>"


def table(rows: Sequence[tuple[str, str]]) -> str:
    """Names on the left, what is told of each on the right; both are HTML already."""
    cells = "".join(
        f'<tr><th style="{_WORD}">{name}</th><td style="text-align: left">{told}</td></tr>' for name, told in rows
    )
    return f"<table>{cells}</table>"


def _text(name: str, read: TextRead, truncated: bool) -> str:
    count = sum(offset is not None for offset in read.offsets)
    cut = f' <span style="{_FAINT}">(too long: the first {count} words were read)</span>' if truncated else ""
    return f"<div><b>{shown(name)}</b>&ensp;{shown(read.text[:LONGEST])}{'…' * (len(read.text) > LONGEST)}{cut}</div>"


def _answer(answer: Answer | Surprise | Relevance, texts: Mapping[str, TextRead]) -> str:
    if isinstance(answer, Relevance):
        return table([("<b>right with probability</b>", _bar(answer.score))])
    if isinstance(answer, Surprise):
        return _surprise(answer, texts)
    chosen = {label: f"<b>{shown(label)}</b>" if label == answer.label else shown(label) for label in answer.scores}
    groups = [(shown(name), _bar(share)) for name, share in answer.groups.items()]
    return table([*((chosen[label], _bar(score)) for label, score in answer.scores.items()), *groups])


def _bar(share: float) -> str:
    width = round(160 * min(max(share, 0.0), 1.0))
    bar = f"display: inline-block; height: 9px; width: {width}px; background: rgb({_BLUE})"
    return f'<span style="{bar}"></span> {share:.2f}'


def _surprise(answer: Surprise, texts: Mapping[str, TextRead]) -> str:
    """The words in a row, the bluer the more surprising; how many bits stands in each one's tooltip."""
    (read,) = texts.values()
    highest = max(answer.surprisal, default=0.0) or 1.0
    words = [
        f'<span title="{bits:.1f} bits" style="{_shade(bits / highest)}; padding: 2px">{shown(token)}</span>'
        for token, bits in zip(read.tokens[1 : MOST + 1], answer.surprisal, strict=False)
    ]
    told = f"perplexity {answer.perplexity:.1f}; darkest = {highest:.1f} bits"
    return f"<div><b>{told}</b></div><div>{' '.join(words)}{_more(len(answer.surprisal))}</div>"


def _attribution(explanation: Explanation) -> Iterator[str]:
    """The words in a row, blue for the answer and brown against it; how many bits stands in each one's tooltip."""
    if explanation.attributed is None:
        return
    yield f"<div><b>what the probability of {shown(explanation.attributed.of)} rests on</b></div>"
    greatest = max(float(np.abs(shares).max(initial=0.0)) for shares in explanation.attribution.values()) or 1.0
    for name, read in explanation.texts.items():
        words = [
            f'<span title="{share:+.2f} bits" style="{_shade(abs(share) / greatest, _BROWN if share < 0 else _BLUE)}; '
            f'padding: 2px">{shown(token)}</span>'
            for token, share in zip(read.tokens[:MOST], explanation.attribution[name].tolist(), strict=False)
        ]
        yield f"<div>{' '.join(words)}{_more(len(read.tokens))}</div>"


def _attention(name: str, texts: Mapping[str, TextRead], weights: Float[np.ndarray, "T S"]) -> str:
    rows, columns = (texts[side].tokens for side in sides(name))
    head = "".join(f'<th style="{_WORD}; text-align: center">{shown(word)}</th>' for word in columns[:MOST])
    body = "".join(_row(word, columns, row) for word, row in zip(rows[:MOST], weights, strict=False))
    title = f"<div><b>{shown(name.replace('->', ' → '))}</b>{_more(len(rows))}{_more(len(columns), 'columns')}</div>"
    return f"{title}<table style='border-collapse: collapse'><tr><th></th>{head}</tr>{body}</table>"


def _row(word: str, columns: Sequence[str], weights: Float[np.ndarray, " S"]) -> str:
    cells = "".join(_cells(word, columns, weights))
    return f'<tr><th style="{_WORD}">{shown(word)}</th>{cells}</tr>'


def _cells(word: str, columns: Sequence[str], weights: Float[np.ndarray, " S"]) -> Iterator[str]:
    for column, weight in zip(columns[:MOST], weights.tolist(), strict=False):
        tip = escape(f"{visible(word)} → {visible(column)}: {weight:.3f}")
        number = f"{weight:.2f}".removeprefix("0") if weight >= FROM else ""
        yield f'<td title="{tip}" style="{_CELL}; {_shade(weight)}">{number}</td>'


def _shade(weight: float, colour: str = _BLUE) -> str:
    share = min(max(weight, 0.0), 1.0)
    letters = "; color: white" if share > 0.6 else ""
    return f"background: rgba({colour}, {share:.2f}){letters}"


def _more(count: int, what: str = "words") -> str:
    return f' <span style="{_FAINT}">(of {count:,} {what}, the first {MOST} are shown)</span>' if count > MOST else ""
