"""Several processes answer what one does, in the same order, bad lines in their places."""

from __future__ import annotations

import json
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


def test_workers_answer_what_one_process_does(tmp_path: Path) -> None:
    request = Request(recipe=tiny_recipe(tmp_path), out=tmp_path / "run", corpora=tmp_path, device="cpu", quiet=True)
    train(request)
    lines = [json.dumps(row).encode() for row in pairs()]
    lines[5] = b"no JSON"
    chunks = [lines[start : start + 7] for start in range(0, len(lines), 7)]
    assert len(chunks) > 2 * AHEAD, "all chunks fit the queue: order would not be tried"
    alone = [a for answers in Predictor(run=Run.open(request.out)).stream(read_lines(chunks, FORM)) for a in answers]
    by_two = answer_in_processes(request.out, read_lines(chunks, FORM), workers=2, device="cpu")
    together = [a for answers in by_two for a in answers]
    assert together[5] == alone[5]
    for one, other in zip(together, alone, strict=True):
        if "label" in one:
            assert one["label"] == other["label"]
            assert one["scores"] == pytest.approx(other["scores"], abs=1e-6)
