"""`lstmn`: its definition by hand, its laws, its gradients, and the fast operator against the definition."""

from __future__ import annotations

import math
import re
import subprocess
import sys
from functools import partial
from typing import Any

import pytest
import torch
from torch import Tensor

from readhead.errors import InputError
from readhead.ops import chosen_backend, lstmn
from readhead.ops.lstmn import IMPLEMENTATIONS, Tapes, reference
from readhead.ops.lstmn import torch as fast
from readhead.ops.lstmn.signature import AXES
from tests.compare import assert_matches_reference, in_float64

BACKENDS = [name for name in IMPLEMENTATIONS if name != "cpu"]  # which has tests of its own, and no float64
WEIGHTS = [name for name in AXES if name.startswith(("attend", "gate"))]
LOG3 = math.log(3)

Arguments = dict[str, Any]


def arguments(*, B: int, T: int, D: int, E: int = 6, M: int = 2, ragged: bool = False) -> Arguments:
    """Random ones; ragged: lengths from none to all tokens, and slots that are not written."""
    lengths = torch.arange(B) * 5 % (T + 1) if ragged else torch.full((B,), T)
    sizes = {"B": B, "T": T, "D": D, "E": E, "M": M, "4D": 4 * D}
    drawn = {name: torch.randn([sizes[axis] for axis in axes.split()]) for name, axes in AXES.items()}
    scaled = {name: drawn[name] / D**0.5 for name in WEIGHTS}
    written = torch.rand(B, M) < 0.7 if ragged else torch.ones(B, M, dtype=torch.bool)
    # Sharp attention: where it is nearly even, its gradients are what rounding leaves of a sum of nothing.
    scaled["attend_score"] = 3 * scaled["attend_score"]
    return drawn | scaled | {"mask": torch.arange(T) < lengths.unsqueeze(1), "written": written}


def answers(op: Any, given: Arguments) -> list[Tensor]:
    """The outputs, and the gradients of their squares by every number that went in."""
    leaves = {name: x.clone().requires_grad_(x.is_floating_point()) for name, x in given.items()}
    outputs = op(**leaves)
    learning = [x for x in leaves.values() if x.requires_grad]
    return [*outputs, *torch.autograd.grad([part.square().sum() for part in outputs], learning)]


def by_hand() -> Arguments:
    """One token of width 1 after two slots: every number comes out even."""
    numbers = {
        "inputs": [[[1.0]]],
        "attend_hidden": [[2.0]],
        "attend_input": [[-1.0]],
        "attend_blend": [[4.0]],
        "attend_bias": [-1.0],
        "attend_score": [LOG3 / math.tanh(2)],
        "gate_input": [[0.0], [0.0], [-LOG3], [0.0]],
        "gate_blend": [[LOG3 / 0.75], [0.0], [0.0], [0.0]],
        "gate_bias": [0.0, 0.0, 0.0, LOG3 / 2],
        "hidden_tape": [[[0.0], [1.0]]],
        "memory_tape": [[[2.0], [-1.0]]],
        "blend": [[0.5]],
    }
    yes = {"mask": torch.tensor([[True]]), "written": torch.tensor([[True, True]])}
    return {name: torch.tensor(value, dtype=torch.float64) for name, value in numbers.items()} | yes


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_step_by_hand(backend: str) -> None:
    tapes = lstmn(**by_hand(), backend=backend)
    # (4): the query is -1·1 + 4·½ - 1 = 0, so that a = v tanh(2·0), v tanh(2·1) = 0, log 3. (5): ¼ and ¾.
    expected: dict[str, Any] = {"attention": [[[0.25, 0.75, 0.0]]]}
    # (6): h̃ = ¾·1, and c̃ = ¼·2 - ¾·1 = -¼
    expected["blend"] = [[0.75]]
    # (7): i = σ(log 3) = ¾, f = σ(0) = ½, o = σ(-log 3) = ¼, ĉ = tanh(log(3) / 2) = ½
    # (8): c = ½·(-¼) + ¾·½ = ¼. (9): h = ¼ tanh(c)
    expected["memory"] = [[[0.25]]]
    expected["hidden"] = [[[0.25 * math.tanh(0.25)]]]
    for name, value in expected.items():
        torch.testing.assert_close(getattr(tapes, name), torch.tensor(value, dtype=torch.float64), rtol=0, atol=1e-12)


