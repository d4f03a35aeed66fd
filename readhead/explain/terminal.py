"""An explanation in a terminal: readable in 80 columns, and without colour."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping
from itertools import zip_longest
from typing import Literal

import numpy as np
from jaxtyping import Float
from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from readhead.explain.alignment import LEGEND, grid, links
from readhead.explain.brackets import brackets
from readhead.explain.compositions import compositions, rewritten
from readhead.explain.marks import legend
from readhead.explain.printable import brief, isolate, pad, shorten, visible, wrap
from readhead.explain.ranking import RankingExplained, answering, relevance
from readhead.explain.record import Answer, Attributed, Explanation, Relevance, Surprise, TextRead, sides
from readhead.explain.shaded_words import LEGEND as SHARES
from readhead.explain.shaded_words import shaded_words

NARROWEST = 20
MOST_ROWS = 40  # of a matrix, and
MOST_TEXT_LINES = 8  # of a text: a reading of 10,000 words stays on a few screens

ELSEWHERE = "what a row lacks of 1 went to an empty place before the text"
_WHOLE = 0.99  # what a row sums to at least, but for rounding, if nothing of it went elsewhere

_EIGHTHS = " ▏▎▍▌▋▊▉"
_LONGEST_NAME = 12  # in cells, like every width here
_LONGEST_WORD = 16
_LONGEST_BAR = 40


def show(explained: Explanation | RankingExplained, console: Console) -> None:
    """Prints an explanation on a console, in its width and colours."""
    width = max(NARROWEST, console.width)
    lines = _ranking(explained, width) if isinstance(explained, RankingExplained) else _lines(explained, width)
    for line in lines:
        console.print(line, soft_wrap=True, highlight=False, markup=False, emoji=False)


def render(explained: Explanation | RankingExplained, *, width: int, colour: bool) -> str:
    """The lines that `show` prints.

    width: columns of the terminal; fewer than 20 count as 20.
    colour: whether escape sequences for colours may stand in it; the meaning is the same without.
    """
    file = io.StringIO()
    system: Literal["standard"] | None = "standard" if colour else None
    # No environment and no notebook: what is rendered depends on the arguments alone.
    console = Console(
        file=file, width=width, force_terminal=colour, color_system=system, force_jupyter=False, _environ={}
    )
    show(explained, console)
    return file.getvalue()


def _lines(explanation: Explanation, width: int) -> Iterator[Text]:
    margin = 2 + min(_LONGEST_NAME, max(cell_len(visible(name)) for name in explanation.texts))
    for name, read in explanation.texts.items():
        lines = _text(read, name in explanation.truncated, width - margin)
        for heading, line in zip_longest([visible(name)], lines, fillvalue=""):
            yield Text.assemble((pad(heading, margin - 2), "bold"), "  ", isolate(line))
    yield Text()
    if isinstance(explanation.answer, Surprise):
        yield from _surprise(explanation.answer, explanation.texts, width)
    elif isinstance(explanation.answer, Relevance):
        yield _relevance(explanation.answer, width)
    else:
        yield from _answer(explanation.answer, width)
    if explanation.attributed is not None:
        yield Text()
        yield from _attribution(explanation, explanation.attributed, width)
    for name, weights in explanation.attention.items():
        yield Text()
        yield from _attention(name, explanation.texts, weights, width)
        yield from _memory(explanation, name, width)
    if explanation.attention:
        yield Text()
        yield from (Text(line, style="dim") for line in wrap(LEGEND, width))
    yield from (Text(line, style="dim") for line in wrap(legend(explanation), width))
    if any(_lacks(weights) for weights in explanation.attention.values()):
        yield from (Text(line, style="dim") for line in wrap(ELSEWHERE, width))


def _lacks(weights: Float[np.ndarray, "T S"]) -> bool:
    """Whether a word that looks at any looks elsewhere too."""
    sums = weights.sum(axis=1)
    return bool(((sums > 0) & (sums < _WHOLE)).any())


def _text(read: TextRead, truncated: bool, width: int) -> list[str]:
    """A text in lines, the end of a long one counted, and a note if the reader did not read all of it."""
    lines = wrap(visible(read.text).strip() or "(empty)", width)
    if len(lines) > MOST_TEXT_LINES:
        hidden = sum(len(line.split()) for line in lines[MOST_TEXT_LINES:])
        lines = [*lines[:MOST_TEXT_LINES], *wrap(f"… and {hidden} more words", width)]
    if truncated:
        count = sum(offset is not None for offset in read.offsets)
        lines += wrap(f"(too long for this reader: it read the first {count} words)", width)
    return lines


def _answer(answer: Answer, width: int) -> Iterator[Text]:
    """Each label with its score and a bar; the chosen one is marked. Below them groups of labels, if there are any."""
    yield from _bars(answer.scores, answer.label, width)
    if answer.groups:
        yield Text("")
        yield from _bars(answer.groups, max(answer.groups, key=lambda name: answer.groups[name]), width)


def _bars(shares: Mapping[str, float], chosen_one: str, width: int) -> Iterator[Text]:
    scores = {label: f"{score:.2f}" if abs(score) < 100 else f"{score:.0e}" for label, score in shares.items()}
    score_width = max(map(len, scores.values()))
    longest = max(cell_len(visible(label)) for label in scores)
    label_width = min(longest, width - score_width - 4)
    bar_width = min(_LONGEST_BAR, width - label_width - score_width - 6)
    for label, score in scores.items():
        chosen = label == chosen_one
        head = f"{'▸' if chosen else ' '} {pad(visible(label), label_width)}  {score:>{score_width}}"
        line = f"{head}  {_bar(shares[label], bar_width)}".rstrip()
        yield Text(line, style="bold green" if chosen else "")


def _relevance(answer: Relevance, width: int) -> Text:
    """How likely the candidate is right, with a bar."""
    score = f"{answer.score:.2f}"
    head = next(told for told in (f"right with probability {score}", f"right {score}") if len(told) + 4 <= width)
    return Text(f"{head}  {_bar(answer.score, min(_LONGEST_BAR, width - len(head) - 2))}".rstrip(), style="bold")


def _surprise(answer: Surprise, texts: Mapping[str, TextRead], width: int) -> Iterator[Text]:
    """Each token under the one before it, with its surprisal in bits and a bar."""
    (read,) = texts.values()
    for line in wrap(f"perplexity {answer.perplexity:.1f}; the surprisal of each word in bits", width):
        yield Text(line, style="bold")
    words = _words(read, width)[1:]
    shown = words[:MOST_ROWS]
    name_width = max(map(cell_len, shown), default=0)
    bar_width = min(_LONGEST_BAR, width - name_width - 9)
    highest = max(answer.surprisal, default=0.0) or 1.0
    for word, bits in zip(shown, answer.surprisal, strict=False):
        yield Text(isolate(f"  {pad(word, name_width)} {bits:4.1f}  {_bar(bits / highest, bar_width)}".rstrip()))
    if len(words) > MOST_ROWS:
        yield Text(shorten(f"  … and {len(words) - MOST_ROWS} more words", width))


def _bar(fraction: float, width: int) -> str:
    """A bar of up to `width` cells, exact to an eighth of one."""
    eighths = round(min(max(fraction, 0.0), 1.0) * max(width, 0) * 8)
    return "█" * (eighths // 8) + _EIGHTHS[eighths % 8]


def _attention(
    name: str,
    texts: Mapping[str, TextRead],
    weights: Float[np.ndarray, "T S"],
    width: int,
) -> Iterator[Text]:
    """A matrix under its title: as a grid if it is between two texts and fits, else as links."""
    row_name, column_name = sides(name)
    within = row_name == column_name
    looks = "where each word looks in its own text" if within else f"where each word of the {row_name} looks"
    for line in wrap(visible(f"{name.replace('->', ' → ')}: {looks}"), width):
        yield Text(isolate(line), style="bold")
    rows, columns = _words(texts[row_name], width), _words(texts[column_name], width)
    if not (rows and columns):
        yield Text("  (no words)")
        return
    shown, weights = rows[:MOST_ROWS], weights[:MOST_ROWS]
    lines = None if within else grid(shown, columns, weights, width)
    yield from lines or links(shown, columns, weights, width)
    if len(rows) > MOST_ROWS:
        yield Text(shorten(f"  … and {len(rows) - MOST_ROWS} more words", width))


def _attribution(explanation: Explanation, attributed: Attributed, width: int) -> Iterator[Text]:
    """What each word adds to the answer."""
    yield Text(isolate(shorten(f"what the probability of {brief(attributed.of, width)} rests on", width)), style="bold")
    greatest = max(float(np.abs(shares).max(initial=0.0)) for shares in explanation.attribution.values()) or 1.0
    for name, read in explanation.texts.items():
        if len(explanation.texts) > 1:
            yield Text(isolate(f"  {brief(name, width - 2)}"), style="dim")
        yield from shaded_words(_words(read, width), explanation.attribution[name], greatest, width, margin=2)
    yield from (Text(line, style="dim") for line in wrap(SHARES, width))


def _memory(explanation: Explanation, name: str, width: int) -> Iterator[Text]:
    """What was put together in it, if it is rewritten."""
    steps = compositions(explanation, name) if rewritten(explanation, name) else []
    if not steps:
        return
    yield Text()
    for line in wrap(visible(f"{name.replace('->', ' → ')}: what was put together in the memory"), width):
        yield Text(isolate(line), style="bold")
    yield from brackets(explanation.texts[sides(name)[1]].tokens, steps[:MOST_ROWS], width)
    if len(steps) > MOST_ROWS:
        yield Text(shorten(f"  … and {len(steps) - MOST_ROWS} more steps", width))


def _ranking(explained: RankingExplained, width: int) -> Iterator[Text]:
    """The order of the candidates, then the first one's reading."""
    for line in wrap(visible(explained.question).strip() or "(empty)", width)[:MOST_TEXT_LINES]:
        yield Text(isolate(line), style="bold")
    yield Text()
    bar = min(_LONGEST_BAR // 2, width // 4)
    for rank, candidate in enumerate(explained.candidates[:MOST_ROWS], start=1):
        score = relevance(candidate)
        head = f"{rank:>3}  {score:.2f}  {_bar(score, bar):<{bar}}  "
        yield Text(head + isolate(brief(answering(candidate).text.strip() or "(empty)", max(1, width - len(head)))))
    if len(explained.candidates) > MOST_ROWS:
        yield Text(shorten(f"  … and {len(explained.candidates) - MOST_ROWS} more candidates", width))
    if explained.candidates:
        yield Text()
        for line in wrap("the first one's reading; a page (--html FILE) has those of the others", width):
            yield Text(line, style="dim")
        yield Text()
        yield from _lines(explained.candidates[0], width)


def _words(read: TextRead, width: int) -> list[str]:
    """The tokens, printable, and so short that two of them and a number fit in a line."""
    return [brief(token, min(_LONGEST_WORD, width // 2 - 6)) for token in read.tokens]
