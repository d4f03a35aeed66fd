"""What was understood of a user's file, in lines for people."""

from __future__ import annotations

import heapq
import math
import textwrap
from collections.abc import Iterator, Mapping, Sequence

from readhead.counted import counted
from readhead.data.summary import Summary, Tally

SHOWN_LABELS = 10  # the most frequent, where there are more
COLUMNS = 80  # of the narrowest terminal that lines are made for
FEW = 50  # rows or questions of dev, of which a figure is known to fourteen points
_WIDEST = 24  # columns that a label may take


def understood(columns: Mapping[str, str], train: Tally, dev: Tally, *, dev_from: str) -> list[str]:
    """Lines of at most 80 columns: columns, rows, lengths, duplicates, labels, their balance, overlap.

    columns: by what it is taken for (`text`, `label`), the column's name.
    train, dev: both splits, counted.
    dev_from: where dev comes from, in words.
    """
    splits = {"train": train.summary(), "dev": dev.summary()}
    named = ", ".join(f"{field} = '{name}'" for field, name in columns.items())
    lines = textwrap.wrap(f"columns: {named}", COLUMNS, subsequent_indent="  ")
    lines.append(f"dev: {dev_from}")
    for name, summary in splits.items():
        lines += _about(name, summary)
    lines += _small(splits["dev"])
    labels = splits["train"].labels
    if labels:
        lines += [*_table(labels, splits["dev"].labels), _balance(labels)]
    shared = dev.shared_with(train)
    stand = "stands" if shared == 1 else "stand"
    return [*lines, f"overlap: {f'{shared:,}' if shared else 'none'} of dev's texts {stand} in train too"]


def _about(split: str, summary: Summary) -> Iterator[str]:
    yield f"{split}: {counted(summary.rows, 'row')}"
    for field, found in summary.lengths.items():
        empty = f", {found.empty:,} empty" if found.empty else ""
        yield f"  {field}: {found.shortest} to {counted(found.longest, 'word')}, median {found.median:.0f}{empty}"
    if summary.questions is not None:
        asked = summary.questions
        yield f"  {counted(asked.total, 'question')}, {asked.unanswered:,} of them with wrong candidates only"
    if summary.duplicates:
        other = f", {summary.contradictions:,} with another label" if summary.contradictions else ""
        verb = "repeats" if summary.duplicates == 1 else "repeat"
        yield f"  {counted(summary.duplicates, 'row')} {verb} the texts of an earlier one{other}"


def _small(dev: Summary) -> Iterator[str]:
    known_by = dev.rows if dev.questions is None else dev.questions.total
    if dev.labels and known_by < FEW:
        off = min(50, 98 / math.sqrt(known_by))  # half of a 95 % interval, of ones and zeros as often
        yield f"dev is small: its figures may be {off:.0f} points off"


def _table(train: Mapping[str, int], dev: Mapping[str, int]) -> Iterator[str]:
    shown = set(heapq.nlargest(SHOWN_LABELS, train, key=lambda label: train[label]))
    width, total = max(5, *(len(_short(label)) for label in shown)), sum(train.values())
    yield f"  {'label':<{width}}  {'train':>9}  {'share':>7}  {'dev':>7}"
    for label, count in train.items():
        if label in shown:
            yield f"  {_short(label):<{width}}  {count:>9,}  {count / total:>7.1%}  {dev.get(label, 0):>7,}"
    if len(train) > len(shown):
        rest = [count for label, count in train.items() if label not in shown]
        yield f"  and {counted(len(rest), 'more label')}, of {min(rest):,} to {counted(max(rest), 'row')}"


def _short(label: str) -> str:
    label = " ".join(label.split())
    return label if len(label) <= _WIDEST else label[: _WIDEST - 1] + "…"


def _balance(labels: Mapping[str, int]) -> str:
    ordered: Sequence[str] = sorted(labels, key=lambda label: labels[label])
    ratio, share = labels[ordered[-1]] / labels[ordered[0]], labels[ordered[-1]] / sum(labels.values())
    return f"balance: {ratio:.1f} to 1; always saying the most frequent label is right in {share:.1%}"