@pytest.mark.parametrize("backend", BACKENDS)
def test_reading_nothing_but_the_last_slot_is_an_lstm(backend: str) -> None:
    given = in_float64(arguments(B=3, T=6, D=5, M=1))
    cell = torch.nn.LSTMCell(6, 5).double()
    rows = torch.arange(20).view(4, 5)[[0, 1, 3, 2]].flatten()  # torch has i, f, ĉ, o
    with torch.no_grad():
        cell.weight_ih[rows], cell.weight_hh[rows], cell.bias_ih[rows] = (
            given[name] for name in ("gate_input", "gate_blend", "gate_bias")
        )
        cell.bias_hh.zero_()
        hidden, memory = given["hidden_tape"][:, 0], given["memory_tape"][:, 0]
        tapes = lstmn(**given, span=1, backend=backend)
        for t in range(6):
            hidden, memory = cell(given["inputs"][:, t], (hidden, memory))
            torch.testing.assert_close(tapes.hidden[:, t], hidden, rtol=0, atol=1e-14)
            torch.testing.assert_close(tapes.memory[:, t], memory, rtol=0, atol=1e-14)
    assert tapes.attention.equal(torch.eye(6, 7, dtype=torch.float64).expand(3, 6, 7))


@pytest.mark.parametrize("backend", BACKENDS)
def test_beyond_the_span_nothing_has_an_influence(backend: str) -> None:
    given = arguments(B=2, T=3, D=4, M=5)
    near, far = given["hidden_tape"].clone().requires_grad_(), given["memory_tape"].clone().requires_grad_()
    tapes = lstmn(**given | {"hidden_tape": near, "memory_tape": far}, span=2, backend=backend)
    torch.autograd.backward([part.square().sum() for part in tapes])
    for gradient in (near.grad, far.grad):
        assert gradient is not None
        assert not gradient[:, :3].any() and gradient[:, 3:].all()
    other = {name: given[name].clone() for name in ("hidden_tape", "memory_tape")}
    for tape in other.values():
        tape[:, :3] = 100
    for one, two in zip(lstmn(**given | other, span=2, backend=backend), tapes, strict=True):
        torch.testing.assert_close(one, two.detach())
    reads = tapes.attention > 0
    assert reads.sum(dim=2).eq(2).all() and not reads[:, 2, :5].any()


@pytest.mark.parametrize("backend", BACKENDS)
def test_padding_and_unwritten_slots_change_nothing(backend: str) -> None:
    bare = arguments(B=2, T=4, D=5, M=3)
    real, slots = torch.tensor([0, 2, 3, 6]), torch.tensor([1, 2, 4])  # holes, at the end and in between
    inputs, mask = torch.full((2, 8, 6), 7.0), torch.zeros(2, 8, dtype=torch.bool)
    inputs[:, real], mask[:, real] = bare["inputs"], True
    padded = bare | {"inputs": inputs, "mask": mask}
    for name in ("hidden_tape", "memory_tape"):
        padded[name] = torch.full((2, 5, 5), torch.nan)
        padded[name][:, slots] = bare[name]
    padded["written"] = torch.zeros(2, 5, dtype=torch.bool)
    padded["written"][:, slots] = True
    for span in (None, 2):
        expected, tapes = (lstmn(**given, span=span, backend=backend) for given in (bare, padded))
        torch.testing.assert_close(tapes.hidden[:, real], expected.hidden)
        torch.testing.assert_close(tapes.memory[:, real], expected.memory)
        torch.testing.assert_close(tapes.attention[:, real][..., [*slots, *(5 + real)]], expected.attention)
        torch.testing.assert_close(tapes.attention.sum(), expected.attention.sum())
        torch.testing.assert_close(tapes.blend, expected.blend)
        assert not any(part[:, ~mask[0]].any() for part in tapes[:3])


@pytest.mark.parametrize("backend", BACKENDS)
def test_reading_on_from_the_tapes_is_reading_it_whole(backend: str) -> None:
    given = in_float64(arguments(B=4, T=7, D=5, ragged=True))
    cut = {name: (given[name][:, :3], given[name][:, 3:]) for name in ("inputs", "mask")}
    whole = lstmn(**given, span=4, backend=backend)
    first = lstmn(**given | {name: parts[0] for name, parts in cut.items()}, span=4, backend=backend)
    carried = {
        "hidden_tape": torch.cat([given["hidden_tape"], first.hidden], dim=1),
        "memory_tape": torch.cat([given["memory_tape"], first.memory], dim=1),
        "written": torch.cat([given["written"], cut["mask"][0]], dim=1),
        "blend": first.blend,
    }
    second = lstmn(**given | carried | {name: parts[1] for name, parts in cut.items()}, span=4, backend=backend)
    for name in ("hidden", "memory"):
        both = torch.cat([getattr(first, name), getattr(second, name)], dim=1)
        torch.testing.assert_close(both, getattr(whole, name), rtol=0, atol=1e-12)
    torch.testing.assert_close(second.attention, whole.attention[:, 3:], rtol=0, atol=1e-12)
    torch.testing.assert_close(second.blend, whole.blend, rtol=0, atol=1e-12)


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_text_without_tokens_keeps_its_blend(backend: str) -> None:
    given = arguments(B=2, T=3, D=4)
    given["mask"][0] = False
    tapes = lstmn(**given, backend=backend)
    assert tapes.blend[0].equal(given["blend"][0])
    assert not any(part[0].any() for part in tapes[:3])


