"""`fusion`: its definition by hand, its laws, its gradients, and the fast operator against the definition."""

from __future__ import annotations

import math
import re
from functools import partial
from typing import Any

import pytest
import torch
from torch import Tensor

from readhead.errors import InputError
from readhead.ops import fusion, lstmn
from readhead.ops.fusion import IMPLEMENTATIONS, reference
from readhead.ops.fusion import torch as fast
from readhead.ops.fusion.signature import AXES
from readhead.ops.lstmn.signature import AXES as LSTMN_AXES
from tests.compare import assert_matches_reference, in_float64

BACKENDS = [name for name in IMPLEMENTATIONS if name != "cpu"]  # which has tests of its own, and no float64
WEIGHTS = [name for name in AXES if name.startswith(("attend", "gate", "fuse"))]
LOG3 = math.log(3)

Arguments = dict[str, Any]


def arguments(*, B: int, T: int, D: int, E: int = 6, M: int = 2, S: int = 3, ragged: bool = False) -> Arguments:
    """Random ones; ragged: lengths from none to all tokens, slots that are not written, and a source of no slots."""
    lengths = torch.arange(B) * 5 % (T + 1) if ragged else torch.full((B,), T)
    source_lengths = torch.arange(B) * 3 % (S + 1) if ragged else torch.full((B,), S)
    sizes = {"B": B, "T": T, "D": D, "E": E, "M": M, "S": S, "4D": 4 * D}
    drawn = {name: torch.randn([sizes[axis] for axis in axes.split()]) for name, axes in AXES.items()}
    scaled = {name: drawn[name] / D**0.5 for name in WEIGHTS}
    # Sharp attention: where it is nearly even, its gradients are what rounding leaves of a sum of nothing.
    scaled |= {name: 3 * scaled[name] for name in ("attend_score", "fuse_score")}
    masks = {
        "mask": torch.arange(T) < lengths.unsqueeze(1),
        "written": torch.rand(B, M) < 0.7 if ragged else torch.ones(B, M, dtype=torch.bool),
        "source_mask": torch.arange(S) < source_lengths.unsqueeze(1),
    }
    return drawn | scaled | masks


def by_hand() -> Arguments:
    """One token of width 1 after one slot, and a source of two: every number comes out even."""
    numbers = {
        "inputs": [[[1.0]]],
        "attend_hidden": [[1.0]],
        "attend_input": [[1.0]],
        "attend_blend": [[1.0]],
        "attend_bias": [0.0],
        "attend_score": [1.0],
        "gate_input": [[LOG3], [0.0], [-LOG3], [LOG3 / 2]],
        "gate_blend": [[0.0], [0.0], [0.0], [0.0]],
        "gate_bias": [0.0, 0.0, 0.0, 0.0],
        "hidden_tape": [[[0.5]]],
        "memory_tape": [[[-0.5]]],
        "blend": [[0.0]],
        "source_hidden": [[[0.0], [1.0]]],
        "source_memory": [[[4.0], [0.0]]],
        "fuse_source": [[2.0]],
        "fuse_input": [[-1.0]],
        "fuse_blend": [[4.0]],
        "fuse_bias": [-1.0],
        "fuse_score": [LOG3 / math.tanh(2)],
        "gate_source_input": [[LOG3]],
        "gate_source_blend": [[-LOG3 / 0.75]],
        "gate_source_bias": [-LOG3],
        "source_blend": [[0.5]],
    }
    yes = {"mask": [[True]], "written": [[True]], "source_mask": [[True, True]]}
    given = {name: torch.tensor(value, dtype=torch.float64) for name, value in numbers.items()}
    return given | {name: torch.tensor(value) for name, value in yes.items()}


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_step_by_hand(backend: str) -> None:
    tapes = fusion(**by_hand(), backend=backend)
    # (11): the query is -1·1 + 4·½ - 1 = 0, so that b = u tanh(2·0), u tanh(2·1) = 0, log 3. (12): ¼ and ¾
    expected: dict[str, Any] = {"source_attention": [[[0.25, 0.75]]], "attention": [[[1.0, 0.0]]]}
    # (13): γ̃ = ¾·1 and α̃ = ¼·4 = 1. Its own tape has one slot: h̃ = ½, c̃ = -½
    expected |= {"source_blend": [[0.75]], "blend": [[0.5]]}
    # (14): r = σ(log 3 - log 3 - log 3) = ¼. (7): i = ¾, f = ½, o = ¼, ĉ = ½
    # (15): c = ¼·1 + ½·(-½) + ¾·½ = 3/8. (16): h = ¼ tanh(c)
    expected |= {"memory": [[[0.375]]], "hidden": [[[0.25 * math.tanh(0.375)]]]}
    for name, value in expected.items():
        torch.testing.assert_close(getattr(tapes, name), torch.tensor(value, dtype=torch.float64), rtol=0, atol=1e-12)


