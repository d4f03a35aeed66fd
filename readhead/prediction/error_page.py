"""An evaluation as one HTML page: `readhead evaluate --errors FILE.html`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from itertools import groupby

import numpy as np

from readhead.explain.charts import reliability_diagram, span
from readhead.explain.page import Section, document, paragraph, scrolling, shade, shown, table
from readhead.prediction.bootstrap import RESAMPLES, Interval
from readhead.prediction.comparison import Comparison, in_words
from readhead.prediction.error_lines import surest, texts_of
from readhead.prediction.evaluation import Evaluation
from readhead.prediction.slices import FEW, LABEL, LENGTH, Slice
from readhead.prediction.surprises import costly_words, surprising_texts, surprising_words
from readhead.run import Run
from readhead.tasks.answer_selection import AnswerSelectionReport
from readhead.tasks.classification_report import ClassificationReport
from readhead.tasks.language_modelling import LanguageModelReport
from readhead.tasks.task import Verdict

WORST = 200  # errors, questions or texts that a page shows
ONLY = 50  # examples that one run alone gets right, for each of two
WIDEST = 30  # labels that a confusion is shown for as a table
PAIRS = 50  # of labels that are confused, where it is not
WORDS = 100  # of a surprising text that are shown
CANDIDATES = 5  # of a question that are shown, with all right ones

WRITTEN_OUT = {
    "ece": "calibration error (ECE)",
    "calibrated_loss": "calibrated loss (nats)",
    "map": "mean average precision",
    "mrr": "mean reciprocal rank",
    "loss": "loss (nats a word)",
    "group_accuracy": "accuracy by group",
}
COUNTED = {
    "questions": "Questions",
    "left_out": "Left out, since none of their candidates is right",
    "in_no_group": "Left out of the accuracy by group, since their label is in none",
}


@dataclass(frozen=True, slots=True)
class Findings:
    """All that is told of a run.

    run, measured: what was scored, and how it did.
    intervals: of each figure.
    slices: the main figure by parts.
    against: a second run; None if there is none.
    """

    run: Run
    measured: Evaluation
    intervals: Mapping[str, Interval | None]
    slices: Sequence[Slice]
    against: Comparison | None = None


def error_page(found: Findings) -> str:
    """The page."""
    name, data = str(found.run.files.folder), found.measured.data
    counted = f"{len(found.measured.examples):,} {found.run.task.unit}"
    told = paragraph(f"The run {name}, scored on {data}: {counted}. {_about(found)}", faint=True)
    return document(f"{name} on {data}", told, list(_sections(found)))


def _about(found: Findings) -> str:
    told = [f"Intervals hold 95 % of {RESAMPLES:,} bootstrap resamples."]
    if found.measured.truncated:
        told.append(f"{found.measured.truncated:,} were cut after {found.run.recipe.text.max_tokens} words.")
    if found.measured.segment is not None:
        told.append(f"They are read as running text, {found.measured.segment} tokens a step.")
    if found.run.recipe.partial:
        told.append(f"Partial or mixed training data: {found.run.recipe.partial}.")
    return " ".join(told)


def _sections(found: Findings) -> Iterator[Section]:
    report = found.measured.report
    yield Section("figures", "Figures", _figures(found))
    if found.against is not None and found.against.exclusive is not None:
        yield Section("against", "Where the two runs differ", _exclusive(found, found.against))
    if isinstance(report, ClassificationReport):
        yield Section("confusion", "Confusion", _confusion(report))
        yield Section("calibration", "Calibration", _calibration(report))
    if found.slices:
        yield Section("slices", "Slices", "".join(_slices(found)))
    if isinstance(report, ClassificationReport):
        yield Section("errors", "Worst errors", _errors(found))
    elif isinstance(report, AnswerSelectionReport):
        yield Section("questions", "Worst questions", _questions(found.measured, report))
    elif isinstance(report, LanguageModelReport):
        yield Section("texts", "Most surprising texts", _texts(found))
        yield Section("words", "Most surprising words", _words(found))


def bracketed(interval: Interval | None, digits: int = 4, sign: str = "") -> str:
    """An interval as it is printed; nothing where there is none."""
    return "" if interval is None else f"[{interval[0]:{sign}.{digits}f}, {interval[1]:{sign}.{digits}f}]"


def _figures(found: Findings) -> str:
    metrics, against = found.measured.report.metrics, found.against
    each = {f"{kind}_{label}" for kind in ("precision", "recall") for label in found.run.task.labels}
    header = ["figure", "value", "95 % interval"]
    if against is not None:
        header += [against.name, "difference", "95 % interval of the difference"]
    rows = []
    for metric, value in metrics.items():
        if metric in each:
            continue
        row = [escape(WRITTEN_OUT.get(metric, metric)), f"{value:.4f}", bracketed(found.intervals.get(metric))]
        if against is not None and metric in against.differences:
            difference = against.differences[metric]
            row += [f"{against.measured.report.metrics[metric]:.4f}", f"{difference.value:+.4f}"]
            row.append(bracketed(difference.interval, sign="+"))
        rows.append(row + [""] * (len(header) - len(row)))
    counts = [f"{COUNTED[what]}: {count:,}." for what, count in found.measured.report.counts.items()]
    notes = [] if against is None else [f"Difference: this run less {against.name}.", *against.notes]
    below = "".join(paragraph(told, faint=True) for told in (*counts, *notes))
    return table("All figures", header, rows, numbers=range(1, len(header))) + below + _by_label(found)


def _by_label(found: Findings) -> str:
    report = found.measured.report
    if not isinstance(report, ClassificationReport):
        return ""
    rows = []
    for label, counts in zip(report.names, report.confusion, strict=True):
        names = [f"{kind}_{label}" for kind in ("precision", "recall")]
        cells = [
            cell for name in names for cell in (f"{report.metrics[name]:.3f}", bracketed(found.intervals[name], 3))
        ]
        rows.append([shown(label), f"{sum(counts):,}", *cells])
    header = ("label", "examples", "precision", "95 % interval", "recall", "95 % interval")
    told = table("By label", header, rows, numbers=range(1, 6))
    return told if found.against is None else told + _differences_by_label(report.names, found.against)


def _differences_by_label(names: Sequence[str], against: Comparison) -> str:
    rows = []
    for label in names:
        both = [against.differences[f"{kind}_{label}"] for kind in ("precision", "recall")]
        told = ["" if np.isnan(one.value) else f"{one.value:+.3f} {bracketed(one.interval, 3, '+')}" for one in both]
        rows.append([shown(label), *told])
    header = ("label", "precision, 95 % interval", "recall, 95 % interval")
    return table("By label, this run less the other", header, rows, numbers=(1, 2))


def _confusion(report: ClassificationReport) -> str:
    names, counts = report.names, np.array(report.confusion)
    if len(names) > WIDEST:
        confused = np.where(np.eye(len(names), dtype=bool), 0, counts)
        most = [divmod(int(place), len(names)) for place in confused.ravel().argsort(kind="stable")[::-1][:PAIRS]]
        rows = [[shown(names[g]), shown(names[a]), f"{counts[g, a]:,}"] for g, a in most if confused[g, a]]
        title = f"The {len(rows)} pairs of labels that were confused most often, of {len(names)} labels"
        return table(title, ("gold", "said", "examples"), rows, numbers=(2,))
    head = "".join(f'<th scope="col" class="number">{shown(name)}</th>' for name in names)
    body = "".join(
        _confused(name, place, row.tolist()) for place, (name, row) in enumerate(zip(names, counts, strict=True))
    )
    told = "What was said (columns) of each gold label (rows); the deeper the shade, the larger the share of its row."
    return scrolling(
        "Confusion",
        f"<table><caption>{told}</caption><thead><tr><th scope='col'>gold \\ said</th>{head}</tr></thead>"
        f"<tbody>{body}</tbody></table>",
    )


def _confused(name: str, place: int, counts: Sequence[int]) -> str:
    whole = sum(counts) or 1
    cells = "".join(
        f'<td class="shaded {"right" if column == place else "wrong"} {shade(count / whole)}" '
        f'title="{count / whole:.1%}">{count:,}</td>'
        for column, count in enumerate(counts)
    )
    return f'<tr><th scope="row">{shown(name)}</th>{cells}</tr>\n'


def _calibration(report: ClassificationReport) -> str:
    bins = [(one.low, one.high, one.n, one.sureness, one.accuracy) for one in report.reliability()]
    error = report.metrics["ece"]
    lies = sum((sure - right) * n for _, _, n, sure, right in bins)
    told = "it claims more than it keeps" if lies > 0 else "it claims less than it keeps"
    rows = [
        [f"{low:.2f} to {high:.2f}", f"{n:,}", f"{sure:.3f}", f"{right:.3f}", f"{right - sure:+.3f}"]
        for low, high, n, sure, right in bins
    ]
    return (
        paragraph(
            f"Expected calibration error (ECE): {error:.4f}. So far apart, on average, are the probability that an "
            f"answer claims and how often such answers are right; on the whole {told}. "
            "Bars should end on the dashed line."
        )
        + reliability_diagram(bins, title=f"Reliability diagram: expected calibration error {error:.4f}")
        + "<details><summary>The same in numbers</summary>"
        + table("Bins", ("probability", "answers", "mean claim", "right", "difference"), rows, numbers=range(1, 5))
        + "</details>"
    )


def _slices(found: Findings) -> Iterator[str]:
    figure = found.run.task.watched
    fields = [field for field in found.run.task.fields if field != found.run.task.several]
    told = {LENGTH: f"By length, in words ({' and '.join(fields)})", LABEL: "By gold label"}
    for by, group in groupby(found.slices, key=lambda part: part.by):
        parts = list(group)
        ends = [end for part in parts for end in (part.figure, *(part.interval or ()))]
        least, most = (
            (0.0, 1.0) if found.run.task.higher_is_better else (0.0, max(filter(np.isfinite, ends), default=1.0))
        )
        scale = f"{least:g} to {most:.0f}"
        header = (by, found.run.task.unit, figure, "95 % interval", scale)
        if isinstance(found.measured.report, AnswerSelectionReport):
            header = (by, "questions", figure, "95 % interval", scale)
        rows = [
            [
                shown(part.value),
                f"{part.n:,}",
                f"{part.figure:.3f}",
                bracketed(part.interval, 3),
                span(part.figure, *(part.interval or (part.figure,) * 2), least=least, most=most),
            ]
            for part in parts
        ]
        yield table(told.get(by, f"By {by}"), header, rows, numbers=(1, 2, 3))
    if any(part.n < FEW for part in found.slices):
        yield paragraph(f"An interval of fewer than {FEW} says little.", faint=True)


def _exclusive(found: Findings, against: Comparison) -> str:
    told, ours, theirs = against.exclusive, found.measured, against.measured
    assert told is not None
    rows = [
        ["both", f"{told.both:,}"],
        ["only this run", f"{len(told.only_first):,}"],
        [f"only {shown(against.name)}", f"{len(told.only_second):,}"],
        ["neither", f"{told.neither:,}"],
    ]
    what = "questions" if isinstance(ours.report, AnswerSelectionReport) else found.run.task.unit
    parts = [table("Who was right", ("right", what), rows, numbers=(1,)), paragraph(in_words(told))]
    for name, units, wrong in (
        ("this run", told.only_first.tolist(), theirs),
        (against.name, told.only_second.tolist(), ours),
    ):
        chosen = surest(wrong, units)[:ONLY]
        few = f" ({ONLY} are shown, what the other was surest of first)" if len(units) > ONLY else ""
        body = "".join(_both(ours, theirs, unit) for unit in chosen) or paragraph("None.")
        parts.append(f"<details><summary>Only {shown(name)} is right: {len(units):,}{few}</summary>{body}</details>")
    return "".join(parts)


def _both(ours: Evaluation, theirs: Evaluation, unit: int) -> str:
    first, second = ours.report.verdict(unit), theirs.report.verdict(unit)
    if first.index != second.index:
        said = f"{_first('this run', ours, first)}{_first('the other', theirs, second)}"
        question = {name: text for name, text in texts_of(ours.examples[first.index]).items() if name != "candidate"}
        return f"<article>{_texts_shown(question)}{said}</article>\n"
    said = (
        f"this run said {_said(first)}, the other {_said(second)}; gold <span class='gold'>{shown(first.gold)}</span>"
    )
    return _article(f"<h3>{said}</h3>", ours, first.index)


def _first(who: str, measured: Evaluation, verdict: Verdict) -> str:
    candidate = texts_of(measured.examples[verdict.index])["candidate"]
    mark = '<span class="hit">right</span>' if verdict.gold == verdict.answered else '<span class="said">wrong</span>'
    return f"<p>{who} puts first ({mark}, {verdict.probability:.2f}): {shown(candidate)}</p>"


def _said(verdict: Verdict) -> str:
    kind = "hit" if verdict.answered == verdict.gold else "said"
    return f'<span class="{kind}">{shown(verdict.answered)}</span> ({verdict.probability:.2f})'


def _article(heading: str, measured: Evaluation, place: int) -> str:
    example = measured.examples[place]
    tags = "".join(f" · {shown(tag)}: {shown(value)}" for tag, value in example.tags.items())
    origin = f'<span class="faint">{shown(example.origin)}{tags}</span>'
    return f"<article>{heading}{origin}{_texts_shown(texts_of(example))}</article>\n"


def _texts_shown(texts: Mapping[str, str]) -> str:
    return "<dl>" + "".join(f"<dt>{shown(name)}</dt><dd>{shown(text)}</dd>" for name, text in texts.items()) + "</dl>"


def _some(shown_now: int, whole: int, what: str) -> str:
    if shown_now < whole:
        told = f"{shown_now:,} of {whole:,} {what} are shown, the worst first; --errors FILE.jsonl has them all."
    else:
        told = f"All {whole:,} {what}, the worst first."
    return paragraph(told, faint=True)


def _errors(found: Findings) -> str:
    wrong = found.measured.report.mistakes
    if not wrong:
        return paragraph("None: every answer is right.")
    articles = [
        _article(
            f"<h3>said {_said(verdict)}, gold <span class='gold'>{shown(verdict.gold)}</span></h3>",
            found.measured,
            verdict.index,
        )
        for verdict in wrong[:WORST]
    ]
    return _some(len(articles), len(wrong), "wrong answers") + "".join(articles)


def _questions(measured: Evaluation, report: AnswerSelectionReport) -> str:
    precision = report.rankings.average_precision
    worst = precision.argsort(kind="stable").tolist()
    articles = [_question(measured, report, unit) for unit in worst[:WORST]]
    whole = len(precision)
    told = "All" if whole <= WORST else f"{WORST:,} of"
    return paragraph(
        f"{told} {whole:,} questions, the worst average precision first, each with its candidates as they were ranked: "
        f"the first {CANDIDATES}, and every right one.",
        faint=True,
    ) + "".join(articles)


def _question(measured: Evaluation, report: AnswerSelectionReport, unit: int) -> str:
    places = report.rankings.places[unit].tolist()
    question = texts_of(measured.examples[places[0]])["question"]
    ranks = [rank for rank, place in enumerate(places) if rank < CANDIDATES or report.right[place]]
    rows = []
    for rank in ranks:
        place = places[rank]
        mark = '<span class="hit">✓ right</span>' if report.right[place] else "wrong"
        text = texts_of(measured.examples[place])["candidate"]
        rows.append(f'<li value="{rank + 1}">{mark} ({report.likely[place]:.2f}): {shown(text)}</li>')
    hidden = len(places) - len(ranks)
    rest = f'<span class="faint">{hidden:,} more wrong candidates are not shown</span>' if hidden else ""
    heading = f"<h3>{shown(question)}</h3>"
    origin = shown(measured.examples[int(report.units[unit])].origin)
    told = f'<span class="faint">average precision {report.rankings.average_precision[unit]:.3f} · {origin}</span>'
    return f"<article>{heading}{told}<ol>{''.join(rows)}</ol>{rest}</article>\n"


def _texts(found: Findings) -> str:
    texts = surprising_texts(found.run, found.measured, WORST)
    highest = max((bits for text in texts for _, bits, _ in text.words), default=0.0) or 1.0
    articles = []
    for text in texts:
        words = " ".join(_word(word, bits, highest, unknown=unknown) for word, bits, unknown in text.words[:WORDS])
        if len(text.words) > WORDS:
            words += f' <span class="faint">… and {len(text.words) - WORDS:,} more words</span>'
        origin = shown(found.measured.examples[text.place].origin)
        articles.append(
            f"<article><h3>{text.bits:.1f} bits a word, perplexity {text.perplexity:,.1f}</h3>"
            f'<span class="faint">{origin}</span><p>{words}</p></article>\n'
        )
    whole = len(found.measured.examples)
    told = f"{len(articles):,} of {whole:,} texts" if len(articles) < whole else f"All {whole:,} texts"
    return paragraph(
        f"{told}, the most bits a word first. The bluer a word, the more surprising; the deepest is {highest:.1f} "
        "bits. Words with dots below are not in the vocabulary.",
        faint=True,
    ) + "".join(articles)


def _word(word: str, bits: float, highest: float, *, unknown: bool) -> str:
    kind = "shaded-word unknown" if unknown else "shaded-word"
    return f'<span class="{kind} {shade(bits / highest)}" title="{bits:.1f} bits">{shown(word)}</span>'


def _words(found: Findings) -> str:
    single = [
        [shown(one.word), f"{one.bits:.1f}", f"<span class='faint'>…</span> {shown(one.before)}", shown(one.origin)]
        for one in surprising_words(found.run, found.measured)
    ]
    costly = [
        [shown(one.word), f"{one.count:,}", f"{one.bits / one.count:.1f}", f"{one.bits:,.0f}"]
        for one in costly_words(found.run, found.measured)
    ]
    return table("The most surprising single words", ("word", "bits", "after", "in"), single, numbers=(1,)) + table(
        "The words that cost most in all",
        ("word", "times", "bits each", "bits in all"),
        costly,
        numbers=(1, 2, 3),
    )
