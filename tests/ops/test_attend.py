"""`attend`: its definition by hand, its gradients, and the fast operator against the definition."""

from __future__ import annotations

import math
import subprocess
import sys

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor

from readhead.ops.attend import IMPLEMENTATIONS, attend, reference
from readhead.ops.attend import torch as fast
from tests.compare import assert_matches_reference, in_float64

BACKENDS = list(IMPLEMENTATIONS)


def inputs(*, B: int, T: int, S: int, ragged: bool, D: int = 7) -> dict[str, Tensor]:
    """Random ones; ragged: lengths from none to all slots."""
    lengths = torch.arange(B) * 5 % (S + 1) if ragged else torch.full((B,), S)
    mask = torch.arange(S) < lengths.unsqueeze(1)
    return {"scores": 3 * torch.randn(B, T, S), "values": torch.randn(B, S, D), "mask": mask}


@pytest.mark.parametrize("backend", BACKENDS)
def test_by_hand(backend: str) -> None:
    scores = torch.tensor([[[math.log(3), math.log(1), 99.0]]])
    values = torch.tensor([[[8.0, 0.0], [0.0, 4.0], [5.0, 5.0]]])
    blend, weights = attend(scores, values, torch.tensor([[True, True, False]]), backend)
    torch.testing.assert_close(weights, torch.tensor([[[0.75, 0.25, 0.0]]]))
    torch.testing.assert_close(blend, torch.tensor([[[6.0, 1.0]]]))


@pytest.mark.parametrize("backend", BACKENDS)
def test_nothing_to_attend_to_is_zero_and_has_no_gradient(backend: str) -> None:
    scores, values = torch.randn(2, 3, 4, requires_grad=True), torch.randn(2, 4, 5, requires_grad=True)
    mask = torch.tensor([[True] * 4, [False] * 4])
    blend, weights = attend(scores, values, mask, backend)
    assert not blend[1].any() and not weights[1].any()
    (blend.sum() + weights.square().sum()).backward()
    for gradient in (scores.grad, values.grad):
        assert gradient is not None and gradient.isfinite().all()
        assert gradient[0].any() and not gradient[1].any()


@pytest.mark.parametrize("backend", BACKENDS)
def test_gradients_are_those_of_the_numbers(backend: str) -> None:
    given = in_float64(inputs(B=3, T=2, S=4, ragged=True))
    scores, values = given["scores"].requires_grad_(), given["values"].requires_grad_()
    assert torch.autograd.gradcheck(lambda s, v: attend(s, v, given["mask"], backend), (scores, values))
    assert torch.autograd.gradgradcheck(lambda s, v: attend(s, v, given["mask"], backend), (scores, values))


@pytest.mark.parametrize("ragged", [False, True], ids=["dense", "ragged"])
@pytest.mark.parametrize("B", [1, 33])
@pytest.mark.parametrize(("T", "S"), [(1, 1), (1, 63), (63, 1), (63, 65), (65, 63)])
@pytest.mark.usefixtures("poisoned_memory")
def test_fast_matches_reference(B: int, T: int, S: int, ragged: bool) -> None:
    assert_matches_reference(fast.attend, reference.attend, inputs(B=B, T=T, S=S, ragged=ragged))


def test_fast_matches_reference_on_scores_far_apart() -> None:
    far = inputs(B=3, T=5, S=9, ragged=True)
    assert_matches_reference(fast.attend, reference.attend, far | {"scores": 1e4 * far["scores"]})