@pytest.mark.parametrize("backend", BACKENDS)
def test_without_a_source_it_is_an_lstmn(backend: str) -> None:
    given = in_float64(arguments(B=4, T=5, D=4, ragged=True))
    given["source_mask"] = torch.zeros(4, 3, dtype=torch.bool)
    fused = fusion(**given, span=2, backend=backend)
    alone = lstmn(**{name: given[name] for name in LSTMN_AXES}, span=2, backend=backend)
    for name, expected in alone._asdict().items():
        torch.testing.assert_close(getattr(fused, name), expected)
    assert not fused.source_attention.any()
    nothing_read = torch.where(given["mask"].any(dim=1, keepdim=True), 0, given["source_blend"])
    assert fused.source_blend.equal(nothing_read)


@pytest.mark.parametrize("backend", BACKENDS)
def test_padding_and_masked_source_slots_change_nothing(backend: str) -> None:
    bare = arguments(B=2, T=3, D=5)
    real, slots = torch.tensor([0, 2, 3]), torch.tensor([1, 2, 4])
    padded = dict(bare)
    for name, kept, size, junk in (
        ("inputs", real, 5, 7.0),
        ("source_hidden", slots, 6, torch.nan),
        ("source_memory", slots, 6, torch.nan),
    ):
        padded[name] = torch.full((2, size, bare[name].shape[2]), junk)
        padded[name][:, kept] = bare[name]
    padded["mask"] = torch.isin(torch.arange(5), real).expand(2, 5)
    padded["source_mask"] = torch.isin(torch.arange(6), slots).expand(2, 6)
    expected, tapes = fusion(**bare, backend=backend), fusion(**padded, backend=backend)
    torch.testing.assert_close(tapes.hidden[:, real], expected.hidden)
    torch.testing.assert_close(tapes.memory[:, real], expected.memory)
    torch.testing.assert_close(tapes.source_attention[:, real][..., slots], expected.source_attention)
    torch.testing.assert_close(tapes.source_attention.sum(), expected.source_attention.sum())
    torch.testing.assert_close(tapes.source_blend, expected.source_blend)
    torch.testing.assert_close(tapes.blend, expected.blend)
    assert not any(part[:, [1, 4]].any() for part in tapes[:4])


@pytest.mark.parametrize("backend", BACKENDS)
def test_gradients_are_those_of_the_numbers(backend: str) -> None:
    given = in_float64(arguments(B=2, T=2, D=2, E=1, S=2, ragged=True))
    given["source_mask"][0, 0] = True
    names = [name for name, x in given.items() if x.is_floating_point()]

    def run(*numbers: Tensor) -> tuple[Tensor, ...]:
        return tuple(fusion(**given | dict(zip(names, numbers, strict=True)), backend=backend))

    assert torch.autograd.gradcheck(run, [given[name].requires_grad_() for name in names])


