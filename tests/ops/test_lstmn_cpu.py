"""`lstmn` by the native kernels: against the definition, on every instruction set that runs here."""

from __future__ import annotations

import ctypes
from functools import cache, partial
from typing import Any

import pytest
import torch
from torch import Tensor

from readhead.errors import InputError
from readhead.ops.lstmn import cpu, reference
from readhead.ops.lstmn.cpu import LstmnKernels, PackedLstmn
from readhead.ops.lstmn.signature import AXES
from readhead.ops.native import isas, load_kernels
from tests.compare import assert_matches_reference, in_float64
from tests.ops.test_lstmn import Arguments, answers, arguments, saturated

ISAS = isas()

each_isa = pytest.mark.parametrize("isa", ISAS)


@cache
def op(isa: str, threads: int = 1) -> Any:
    """An operator of its own for each, since what is registered stays so."""
    return cpu.define(f"lstmn_cpu_test_{isa}_{threads}", LstmnKernels(isa, threads))


@each_isa
@pytest.mark.parametrize("ragged", [False, True], ids=["dense", "ragged"])
@pytest.mark.parametrize(
    ("size", "span"),
    [
        ({"B": 1, "T": 1, "D": 1, "M": 1}, None),
        ({"B": 33, "T": 1, "D": 65, "M": 3}, None),
        ({"B": 33, "T": 3, "D": 7, "M": 1}, None),
        ({"B": 2, "T": 63, "D": 7, "M": 1}, None),
        ({"B": 1, "T": 65, "D": 100, "M": 5}, 9),
        ({"B": 5, "T": 4, "D": 300, "M": 2}, 2),
    ],
)
@pytest.mark.usefixtures("poisoned")
def test_matches_the_reference(size: dict[str, int], span: int | None, ragged: bool, isa: str) -> None:
    given = arguments(**size, ragged=ragged)
    assert_matches_reference(partial(op(isa), span=span), partial(reference.lstmn, span=span), given)


@each_isa
@pytest.mark.usefixtures("poisoned")
def test_matches_the_reference_without_a_slot_before(isa: str) -> None:
    given = arguments(B=3, T=5, D=7, M=0, ragged=True)
    for one, two in zip(answers(op(isa), given), answers(reference.lstmn, in_float64(given)), strict=True):
        torch.testing.assert_close(one.double(), two, rtol=1e-4, atol=1e-4)


@each_isa
@pytest.mark.parametrize("name", ["attend_input", "gate_input"])
@pytest.mark.usefixtures("poisoned")
def test_matches_the_reference_on_sums_of_a_hundred(name: str, isa: str) -> None:
    assert_matches_reference(op(isa), reference.lstmn, saturated(name, B=17, T=9))


@each_isa
@pytest.mark.parametrize("name", ["attend_hidden", "hidden_tape"])
@pytest.mark.usefixtures("poisoned")
def test_is_right_where_keys_are_a_hundred(name: str, isa: str) -> None:
    # With one token nothing comes after what rounding decides: which of two slots takes all.
    given = saturated(name, B=33, T=1)
    truth: Arguments = in_float64(given)
    for single, double in zip(op(isa)(**given), reference.lstmn(**truth), strict=True):
        torch.testing.assert_close(single.double(), double, rtol=1e-4, atol=1e-4)


@each_isa
@pytest.mark.parametrize("key", [-60.0, 60.0])
def test_keys_that_no_float_is_the_exponential_of(key: float, isa: str) -> None:
    given: Arguments = arguments(B=2, T=3, D=5, M=2)
    given["attend_hidden"], given["attend_input"] = 20 * torch.eye(5), torch.zeros(5, 6)
    given["attend_blend"], given["attend_bias"] = torch.zeros(5, 5), torch.full((5,), -key)
    given["hidden_tape"][:] = key / 20 + torch.tensor([[-0.01], [0.02]])
    for one, two in zip(answers(op(isa), given), answers(reference.lstmn, in_float64(given)), strict=True):
        torch.testing.assert_close(one.double(), two, rtol=1e-3, atol=1e-4)


@each_isa
@pytest.mark.parametrize("output", range(4))
def test_the_gradient_of_one_output_alone(output: int, isa: str) -> None:
    given: Arguments = arguments(B=3, T=4, D=5, ragged=True)
    found = []
    for run, numbers in ((op(isa), given), (reference.lstmn, in_float64(given))):
        inputs = numbers["inputs"].requires_grad_()
        found.append(torch.autograd.grad(run(**numbers)[output].square().sum(), inputs)[0].double())
    torch.testing.assert_close(*found, rtol=1e-4, atol=1e-5)


@each_isa
@pytest.mark.parametrize(("B", "T", "D"), [(33, 6, 20), (7, 9, 33), (2, 5, 8), (1, 3, 8)])
@pytest.mark.parametrize("ragged", [False, True], ids=["dense", "ragged"])
def test_the_number_of_threads_changes_no_bit(B: int, T: int, D: int, ragged: bool, isa: str) -> None:
    given = arguments(B=B, T=T, D=D, ragged=ragged)
    for one, two in zip(answers(op(isa), given), answers(op(isa, threads=2), given), strict=True):
        assert one.equal(two)