@pytest.mark.parametrize("backend", BACKENDS)
def test_gradients_are_those_of_the_numbers(backend: str) -> None:
    given = in_float64(arguments(B=3, T=3, D=2, E=2, ragged=True))
    names = [name for name, x in given.items() if x.is_floating_point()]

    def run(*numbers: Tensor) -> tuple[Tensor, ...]:
        return tuple(lstmn(**given | dict(zip(names, numbers, strict=True)), span=3, backend=backend))

    assert torch.autograd.gradcheck(run, [given[name].requires_grad_() for name in names])


@pytest.mark.parametrize("ragged", [False, True], ids=["dense", "ragged"])
@pytest.mark.parametrize(
    ("sizes", "span"),
    [
        ({"B": 1, "T": 1, "D": 1, "M": 1}, None),
        ({"B": 33, "T": 1, "D": 65, "M": 3}, None),
        ({"B": 33, "T": 3, "D": 7, "M": 1}, None),
        ({"B": 33, "T": 3, "D": 100, "M": 1}, 2),
        ({"B": 2, "T": 63, "D": 7, "M": 1}, None),
        ({"B": 1, "T": 65, "D": 100, "M": 5}, 9),
    ],
    ids=lambda part: "-".join(map(str, part.values())) if isinstance(part, dict) else str(part),
)
@pytest.mark.usefixtures("poisoned_memory")
def test_fast_matches_reference(sizes: dict[str, int], span: int | None, ragged: bool) -> None:
    given = arguments(**sizes, ragged=ragged)
    assert_matches_reference(partial(fast.lstmn, span=span), partial(reference.lstmn, span=span), given)


@pytest.mark.usefixtures("poisoned_memory")
def test_fast_matches_reference_without_a_slot_before() -> None:
    given = in_float64(arguments(B=3, T=5, D=7, M=0, ragged=True))
    for one, two in zip(answers(fast.lstmn, given), answers(reference.lstmn, given), strict=True):
        torch.testing.assert_close(one, two)


def saturated(name: str, *, B: int, T: int) -> Arguments:
    """One of the arguments so large that its sums reach a hundred and more."""
    given = arguments(B=B, T=T, D=33, ragged=True)
    return given | {name: given[name] * (100 / given[name].abs().max())}


@pytest.mark.parametrize("name", ["attend_input", "gate_input"])
@pytest.mark.usefixtures("poisoned_memory")
def test_fast_matches_reference_on_sums_of_a_hundred(name: str) -> None:
    assert_matches_reference(fast.lstmn, reference.lstmn, saturated(name, B=5, T=9))


@pytest.mark.parametrize("name", ["attend_hidden", "hidden_tape"])
def test_fast_is_right_where_keys_are_a_hundred(name: str) -> None:
    # One slot takes all, and in single precision it is rounding that decides which: what is compared is less.
    given = saturated(name, B=5, T=9)
    for one, two in zip(
        answers(fast.lstmn, in_float64(given)), answers(reference.lstmn, in_float64(given)), strict=True
    ):
        torch.testing.assert_close(one, two, rtol=1e-6, atol=1e-9)
    once = saturated(name, B=33, T=1)
    for single, double in zip(fast.lstmn(**once), reference.lstmn(**in_float64(once)), strict=True):
        torch.testing.assert_close(single.double(), double, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("output", range(4))
def test_the_gradient_of_one_output_alone(output: int) -> None:
    given = in_float64(arguments(B=3, T=4, D=5, ragged=True))
    inputs = given["inputs"].requires_grad_()
    one, two = (torch.autograd.grad(lstmn(**given, backend=name)[output].square().sum(), inputs) for name in BACKENDS)
    torch.testing.assert_close(one, two)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("T", [0, 1])
def test_outputs_that_do_not_depend_on_what_learns(T: int, backend: str) -> None:
    given = arguments(B=2, T=T, D=3)
    blend, bias = given["blend"].requires_grad_(), given["gate_bias"].requires_grad_()
    tapes = lstmn(**given, backend=backend)
    by_blend, by_bias = torch.autograd.grad([part.sum() for part in tapes], [blend, bias])
    assert by_blend.eq(1).all() == (T == 0)
    assert by_bias.any() == (T == 1)


def test_the_fast_one_says_that_it_has_no_second_derivative() -> None:
    given: Arguments = arguments(B=1, T=2, D=3)
    inputs = given["inputs"].requires_grad_()
    (gradient,) = torch.autograd.grad(lstmn(**given, backend="torch").hidden.sum(), inputs, create_graph=True)
    with pytest.raises(RuntimeError, match="lstmn cannot be differentiated twice; its reference backend can"):
        torch.autograd.backward(gradient.sum())


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"hidden_tape": torch.zeros(2, 2, 4)}, "hidden_tape is [2, 2, 4] and must be [B, M, D], here [3, 2, 4]"),
        ({"memory_tape": torch.zeros(3, 1, 4)}, "memory_tape is [3, 1, 4] and must be [B, M, D], here [3, 2, 4]"),
        ({"gate_input": torch.zeros(12, 6)}, "gate_input is [12, 6] and must be [4D, E], here [16, 6]"),
        ({"inputs": torch.zeros(3, 6)}, "inputs is [3, 6] and must be [B, T, E], here [B, T, E]"),
        ({"mask": torch.ones(3, 5)}, "mask is torch.float32 and must be torch.bool"),
        ({"blend": torch.zeros(3, 4).double()}, "blend is torch.float64 and must be torch.float32 as inputs are"),
        ({"inputs": torch.zeros(3, 5, 6).long()}, "inputs is torch.int64 and must be of floating point"),
        ({"span": 0}, "span is 0 and must be at least 1; without a bound it is None"),
    ],
)
def test_what_does_not_fit_is_told_by_name(change: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=re.escape(f"lstmn: {message}")):
        lstmn(**arguments(B=3, T=5, D=4) | change)


