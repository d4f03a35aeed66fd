"""`readhead bench` as its user sees it."""

from __future__ import annotations

import json
from typing import Any

import pytest
import torch

from readhead.bench import inference, ops, training
from readhead.bench.timed_ops import TIMED_OPS, TimedOp, attend_inputs
from readhead.bench.timing import Schedule

FIGURES = {"median_ms", "min_ms", "peak_mb", "ratio_to_nn_lstm", "ratio_to_reference"}
OPS_KEYS = {"op", "shape", "mode", "backend", "threads"} | FIGURES


@pytest.fixture(autouse=True)
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """--quick is shorter still, without being another path."""
    for op in set(TIMED_OPS) - {"attend"}:
        monkeypatch.delitem(TIMED_OPS, op)
    monkeypatch.setitem(TIMED_OPS, "attend", TimedOp(attend_inputs, shapes=((3, 5, 4),)))
    monkeypatch.setattr(inference, "BATCHES", (1, 5))
    for module in (ops, training, inference):
        monkeypatch.setattr(module, "QUICK", Schedule(inputs=1, rounds=1, reruns=0))


def test_json_is_rows_and_nothing_else(run_cli: Any) -> None:
    ended = run_cli("bench", "--quick", "--json")
    assert ended.status == 0, ended.stderr
    rows = json.loads(ended.stdout)
    assert len(rows) == 6
    assert all(row.keys() >= OPS_KEYS for row in rows)


def test_threads_are_asked_for_and_put_back(run_cli: Any) -> None:
    rows = json.loads(run_cli("bench", "ops", "--quick", "--json", "--threads", 2).stdout)
    assert {row["threads"] for row in rows} == {2}
    assert torch.get_num_threads() == 1


def test_training_shows_the_limits_beside_the_measured(run_cli: Any) -> None:
    ended = run_cli("bench", "training", "--quick")
    assert ended.status == 0, ended.stderr
    assert "at most 1.6" in ended.stdout
    assert "at least 2.5" in ended.stdout
    assert "load average" in ended.stdout
    assert max(map(len, ended.stdout.splitlines())) <= 80


@pytest.mark.parametrize("what", ["ops", "inference"])
def test_tables_fit_a_terminal(run_cli: Any, what: str) -> None:
    ended = run_cli("bench", what, "--quick")
    assert ended.status == 0, ended.stderr
    assert max(map(len, ended.stdout.splitlines())) <= 80
    assert "decomposable" in ended.stdout or "nn.LSTM" in ended.stdout


def test_a_wrong_op_is_our_fault(run_cli: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from readhead.ops.attend import IMPLEMENTATIONS, reference
    from readhead.ops.backends import Implementation

    def wrong(scores: torch.Tensor, values: torch.Tensor, mask: torch.Tensor) -> tuple[torch.Tensor, ...]:
        return tuple(x + 0.1 for x in reference.attend(scores, values, mask))

    monkeypatch.setitem(IMPLEMENTATIONS, "torch", Implementation(wrong))
    with pytest.raises(RuntimeError, match=r"attend at \[3, 5, 4\] is wrong and is not timed"):
        run_cli("bench", "--quick")  # what nobody foresaw ends the process with status 1


@pytest.mark.parametrize("given", [["everything"], ["--threads", "0"], ["--device", "abacus"]])
def test_what_there_is_not_is_the_users_mistake(run_cli: Any, given: list[str]) -> None:
    ended = run_cli("bench", *given)
    assert ended.status == 2
    assert len(ended.stderr.splitlines()) == 1
