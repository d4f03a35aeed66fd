"""The page of an evaluation: what stands on it, and that a text on it stays a text."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import torch

from readhead.data.example import Example
from readhead.prediction.bootstrap import intervals
from readhead.prediction.comparison import compare
from readhead.prediction.error_page import ONLY, WORST, Findings, error_page
from readhead.prediction.evaluation import Evaluation
from readhead.prediction.slices import slices
from readhead.run import Run
from readhead.tasks.classification import PairClassification, TextClassification
from readhead.tasks.classification_report import classification_report

HOSTILE = '</dd><script>alert("1")</script><img src=x onerror=y>\x1b[2J\u202e\nnext'
VOID = {"meta", "path", "rect", "circle"}


class Outline(HTMLParser):
    """The elements of a page, each closed where it was opened."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def outline(page: str) -> Outline:
    parsed = Outline()
    parsed.feed(page)
    assert parsed.open == []
    return parsed


def evaluation(task: TextClassification, answers: torch.Tensor, gold: torch.Tensor, text: str) -> Evaluation:
    names = task.labels
    logits = torch.nn.functional.one_hot(answers, len(names)) * 2.0
    report = classification_report(logits, gold, names=names, temperature=1.0)
    examples = [
        Example(dict.fromkeys(task.fields, text), names[label], f"{text}:{place}", tags={"source": text})
        for place, label in enumerate(gold.tolist())
    ]
    return Evaluation(text, examples, report, {}, 2, {field: np.full(len(gold), 3) for field in task.fields})


def found(task: TextClassification, measured: Evaluation, other: Evaluation | None = None) -> Findings:
    run = SimpleNamespace(
        task=task,
        files=SimpleNamespace(folder=Path("runs/<b>")),
        recipe=SimpleNamespace(partial="half & half", text=SimpleNamespace(max_tokens=9)),
    )
    against = None if other is None else compare(measured, other, name="<i>other", notes=("a <note>",))
    bounds = intervals(measured.report.figures)
    return Findings(cast(Run, run), measured, bounds, slices(measured, task), against)


def page_of(count: int, names: tuple[str, ...], text: str = HOSTILE, **more: Any) -> str:
    task = PairClassification(labels=names)
    gold = torch.arange(count) % len(names)
    answers = torch.where(torch.arange(count) % 3 == 0, gold, (gold + 1) % len(names))
    return error_page(found(task, evaluation(task, answers, gold, text), **more))


def test_a_text_a_label_and_a_name_cannot_add_to_the_page() -> None:
    page = page_of(12, ("<script>", '"><b onload=x>'))
    tags = {tag for tag, _ in outline(page).seen}
    assert not tags & {"script", "img", "b", "i", "link", "iframe", "object"}
    assert not any(
        name.startswith("on") or name in {"src", "srcset"} for _, given in outline(page).seen for name in given
    )
    for raw in ("\x1b", "\u202e"):
        assert raw not in page
    assert "␛[2J" in page and "␊next" in page
    hrefs = [given["href"] for tag, given in outline(page).seen if tag == "a"]
    assert all(href is not None and href.startswith("#") for href in hrefs)
    assert "url(" not in page and "@import" not in page and "http:" not in page and "https:" not in page
    assert "default-src 'none'" in page


def test_every_part_is_there_and_can_be_reached() -> None:
    page = page_of(12, ("no", "yes"))
    seen = outline(page).seen
    ids = [given["id"] for _, given in seen if "id" in given]
    assert len(ids) == len(set(ids))
    links = [str(given["href"])[1:] for tag, given in seen if tag == "a"]
    assert links == ["main", "figures", "confusion", "calibration", "slices", "errors"]
    assert set(links) <= set(ids)
    for _, given in seen:
        assert given.get("aria-labelledby") in {None, *ids}
    assert page.startswith("<!doctype html>") and '<html lang="en" class="readhead">' in page
    assert "prefers-color-scheme: dark" in page and ":focus-visible" in page
    for shown in (
        "Expected calibration error (ECE): 0.",
        "By gold label",
        "By length, in words (premise and hypothesis)",
        "By source",
        "Partial or mixed training data: half &amp; half",
        "All 8 wrong answers",
        "95 % interval",
    ):
        assert shown in page, shown
    assert len([tag for tag, given in seen if tag == "svg" and given.get("role") == "img"]) == 1
    assert all(given.get("scope") for tag, given in seen if tag == "th")


def test_a_large_split_makes_a_page_of_the_worst() -> None:
    page = page_of(10_000, ("no", "yes", "maybe"), text="word " * 600)
    assert f"{WORST} of 6,666 wrong answers are shown, the worst first" in page
    assert len(re.findall("<article>", page)) == WORST
    assert "more characters" in page
    assert len(page) < 2_000_000


def test_many_labels_are_told_as_pairs() -> None:
    page = page_of(200, tuple(f"label {place}" for place in range(40)), text="short")
    assert "pairs of labels that were confused most often, of 40 labels" in page
    outline(page)


def test_no_mistake_is_said_to_be_none() -> None:
    task = TextClassification(labels=("no", "yes"))
    gold = torch.tensor([0, 1])
    assert "None: every answer is right." in error_page(found(task, evaluation(task, gold, gold, "a")))


def test_two_runs_stand_side_by_side() -> None:
    task = TextClassification(labels=("no", "yes"))
    gold = torch.zeros(200, dtype=torch.long)
    ours, theirs = torch.zeros_like(gold), torch.ones_like(gold)
    ours[:20] = 1
    theirs[:40] = 0
    page = error_page(found(task, evaluation(task, ours, gold, "a"), evaluation(task, theirs, gold, "a")))
    seen = outline(page).seen
    assert not {"i", "note"} & {tag for tag, _ in seen}
    assert "180 to 20" not in page and "160 to 20 or a more uneven split" in page and "more than chance" in page
    assert f"is right: 160 ({ONLY} are shown" in page
    assert page.count("this run said") == ONLY + 20
    assert "[+0." in page, "an interval of the difference"