@pytest.mark.parametrize("backend", BACKENDS)
@given(length=st.integers(1, 6), padding=st.integers(0, 5), junk=st.sampled_from([0.0, 1e30, math.inf, math.nan]))
def test_scores_of_masked_slots_do_not_matter(backend: str, length: int, padding: int, junk: float) -> None:
    torch.manual_seed(length)
    bare = inputs(B=2, T=3, S=length, ragged=False)
    scores = torch.nn.functional.pad(bare["scores"], (0, padding), value=junk)
    values = torch.nn.functional.pad(bare["values"], (0, 0, 0, padding), value=1.0)
    mask = torch.nn.functional.pad(bare["mask"], (0, padding))
    blend, weights = attend(scores, values, mask, backend)
    expected_blend, expected_weights = attend(**bare, backend=backend)
    torch.testing.assert_close(blend, expected_blend, rtol=0, atol=1e-6)
    torch.testing.assert_close(weights[..., :length], expected_weights, rtol=0, atol=1e-6)
    assert not weights[..., length:].any()


@pytest.mark.parametrize("transposed", [False, True])
def test_operator_keeps_the_rules_of_torch_library(transposed: bool) -> None:
    given = inputs(B=3, T=4, S=4, ragged=True)
    scores = given["scores"].transpose(1, 2) if transposed else given["scores"]
    arguments = (scores.requires_grad_(), given["values"].requires_grad_(), given["mask"])
    torch.library.opcheck(torch.ops.readhead.attend.default, arguments)


def test_a_first_call_does_not_wait_for_the_compiler() -> None:
    program = (
        "import sys, torch; from readhead.ops import attend;"
        "x = torch.ones(1, 2, 2); attend(x, x, torch.ones(1, 2, dtype=torch.bool), 'torch');"
        "assert 'torch._dynamo' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


def test_compiles_to_one_node_at_any_length() -> None:
    graphs = []

    def backend(graph: torch.fx.GraphModule, _: object) -> torch.fx.GraphModule:
        graphs.append([node.target for node in graph.graph.nodes if node.op == "call_function"])
        return graph

    compiled = torch.compile(attend, backend=backend, fullgraph=True, dynamic=True)
    for S in (4, 6):
        given = inputs(B=3, T=2, S=S, ragged=True)
        torch.testing.assert_close(compiled(**given), attend(**given))
    assert len(graphs) == 1
    assert torch.ops.readhead.attend.default in [getattr(target, "default", target) for target in graphs[0]]


def test_trains_under_aot_autograd() -> None:
    given = inputs(B=3, T=2, S=4, ragged=True)
    gradients = []
    for run in (attend, torch.compile(attend, backend="aot_eager", fullgraph=True)):
        scores = given["scores"].clone().requires_grad_()
        blend, weights = run(scores, given["values"], given["mask"])
        (blend.sum() + weights.square().sum()).backward()
        gradients.append(scores.grad)
    torch.testing.assert_close(*gradients)


def test_exports_as_one_node() -> None:
    class Blend(torch.nn.Module):
        def forward(self, scores: Tensor, values: Tensor, mask: Tensor) -> Tensor:
            return attend(scores, values, mask)[0]

    given = inputs(B=3, T=2, S=4, ragged=True)
    exported = torch.export.export(Blend(), tuple(given.values()))
    calls = [node.target for node in exported.graph.nodes if node.op == "call_function"]
    assert calls[0] == torch.ops.readhead.attend.default
    torch.testing.assert_close(exported.module()(*given.values()), attend(**given)[0])


def test_mixed_precision_sums_in_float32() -> None:
    given = inputs(B=3, T=2, S=4, ragged=True)
    half = {name: x.bfloat16() if x.is_floating_point() else x for name, x in given.items()}
    with torch.autocast("cpu", dtype=torch.bfloat16):
        outputs = attend(**half)
    rounded = {name: x.float() if x.is_floating_point() else x for name, x in half.items()}
    torch.testing.assert_close(outputs, attend(**rounded))


@pytest.mark.gpu
@pytest.mark.parametrize("ragged", [False, True], ids=["dense", "ragged"])
def test_fast_matches_reference_on_a_gpu(ragged: bool) -> None:
    given = {name: x.cuda() for name, x in inputs(B=33, T=63, S=65, ragged=ragged).items()}
    assert_matches_reference(fast.attend, reference.attend, given)