def test_operators_keep_the_rules_of_torch_library() -> None:
    given = arguments(B=3, T=2, D=4, ragged=True)
    given["inputs"] = torch.randn(2, 3, 6).transpose(0, 1)
    leaves = [given[name].requires_grad_(given[name].is_floating_point()) for name in AXES]
    torch.library.opcheck(torch.ops.readhead.lstmn.default, (*leaves, 2))
    quick = ("test_schema", "test_autograd_registration", "test_faketensor")
    torch.library.opcheck(torch.ops.readhead.lstmn_reference.default, (*leaves, None), test_utils=quick)


@pytest.mark.parametrize("name", ["torch", "auto"])
def test_compiles_to_one_node_at_any_length_and_trains(name: str) -> None:
    taken = chosen_backend("lstmn", torch.device("cpu"), name).backend
    operator = {"torch": "lstmn", "cpu": "lstmn_cpu_inference"}[taken]

    def op(**given: Tensor) -> Tapes:
        return lstmn(**given, backend=name)

    graphs = []

    def backend(graph: torch.fx.GraphModule, _: object) -> torch.fx.GraphModule:
        graphs.append([str(node.target) for node in graph.graph.nodes if "readhead" in str(node.target)])
        return graph

    compiled = torch.compile(op, backend=backend, fullgraph=True, dynamic=True)
    for T in (4, 6):
        given = arguments(B=3, T=T, D=5, ragged=True)
        torch.testing.assert_close(compiled(**given), lstmn(**given))
    assert graphs == [[f"readhead.{operator}"]]
    gradients = []
    for run in (op, torch.compile(op, backend="aot_eager", fullgraph=True)):
        inputs = given["inputs"].clone().requires_grad_()
        torch.autograd.backward(run(**given | {"inputs": inputs}).hidden.sum())
        gradients.append(inputs.grad)
    torch.testing.assert_close(*gradients)


def test_a_first_call_does_not_wait_for_the_compiler() -> None:
    program = (
        "import sys, torch; from readhead.ops import lstmn; from readhead.bench.timed_ops import lstmn_inputs;"
        "lstmn(**lstmn_inputs((2, 3, 4), torch.Generator()));"
        "assert 'torch._dynamo' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


def test_mixed_precision_computes_in_float32() -> None:
    given = arguments(B=3, T=4, D=5, ragged=True)
    half = {name: x.bfloat16() if name == "inputs" else x for name, x in given.items()}
    leaves = []
    outputs = []
    for autocast in (True, False):
        inputs = half["inputs"].clone().requires_grad_() if autocast else half["inputs"].float().requires_grad_()
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=autocast):
            tapes = lstmn(**half | {"inputs": inputs})
            torch.autograd.backward(tapes.hidden.sum())
        leaves.append(inputs)
        outputs.append(tapes)
    torch.testing.assert_close(*outputs)
    assert leaves[0].grad is not None and leaves[1].grad is not None
    torch.testing.assert_close(leaves[0].grad, leaves[1].grad.bfloat16())


@pytest.mark.gpu
@pytest.mark.parametrize("ragged", [False, True], ids=["dense", "ragged"])
def test_fast_matches_reference_on_a_gpu(ragged: bool) -> None:
    given = {name: x.cuda() for name, x in arguments(B=9, T=33, D=65, ragged=ragged).items()}
    assert_matches_reference(fast.lstmn, reference.lstmn, given)