@each_isa
def test_inference_is_the_forward_pass(isa: str) -> None:
    given = arguments(B=5, T=6, D=9, ragged=True)
    with torch.no_grad():
        inference = op(isa)(**given, span=3)
    given["inputs"].requires_grad_()
    learning = op(isa)(**given, span=3)
    assert learning.hidden.requires_grad and not inference.hidden.requires_grad
    assert all(one.equal(two) for one, two in zip(inference, learning, strict=True))


@each_isa
def test_packed_weights_give_the_same(isa: str) -> None:
    given = arguments(B=3, T=6, D=9, ragged=True)
    texts = {name: x for name, x in given.items() if name not in cpu.WEIGHTS}
    packed = PackedLstmn(weights=given, kernels=LstmnKernels(isa, threads=1))
    for one, two in zip(packed(**texts, span=3), op(isa)(**given, span=3), strict=True):
        assert one.equal(two)


@each_isa
def test_the_room_for_the_backward_is_what_the_kernels_say(isa: str) -> None:
    given = arguments(B=3, T=6, D=9, M=2)
    kernels = load_kernels(isa).library
    kernels.readhead_lstmn_kept_size.restype = ctypes.c_int64
    sizes, _, _ = LstmnKernels(isa).arguments(given, None)
    assert kernels.readhead_lstmn_kept_size(ctypes.byref(sizes)) == cpu.kept_size(**given)


def test_less_is_kept_than_an_lstm_keeps() -> None:
    # torch.nn.LSTM keeps 33 MB at (16, 100, 300).
    given = arguments(B=16, T=100, D=300, E=300, M=1)
    outputs = 2 * given["inputs"].numel()
    assert 4 * (cpu.kept_size(**given) + outputs + given["inputs"].numel()) < 1.2 * 33e6


@pytest.mark.parametrize(
    ("name", "change", "message"),
    [
        ("inputs", lambda x: x.double(), "inputs is torch.float64; the cpu backend computes in torch.float32"),
        ("blend", lambda x: x.to("meta"), "blend is on meta; the cpu backend reads the CPU's memory"),
        ("inputs", lambda x: x.transpose(0, 1), "inputs has strides"),
        ("gate_bias", lambda x: x[:1].expand(16), "gate_bias has strides"),
    ],
)
def test_what_the_kernels_cannot_read_is_told_before_they_do(name: str, change: Any, message: str) -> None:
    given: Arguments = arguments(B=3, T=3, D=4)
    given[name] = change(given[name])
    with pytest.raises(InputError, match=f"lstmn: {message}"):
        LstmnKernels().forward(given, None, keep=False)


def test_what_is_not_dense_is_copied_on_the_way_in() -> None:
    given = arguments(B=3, T=3, D=4)
    turned = given | {"inputs": given["inputs"].transpose(0, 1).contiguous().transpose(0, 1)}
    assert all(one.equal(two) for one, two in zip(cpu.lstmn(**turned), cpu.lstmn(**given), strict=True))


def test_an_instruction_set_that_is_not_there() -> None:
    with pytest.raises(InputError, match="there is no instruction set 'avx1024'"):
        LstmnKernels("avx1024").forward(arguments(B=1, T=1, D=1), None, keep=False)


def test_operators_keep_the_rules_of_torch_library() -> None:
    given = arguments(B=3, T=2, D=4, ragged=True)
    given["inputs"] = torch.randn(2, 3, 6).transpose(0, 1)
    tensors: list[Tensor] = [given[name] for name in AXES]
    torch.library.opcheck(torch.ops.readhead.lstmn_cpu_inference.default, (*tensors, 2))
    leaves = [x.requires_grad_(x.is_floating_point()) for x in tensors]
    # What is kept has room that is never written: outputs are not compared as a whole.
    quick = ("test_schema", "test_autograd_registration", "test_faketensor")
    torch.library.opcheck(torch.ops.readhead.lstmn_cpu.default, (*leaves, 2), test_utils=quick)


def test_compiles_to_one_node() -> None:
    graphs = []

    def backend(graph: torch.fx.GraphModule, _: object) -> torch.fx.GraphModule:
        graphs.append([str(node.target) for node in graph.graph.nodes if "readhead" in str(node.target)])
        return graph

    given = arguments(B=3, T=4, D=5, ragged=True)
    run = torch.compile(cpu.lstmn, backend=backend, fullgraph=True)
    with torch.no_grad():
        torch.testing.assert_close(run(**given), cpu.lstmn(**given))
    given["inputs"].requires_grad_()
    torch.testing.assert_close(run(**given), cpu.lstmn(**given))
    assert graphs == [["readhead.lstmn_cpu_inference"], ["readhead.lstmn_cpu"]]
