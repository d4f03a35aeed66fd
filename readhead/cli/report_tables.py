"""What `readhead report` prints: how far words look, which words are read, several runs' answers side by side."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from readhead.cli.table import print_table
from readhead.explain.accesses import Access
from readhead.explain.distances import Group, Spread
from readhead.explain.over_corpus import Counted
from readhead.explain.printable import visible
from readhead.prediction.side_by_side import Beside

SHOWN = 10  # words that are read most, and as many that are read least
FEW = 5  # tokens: words with fewer prove little, and are left out where enough others remain


def counted_json(counted: Counted, which: Sequence[str]) -> dict[str, Any]:
    """The reports of one run's attention as plain data. which: their names."""
    accesses = counted.accesses
    reports = {
        "distance": [asdict(spread) for spread in counted.distances.spreads()],
        "words": {name: [_access(one) for one in accesses.kinds(name)] for name in accesses.attentions},
        "slots": {name: [_access(one) for one in accesses.words(name)] for name in accesses.attentions},
    }
    return {"n": counted.readings, **{name: told for name, told in reports.items() if name in which}}


def _access(access: Access) -> dict[str, Any]:
    return {**asdict(access), "preference": access.preference}


def print_counted(counted: Counted, which: Sequence[str]) -> None:
    """The same as tables."""
    texts = f"{counted.readings:,} text{'s' * (counted.readings != 1)}"
    print(f"Attention over {texts}; 'even' is what it would be if it preferred nothing.")
    for spread in counted.distances.spreads() if "distance" in which else ():
        _print_spread(spread)
    for name in counted.accesses.attentions:
        if "words" in which:
            title = f"{name}: content words, function words and signs"
            _print_accesses(title, "kind", counted.accesses.kinds(name))
        if "slots" in which:
            _print_slots(name, counted.accesses.words(name))


def _print_spread(spread: Spread) -> None:
    ahead = any(group.ahead for group in spread.groups)
    rows = [
        (_distance(group, directed=ahead), f"{group.share:.1%}", f"{group.even:.1%}", "█" * round(30 * group.share))
        for group in spread.groups
    ]
    print(f"\n{spread.attention}: how far a word looks")
    print_table("", ("tokens", "attention", "even", ""), rows, numbers=(1, 2))
    print(f"On average {spread.mean:.1f} tokens away; {spread.even_mean:.1f} if it were even.")
    if spread.elsewhere >= 0.005:
        print(f"Beside this, {spread.elsewhere:.0%} of the attention went to an empty place before the text.")


def _distance(group: Group, *, directed: bool) -> str:
    if group.high == 0:
        return "itself"
    span = f"{group.low} and more" if group.high is None else f"{group.low}"
    span += f" to {group.high}" if group.high is not None and group.high > group.low else ""
    return span + (" ahead" if group.ahead else " back") * directed


def _print_slots(name: str, words: Sequence[Access]) -> None:
    often = [access for access in words if access.tokens >= FEW]
    told, chosen = (f", of those with {FEW} tokens or more", often) if len(often) >= 2 * SHOWN else ("", words)
    most = chosen[:SHOWN]
    _print_accesses(f"{name}: the words that are read most{told}", "word", most)
    if least := chosen[len(most) :][-SHOWN:]:
        _print_accesses(f"{name}: the words that are read least{told}", "word", least)


def _print_accesses(title: str, what: str, accesses: Sequence[Access]) -> None:
    rows = [
        (
            visible(access.what),
            f"{access.tokens:,}",
            f"{access.share:.1%}",
            f"{access.even:.1%}",
            f"{access.preference:.2f}",
            f"{access.most_read / access.tokens:.2f}",
        )
        for access in accesses
    ]
    columns = (what, "tokens", "attention", "even", "times even", "read most by")
    print(f"\n{title}")
    print_table("", columns, rows, numbers=(1, 2, 3, 4, 5))


def beside_json(runs: Sequence[Path], beside: Sequence[Beside]) -> dict[str, Any]:
    """Several runs' answers as plain data, a row for each example."""
    rows = [
        {"texts": one.example.texts, "label": one.example.label, "answers": list(one.answers), "right": one.right}
        for one in beside
    ]
    return {"runs": [str(run) for run in runs], "n": len(beside), "rows": rows}


def print_beside(runs: Sequence[Path], beside: Sequence[Beside]) -> None:
    """The same as a table, with the labels shortened to their first letters where these tell them apart."""
    labels = {str(one.example.label) for one in beside} | {answer["label"] for one in beside for answer in one.answers}
    shorter = _shortened(sorted(labels))
    numbers = [str(number) for number in range(1, len(runs) + 1)]
    print_table("", ("", "texts", *numbers, "right"), _beside_rows(beside, shorter), numbers=(0,))
    print()
    for place, run in enumerate(runs):
        right = sum(one.right[place] for one in beside)
        print(f"{numbers[place]} = {visible(str(run))}: {right} of {len(beside)} right")
    if any(short != label for label, short in shorter.items()):
        print(", ".join(f"{short} = {visible(label)}" for label, short in shorter.items()))


def _beside_rows(beside: Sequence[Beside], shorter: Mapping[str, str]) -> Iterator[tuple[str, ...]]:
    for number, one in enumerate(beside, start=1):
        texts = [text if isinstance(text, str) else " ".join(text) for text in one.example.texts.values()]
        answers = [
            shorter[answer["label"]] + " ✗" * (not right) for answer, right in zip(one.answers, one.right, strict=True)
        ]
        yield str(number), "\n".join(map(visible, texts)), *answers, shorter[str(one.example.label)]


def _shortened(labels: Sequence[str]) -> dict[str, str]:
    """Each label's first letter as a capital, as the paper's table has them; whole labels if two begin alike."""
    letters = [label[:1].upper() for label in labels]
    return dict(zip(labels, letters if len(set(letters)) == len(letters) else labels, strict=True))
