"""Every stage of loading is timed once, in order, and counts the pairs it was given."""

from __future__ import annotations

import pytest
import torch

from readhead.bench import loading


def test_every_stage_has_a_row() -> None:
    rows = list(loading.rows(torch.device("cpu"), 300))
    stages = ["generate", "split into words", "look words up", "order an epoch", "make its batches"]
    assert [row["stage"] for row in rows] == stages
    for row in rows:
        assert row["pairs"] == 300
        assert row["pairs_per_cpu_second"] == pytest.approx(row["pairs"] / row["cpu_seconds"])
    assert 0 <= rows[3]["padding"] < 1
