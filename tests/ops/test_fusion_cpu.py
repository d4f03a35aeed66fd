"""`fusion` by the native kernels: against the definition, on every instruction set that runs here."""

from __future__ import annotations

import ctypes
from functools import cache, partial
from typing import Any

import pytest
import torch

from readhead.ops.fusion import cpu, reference
from readhead.ops.fusion.cpu import FusionKernels
from readhead.ops.fusion.signature import AXES
from readhead.ops.native import isas, load_kernels
from tests.compare import assert_matches_reference, in_float64
from tests.ops.test_fusion import arguments
from tests.ops.test_lstmn import answers

ISAS = isas()

each_isa = pytest.mark.parametrize("isa", ISAS)


@cache
def op(isa: str, threads: int = 1) -> Any:
    """An operator of its own for each, since what is registered stays so."""
    return cpu.define(f"fusion_cpu_test_{isa}_{threads}", FusionKernels(isa, threads))


@each_isa
@pytest.mark.parametrize("ragged", [False, True], ids=["dense", "ragged"])
@pytest.mark.parametrize(
    ("size", "span"),
    [
        ({"B": 1, "T": 1, "D": 1, "M": 1, "S": 1}, None),
        ({"B": 33, "T": 3, "D": 7, "M": 1, "S": 5}, None),
        ({"B": 9, "T": 9, "D": 33, "M": 1, "S": 3}, None),
        ({"B": 3, "T": 17, "D": 100, "M": 5, "S": 9}, 9),
    ],
)
@pytest.mark.usefixtures("poisoned")
def test_matches_the_reference(size: dict[str, int], span: int | None, ragged: bool, isa: str) -> None:
    given = arguments(**size, ragged=ragged)
    assert_matches_reference(partial(op(isa), span=span), partial(reference.fusion, span=span), given)


@each_isa
@pytest.mark.usefixtures("poisoned")
def test_source_keys_of_a_hundred(isa: str) -> None:
    given: dict[str, Any] = arguments(B=9, T=1, D=33, ragged=True)
    given["source_hidden"] = given["source_hidden"] * (100 / given["source_hidden"].abs().max())
    truth: dict[str, Any] = in_float64(given)
    for single, double in zip(op(isa)(**given), reference.fusion(**truth), strict=True):
        torch.testing.assert_close(single.double(), double, rtol=1e-4, atol=1e-4)


@each_isa
@pytest.mark.parametrize("ragged", [False, True], ids=["dense", "ragged"])
def test_the_number_of_threads_changes_no_bit(ragged: bool, isa: str) -> None:
    given = arguments(B=7, T=5, D=20, ragged=ragged)
    for one, two in zip(answers(op(isa), given), answers(op(isa, threads=2), given), strict=True):
        assert one.equal(two)


@each_isa
@pytest.mark.parametrize("output", range(6))
def test_the_gradient_of_one_output_alone(output: int, isa: str) -> None:
    given: dict[str, Any] = arguments(B=3, T=4, D=5, ragged=True)
    found = []
    for run, numbers in ((op(isa), given), (reference.fusion, in_float64(given))):
        inputs = numbers["inputs"].requires_grad_()
        found.append(torch.autograd.grad(run(**numbers)[output].square().sum(), inputs)[0].double())
    torch.testing.assert_close(*found, rtol=1e-4, atol=1e-5)


@each_isa
def test_inference_is_the_forward_pass(isa: str) -> None:
    given = arguments(B=5, T=6, D=9, ragged=True)
    with torch.no_grad():
        inference = op(isa)(**given, span=3)
    given["inputs"].requires_grad_()
    assert all(one.equal(two) for one, two in zip(inference, op(isa)(**given, span=3), strict=True))


@each_isa
def test_the_room_for_the_backward_is_what_the_kernels_say(isa: str) -> None:
    given = arguments(B=3, T=6, D=9, M=2, S=4)
    kernels = load_kernels(isa).library
    kernels.readhead_fusion_kept_size.restype = ctypes.c_int64
    sizes = FusionKernels(isa).arguments(given, None)[0]
    assert kernels.readhead_fusion_kept_size(ctypes.byref(sizes), ctypes.c_int64(4)) == cpu.kept_size(**given)


def test_operators_keep_the_rules_of_torch_library() -> None:
    given = arguments(B=3, T=2, D=4, ragged=True)
    tensors = [given[name] for name in AXES]
    quick = ("test_schema", "test_autograd_registration", "test_faketensor")
    torch.library.opcheck(torch.ops.readhead.fusion_cpu_inference.default, (*tensors, 2), test_utils=quick)
    leaves = [x.requires_grad_(x.is_floating_point()) for x in tensors]
    torch.library.opcheck(torch.ops.readhead.fusion_cpu.default, (*leaves, 2), test_utils=quick)