@pytest.mark.parametrize("ragged", [False, True], ids=["dense", "ragged"])
@pytest.mark.parametrize(
    ("sizes", "span"),
    [
        ({"B": 9, "T": 1, "D": 33, "S": 65}, None),
        ({"B": 33, "T": 2, "D": 100, "S": 3}, 2),
        ({"B": 2, "T": 63, "D": 7, "S": 9}, None),
        ({"B": 5, "T": 9, "D": 65, "S": 63}, 4),
    ],
    ids=lambda part: "-".join(map(str, part.values())) if isinstance(part, dict) else str(part),
)
@pytest.mark.usefixtures("poisoned_memory")
def test_fast_matches_reference(sizes: dict[str, int], span: int | None, ragged: bool) -> None:
    given = arguments(**sizes, ragged=ragged)
    assert_matches_reference(partial(fast.fusion, span=span), partial(reference.fusion, span=span), given)


@pytest.mark.parametrize("name", ["source_hidden", "fuse_source", "fuse_input", "source_memory"])
def test_fast_is_right_on_sums_of_a_hundred(name: str) -> None:
    given = in_float64(arguments(B=5, T=9, D=33, ragged=True))
    given[name] *= 100 / given[name].abs().max()
    answers = []
    for op in (fast.fusion, reference.fusion):
        leaves = {name: x.clone().requires_grad_(x.is_floating_point()) for name, x in given.items()}
        outputs = op(**leaves)
        learning = [x for x in leaves.values() if x.requires_grad]
        answers.append([*outputs, *torch.autograd.grad([part.square().sum() for part in outputs], learning)])
    for one, two in zip(*answers, strict=True):
        torch.testing.assert_close(one, two, rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("output", range(6))
def test_the_gradient_of_one_output_alone(output: int) -> None:
    given = in_float64(arguments(B=3, T=4, D=5, ragged=True))
    inputs = given["inputs"].requires_grad_()
    one, two = (torch.autograd.grad(fusion(**given, backend=name)[output].square().sum(), inputs) for name in BACKENDS)
    torch.testing.assert_close(one, two)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"source_hidden": torch.zeros(2, 3, 4)}, "source_hidden is [2, 3, 4] and must be [B, S, D], here [3, 3, 4]"),
        ({"source_memory": torch.zeros(3, 2, 4)}, "source_memory is [3, 2, 4] and must be [B, S, D], here [3, 3, 4]"),
        ({"source_mask": torch.ones(3, 3)}, "source_mask is torch.float32 and must be torch.bool"),
        ({"fuse_input": torch.zeros(4, 5)}, "fuse_input is [4, 5] and must be [D, E], here [4, 6]"),
        ({"span": 0}, "span is 0 and must be at least 1; without a bound it is None"),
    ],
)
def test_what_does_not_fit_is_told_by_name(change: Arguments, message: str) -> None:
    with pytest.raises(InputError, match=re.escape(f"fusion: {message}")):
        fusion(**arguments(B=3, T=5, D=4) | change)


def test_operators_keep_the_rules_of_torch_library() -> None:
    given = arguments(B=3, T=2, D=4, ragged=True)
    leaves = [given[name].requires_grad_(given[name].is_floating_point()) for name in AXES]
    torch.library.opcheck(torch.ops.readhead.fusion.default, (*leaves, None))
    quick = ("test_schema", "test_autograd_registration", "test_faketensor")
    torch.library.opcheck(torch.ops.readhead.fusion_reference.default, (*leaves, 2), test_utils=quick)


def test_compiles_and_trains() -> None:
    given = arguments(B=3, T=4, D=5, ragged=True)
    gradients = []
    for run in (fusion, torch.compile(fusion, backend="aot_eager", fullgraph=True)):
        inputs = given["inputs"].clone().requires_grad_()
        torch.autograd.backward(run(**given | {"inputs": inputs}).hidden.sum())
        gradients.append(inputs.grad)
    torch.testing.assert_close(*gradients)
