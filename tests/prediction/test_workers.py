"""Several processes answer what one does, in the same order, bad lines in their places."""

from __future__ import annotations

import json
import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import pytest

from readhead.prediction.predictor import Predictor
from readhead.prediction.records import Form, read_lines
from readhead.prediction.workers import AHEAD, answer_in_processes
from readhead.run import Run
from readhead.training.request import Request
from readhead.training.start import train
from tests.tiny import pairs, tiny_recipe

FORM = Form(("premise", "hypothesis"))


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("run")
    train(Request(recipe=tiny_recipe(folder), out=folder / "run", corpora=folder, device="cpu", quiet=True))
    return folder / "run"


def test_workers_answer_what_one_process_does(run: Path) -> None:
    lines = [json.dumps(row).encode() for row in pairs()]
    lines[5] = b"no JSON"
    chunks = [lines[start : start + 7] for start in range(0, len(lines), 7)]
    assert len(chunks) > 2 * AHEAD, "all chunks fit the queue: order would not be tried"
    alone = [a for answers in Predictor(run=Run.open(run)).stream(read_lines(chunks, FORM)) for a in answers]
    taken, together, most = 0, [], 0

    def coming() -> Iterator[list[bytes]]:
        nonlocal taken
        for chunk in chunks:
            taken += 1
            yield chunk

    for answered, answers in enumerate(answer_in_processes(run, read_lines(coming(), FORM), workers=2, device="cpu")):
        together += answers
        most = max(most, taken - answered)
    assert most <= 2 * AHEAD + 1, "more was read than the workers may have waiting"
    assert together[5] == alone[5]
    for one, other in zip(together, alone, strict=True):
        if "label" in one:
            assert one["label"] == other["label"]
            assert one["scores"] == pytest.approx(other["scores"], abs=1e-6)


def test_answers_take_no_more_memory_the_more_there_are(run: Path) -> None:
    def peak(lines: int) -> int:
        """Bytes that Python holds at most while it answers lines of words it has never seen."""
        chunks = (
            [json.dumps({"premise": f"a{n} b{n}", "hypothesis": f"c{n}"}).encode()] * 8 for n in range(lines // 8)
        )
        tracemalloc.start()
        for answers in predictor.stream(read_lines(chunks, FORM)):
            assert len(answers) == 8
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return most

    predictor = Predictor(run=Run.open(run))
    few, many = peak(160), peak(1600)
    assert many < few + 40_000, "each answer would be some hundred bytes"
