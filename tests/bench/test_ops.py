"""`readhead bench ops`: every op is timed, and none that is wrong."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

import pytest
import torch
from torch import Tensor

from readhead.bench.correctness import Op, demand_correct
from readhead.bench.ops import not_timed, rows
from readhead.bench.timed_ops import TIMED_OPS, Inputs, TimedOp, attend_inputs, lstmn_inputs, packed_lstmn
from readhead.bench.timing import Schedule
from readhead.ops import OPS
from readhead.ops.attend import reference
from readhead.ops.backends import BACKENDS, Implementation
from readhead.ops.kernel_call import why_no_kernels

CPU = torch.device("cpu")
TIMED_LSTMN = TIMED_OPS["lstmn"]
TIMED = frozenset(TIMED_OPS)  # before the fixture below leaves only a small one
ONCE = Schedule(inputs=1, rounds=1, reruns=0)
Attend = Callable[[Tensor, Tensor, Tensor], tuple[Tensor, Tensor]]


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    for op in set(TIMED_OPS) - {"attend"}:
        monkeypatch.delitem(TIMED_OPS, op)
    monkeypatch.setitem(TIMED_OPS, "attend", TimedOp(attend_inputs, shapes=((3, 5, 4),)))


def replace_torch_backend(monkeypatch: pytest.MonkeyPatch, backend: Implementation) -> None:
    monkeypatch.setitem(import_module(OPS["attend"]).IMPLEMENTATIONS, "torch", backend)


def wrong_output(scores: Tensor, values: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
    blend, weights = reference.attend(scores, values, mask)
    return blend * 1.001, weights


def wrong_gradient(scores: Tensor, values: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
    return reference.attend(scores, values.detach() + 0.5 * (values - values.detach()), mask)


def not_a_number(scores: Tensor, values: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
    blend, weights = reference.attend(scores, values, mask)
    return blend, weights + torch.nan


@pytest.mark.parametrize("op", OPS)
def test_every_op_is_timed(op: str) -> None:
    assert op in TIMED, f"{op} has no entry in TIMED_OPS"


def test_rows_as_the_design_fixes_them() -> None:
    found = list(rows(CPU, ONCE))
    assert [(row["mode"], row["backend"]) for row in found] == [
        (mode, backend) for mode in ("train", "inference") for backend in ("torch", "reference", "nn.LSTM")
    ]
    for row in found:
        assert row["op"] == "attend"
        assert row["shape"] == [3, 5, 4]
        assert row["threads"] == 1
        assert 0 < row["min_ms"] <= row["median_ms"]
        assert row["peak_mb"] > 0
        assert row["ratio_to_nn_lstm"] > 0
        assert row["ratio_to_reference"] > 0
        assert row["load_before"] >= 0 and row["load_after"] >= 0
        assert (row["saved_mb"] is None) == (row["mode"] == "inference")
    assert {row["ratio_to_reference"] for row in found if row["backend"] == "reference"} == {1}
    assert {row["ratio_to_nn_lstm"] for row in found if row["backend"] == "nn.LSTM"} == {1}


@pytest.mark.parametrize(
    ("wrong", "part"),
    [(wrong_output, "output 0"), (wrong_gradient, "gradient of values"), (not_a_number, "output 1")],
)
def test_what_is_wrong_is_not_timed(monkeypatch: pytest.MonkeyPatch, wrong: Attend, part: str) -> None:
    replace_torch_backend(monkeypatch, Implementation(wrong))
    with pytest.raises(RuntimeError, match=rf"the torch backend of attend at \[3, 5, 4\] is wrong.*its {part} is"):
        next(rows(CPU, ONCE))


def test_what_cannot_run_is_told_and_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    replace_torch_backend(monkeypatch, Implementation(wrong_output, lambda device, dtype: "it is Sunday"))
    assert not_timed(CPU) == ["attend: torch is not timed: it is Sunday"]
    assert {row["backend"] for row in rows(CPU, ONCE)} == {"reference", "nn.LSTM"}


needs_kernels = pytest.mark.skipif(
    bool(why_no_kernels(CPU, torch.float32)), reason=f"no native kernels: {why_no_kernels(CPU, torch.float32)}"
)


@needs_kernels
def test_packed_weights_are_timed_at_reading_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(TIMED_OPS, "attend")
    monkeypatch.setitem(TIMED_OPS, "lstmn", TimedOp(lstmn_inputs, shapes=((2, 3, 4),), packing=packed_lstmn))
    assert [row["mode"] for row in rows(CPU, ONCE) if row["backend"] == "cpu, packed"] == ["inference"]


@needs_kernels
def test_packed_weights_that_read_wrongly_are_not_timed(monkeypatch: pytest.MonkeyPatch) -> None:
    def of_other_weights(given: Inputs) -> Op:
        return packed_lstmn(given | {"gate_bias": given["gate_bias"] + 0.01})

    monkeypatch.delitem(TIMED_OPS, "attend")
    monkeypatch.setitem(TIMED_OPS, "lstmn", TimedOp(lstmn_inputs, shapes=((2, 3, 4),), packing=of_other_weights))
    with pytest.raises(RuntimeError, match=r"the cpu, packed backend of lstmn at \[2, 3, 4\] is wrong.*output 0"):
        next(rows(CPU, ONCE))


def test_texts_differ_and_weights_do_not() -> None:
    one, two = TIMED_LSTMN.draw((2, 3, 4), 2, CPU)
    assert {name for name in one if one[name].equal(two[name])} >= TIMED_LSTMN.weights
    assert not one["inputs"].equal(two["inputs"])


def test_rounding_is_no_error() -> None:
    def in_another_order(scores: Tensor, values: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        blend, weights = reference.attend(scores.flip(-1), values.flip(-2), mask.flip(-1))
        return blend, weights.flip(-1)

    inputs = attend_inputs((3, 33, 7), torch.Generator().manual_seed(1))
    demand_correct(in_another_order, reference.attend, [inputs], name="attend")


def test_what_is_wrong_by_chance_is_tried_again_and_what_is_wrong_twice_is_not() -> None:
    draws = [attend_inputs((3, 5, 4), torch.Generator().manual_seed(seed)) for seed in range(4)]
    wrong_on: list[Tensor] = [draws[0]["values"]]

    def sometimes_wrong(scores: Tensor, values: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        blend, weights = reference.attend(scores, values, mask)
        return blend * (1.001 if any(values.equal(x) for x in wrong_on) else 1.0), weights

    demand_correct(sometimes_wrong, reference.attend, draws, name="attend")
    wrong_on.append(draws[2]["values"])
    with pytest.raises(RuntimeError, match="attend is wrong and is not timed: its output 0"):
        demand_correct(sometimes_wrong, reference.attend, draws, name="attend")


def test_one_op_can_be_asked_for_at_one_size() -> None:
    assert {row["op"] for row in rows(CPU, ONCE, wanted=lambda op, shape: shape == (3, 5, 4))} == {"attend"}
    assert not list(rows(CPU, ONCE, wanted=lambda op, shape: op == "lstmn"))


def test_inputs_are_the_same_each_time_and_have_no_empty_text() -> None:
    one, two = (attend_inputs((8, 5, 4), torch.Generator().manual_seed(3)) for _ in range(2))
    assert all(one[name].equal(two[name]) for name in one)
    assert one["mask"].sum(dim=1).min() >= 3
    assert set(TIMED_OPS) <= set(OPS)
    assert "reference" in BACKENDS
