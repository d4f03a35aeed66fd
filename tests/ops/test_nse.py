"""`nse`: its definition by hand, its laws, its gradients, and the fast operator against the definition."""

from __future__ import annotations

import math
import re
import subprocess
import sys
from collections.abc import Sequence
from functools import partial
from typing import Any

import pytest
import torch
from torch import Tensor

from readhead.bench.memory import saved_bytes
from readhead.errors import InputError
from readhead.ops import chosen_backend, nse
from readhead.ops.nse import IMPLEMENTATIONS, Memories, reference
from readhead.ops.nse import torch as fast
from readhead.ops.nse.signature import AXES
from tests.compare import assert_matches_reference, in_float64

BACKENDS = list(IMPLEMENTATIONS)
LSTM_ROWS = [0, 1, 3, 2]  # torch has i, f, ĉ, o
LOG3 = math.log(3)

Arguments = dict[str, Any]


def arguments(*, B: int, T: int, D: int, sizes: Sequence[int], L: int = 1, ragged: bool = False) -> Arguments:
    """Random ones; ragged: lengths from none to all tokens, and slots that do not exist."""
    lengths = torch.arange(B) * 5 % (T + 1) if ragged else torch.full((B,), T)
    C, S = (len(sizes) + 1) * D, sum(sizes)
    axis_sizes = {"B": B, "T": T, "D": D, "S": S, "C": C, "4D": 4 * D, "L": L, "L-1": L - 1}
    drawn = {name: torch.randn([axis_sizes[axis] for axis in axes.split()]) for name, axes in AXES.items()}
    scaled = {name: x / D**0.5 for name, x in drawn.items() if name.startswith(("compose", "write"))}
    masks = {
        "mask": torch.arange(T) < lengths.unsqueeze(1),
        "slots": torch.rand(B, S) < 0.7 if ragged else torch.ones(B, S, dtype=torch.bool),
    }
    return drawn | scaled | masks | {"kept": (torch.rand(B, T, C) < 0.7) / 0.7}


def learning(given: Arguments) -> list[str]:
    return [name for name, x in given.items() if x.is_floating_point() and name != "kept"]


def answers(given: Arguments, sizes: Sequence[int], backend: str) -> list[Tensor]:
    """The outputs, and the gradients of their squares."""
    leaves = given | {name: given[name].clone().requires_grad_() for name in learning(given)}
    outputs = nse(**leaves, sizes=sizes, backend=backend)
    squares = [part.square().sum() for part in outputs]
    return [*outputs, *torch.autograd.grad(squares, [leaves[name] for name in learning(given)])]


def tensors(**values: Any) -> Arguments:
    return {name: torch.tensor(value, dtype=torch.float64) for name, value in values.items()}


def by_hand() -> Arguments:
    """Two tokens of width 1 and a memory of two slots."""
    numbers = tensors(
        reads=[[[LOG3], [0.0]]],
        memory=[[[0.0], [1.0]]],
        compose=[[1 / LOG3, 0.0], [0.0, 4 / 3]],
        compose_bias=[0.0, 1.0],
        kept=[[[2.0, 0.5], [0.0, 1.0]]],
        write_input=[[LOG3 / 2, 0.0], [0.0, 0.0], [0.0, -LOG3], [0.0, 0.0]],
        write_hidden=[[[0.0], [0.0], [0.0], [8.0]]],
        write_bias=[[0.0, 0.0, 0.0, LOG3 / 2]],
    )
    yes = torch.ones(1, 2, dtype=torch.bool)
    return numbers | {"write_upper": torch.zeros(0, 4, 1, dtype=torch.float64), "mask": yes, "slots": yes}


@pytest.mark.parametrize("backend", BACKENDS)
def test_two_steps_by_hand(backend: str) -> None:
    found = nse(**by_hand(), sizes=[2], backend=backend)
    # First token. (2): scores log(3)·0 and log(3)·1, so z = ¼, ¾. (3): m = ¾·1
    # (4): c = log(3)/log(3), 4/3·¾ + 1 = 1, 2; of which 2·1 and ½·2 are kept
    # (5): i = σ(log 3) = ¾, o = σ(-log 3) = ¼, ĉ = tanh(log(3) / 2) = ½, from no cell: 3/8
    first = 0.25 * math.tanh(0.375)
    # (6): ¾·0 + ¼h, ¼·1 + ¾h
    slots = [0.25 * first, 0.25 + 0.75 * first]
    # Second token. (2): z = ½, ½. (3): m is the mean. (4): c = 0, 4/3 m + 1; dropout takes the first
    composed = 4 / 3 * sum(slots) / 2 + 1
    # (5): i = f = ½, o = σ(-log(3) c), ĉ = tanh(8h + log(3) / 2)
    cell = 0.5 * 0.375 + 0.5 * math.tanh(8 * first + LOG3 / 2)
    second = math.tanh(cell) / (1 + math.exp(LOG3 * composed))
    expected = tensors(
        attention=[[[0.25, 0.75], [0.5, 0.5]]],
        hidden=[[[first], [second]]],
        memory=[[[(slot + second) / 2] for slot in slots]],
    )
    for name, value in expected.items():
        torch.testing.assert_close(getattr(found, name), value, rtol=0, atol=1e-12)


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_memory_of_one_slot_hands_on_the_last_h(backend: str) -> None:
    given = in_float64(arguments(B=3, T=5, D=4, sizes=[1]))
    found = nse(**given, sizes=[1], backend=backend)
    assert found.attention.eq(1).all()
    assert found.memory[:, 0].equal(found.hidden[:, -1])
    # Without the write LSTM's own state, what stands in the slot is all that comes from before.
    given["write_hidden"].zero_()
    given["write_bias"][0, 4:8] = -1e9  # forget
    whole = nse(**given, sizes=[1], backend=backend)
    part = {name: given[name][:, 3:] for name in ("reads", "mask", "kept")}
    carried = nse(**given | part | {"memory": whole.hidden[:, 2:3]}, sizes=[1], backend=backend)
    torch.testing.assert_close(carried.hidden, whole.hidden[:, 3:], rtol=0, atol=1e-12)


@pytest.mark.parametrize("backend", BACKENDS)
def test_what_is_written_with_a_one_hot_key_is_read_back_exactly(backend: str) -> None:
    given = arguments(B=2, T=1, D=4, sizes=[3])
    given["memory"] = 0.1 * torch.eye(4)[:3].expand(2, 3, 4)
    given["reads"] = 1e5 * torch.eye(4)[[1, 0]].unsqueeze(1)  # the first text asks for slot 1, the second for slot 0
    given["compose"][:, :4] = 0  # so large a number is for asking alone
    found = nse(**given, sizes=[3], backend=backend)
    assert found.attention.squeeze(1).equal(torch.eye(3)[[1, 0]])
    for text, slot in enumerate((1, 0)):
        assert found.memory[text, slot].equal(found.hidden[text, 0])
        others = [other for other in range(3) if other != slot]
        assert found.memory[text, others].equal(given["memory"][text, others])
    (blend,), keys = reference.read_memories(1e5 * found.hidden[:, 0], found.memory, given["slots"], [3])
    assert keys.equal(found.attention.squeeze(1))
    assert blend.equal(found.hidden[:, 0])


@pytest.mark.parametrize("backend", BACKENDS)
def test_masked_slots_come_back_bit_by_bit(backend: str) -> None:
    given = arguments(B=5, T=6, D=3, sizes=[4, 3], ragged=True)
    given["memory"][~given["slots"]] = torch.tensor([torch.nan, -0.0, torch.inf])
    found = nse(**given, sizes=[4, 3], backend=backend)
    before, after = (x[~given["slots"]].view(torch.int32) for x in (given["memory"], found.memory))
    assert len(before) and before.equal(after)
    assert found.memory[given["slots"]].isfinite().all()
    assert not found.attention.masked_select(~given["slots"].unsqueeze(1)).any()


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_memory_without_slots_gives_nothing(backend: str) -> None:
    given = in_float64(arguments(B=3, T=4, D=3, sizes=[5, 2]))
    given["slots"][:, 5:] = False
    found = nse(**given, sizes=[5, 2], backend=backend)
    # Its part of the composition sees zeros: without it, that of the rest is the same.
    without = {
        "memory": given["memory"][:, :5],
        "slots": given["slots"][:, :5],
        "compose": given["compose"].clone(),
    }
    without["compose"][:, 6:] = 0
    empty = nse(**given | without, sizes=[5, 0], backend=backend)
    torch.testing.assert_close(found.hidden, empty.hidden, rtol=0, atol=1e-14)
    torch.testing.assert_close(found.memory[:, :5], empty.memory, rtol=0, atol=1e-14)
    assert found.memory[:, 5:].equal(given["memory"][:, 5:])


def written_out(given: Arguments, sizes: Sequence[int], text: int) -> tuple[list[Tensor], list[Tensor]]:
    """Eq. (7)-(15) for one text without padding: every h, and the memories after it."""
    dim = given["reads"].shape[2]
    memories = list(given["memory"][text].split(list(sizes)))
    h = cell = torch.zeros(dim, dtype=torch.float64)
    hidden = []
    for o, kept in zip(given["reads"][text], given["kept"][text], strict=True):
        keys = [torch.exp(memory @ o) / torch.exp(memory @ o).sum() for memory in memories]
        read = [(key.unsqueeze(1) * memory).sum(dim=0) for key, memory in zip(keys, memories, strict=True)]
        composed = given["compose"] @ torch.cat([o, *read]) + given["compose_bias"]
        sums = given["write_input"] @ (kept * composed) + given["write_hidden"][0] @ h + given["write_bias"][0]
        cell = sums[dim : 2 * dim].sigmoid() * cell + sums[:dim].sigmoid() * sums[3 * dim :].tanh()
        h = sums[2 * dim : 3 * dim].sigmoid() * cell.tanh()
        hidden.append(h)
        memories = [
            memory * (1 - torch.outer(key, torch.ones(dim))) + torch.outer(key, h)
            for memory, key in zip(memories, keys, strict=True)
        ]
    return hidden, memories


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("sizes", [[4], [2, 3], [1, 4, 2]], ids=str)
def test_many_memories_are_their_equations(sizes: list[int], backend: str) -> None:
    given = in_float64(arguments(B=2, T=5, D=3, sizes=sizes))
    found = nse(**given, sizes=sizes, backend=backend)
    for text in range(2):
        hidden, memories = written_out(given, sizes, text)
        torch.testing.assert_close(found.hidden[text], torch.stack(hidden), rtol=0, atol=1e-12)
        torch.testing.assert_close(found.memory[text], torch.cat(memories), rtol=0, atol=1e-12)


def lstm_of(weights: Arguments, *, prefix: str, num_layers: int) -> torch.nn.LSTM:
    """torch's, with the weights of `nse`'s write LSTM, or of its read LSTM."""
    width, rows = weights[f"{prefix}_hidden"].shape[2], []
    for gate in LSTM_ROWS:
        rows += range(gate * width, (gate + 1) * width)
    inputs = [weights[f"{prefix}_input"], *weights[f"{prefix}_upper"]]
    lstm = torch.nn.LSTM(inputs[0].shape[1], width, num_layers, batch_first=True, dtype=inputs[0].dtype)
    with torch.no_grad():
        for layer, by_input in enumerate(inputs):
            getattr(lstm, f"weight_ih_l{layer}").copy_(by_input[rows])
            getattr(lstm, f"weight_hh_l{layer}").copy_(weights[f"{prefix}_hidden"][layer, rows])
            getattr(lstm, f"bias_ih_l{layer}").copy_(weights[f"{prefix}_bias"][layer, rows])
            getattr(lstm, f"bias_hh_l{layer}").zero_()
    return lstm


@pytest.mark.parametrize("backend", BACKENDS)
def test_the_write_lstm_is_an_lstm_of_several_layers(backend: str) -> None:
    given = in_float64(arguments(B=3, T=6, D=4, sizes=[2], L=3))
    given["compose"][:, 4:] = 0  # so that nothing is read
    composed = given["kept"] * torch.nn.functional.linear(
        given["reads"], given["compose"][:, :4], given["compose_bias"]
    )
    with torch.no_grad():
        expected, _ = lstm_of(given, prefix="write", num_layers=3)(composed)
    found = nse(**given, sizes=[2], backend=backend)
    torch.testing.assert_close(found.hidden, expected, rtol=0, atol=1e-13)


def test_the_read_lstm_is_one_too_and_knows_padding() -> None:
    weights = {
        name: torch.randn(shape, dtype=torch.float64)
        for name, shape in (
            ("read_input", (8, 3)),
            ("read_hidden", (2, 8, 2)),
            ("read_upper", (1, 8, 2)),
            ("read_bias", (2, 8)),
        )
    }
    bare = torch.randn(4, 5, 3, dtype=torch.float64)
    real = torch.tensor([0, 2, 3, 5, 6])
    inputs, mask = torch.full((4, 8, 3), torch.nan, dtype=torch.float64), torch.zeros(4, 8, dtype=torch.bool)
    inputs[:, real], mask[:, real] = bare, True
    with torch.no_grad():
        expected, _ = lstm_of(weights, prefix="read", num_layers=2)(bare)
    found = reference.read(inputs=inputs, mask=mask, **weights)
    torch.testing.assert_close(found[:, real], expected, rtol=0, atol=1e-13)
    assert not found[:, [1, 4, 7]].any()


@pytest.mark.parametrize("backend", BACKENDS)
def test_padding_and_masked_slots_change_nothing(backend: str) -> None:
    bare = in_float64(arguments(B=2, T=4, D=5, sizes=[3, 2], L=2))
    real, slots = torch.tensor([0, 2, 3, 6]), torch.tensor([1, 2, 4, 5, 7])  # holes, at the end and in between
    padded = dict(bare)
    for name, places, size in (("reads", real, 8), ("kept", real, 8), ("memory", slots, 9)):
        padded[name] = torch.full((2, size, bare[name].shape[2]), torch.nan, dtype=torch.float64)
        padded[name][:, places] = bare[name]
    padded["mask"], padded["slots"] = (
        torch.isin(torch.arange(n), at).expand(2, n) for n, at in ((8, real), (9, slots))
    )
    expected = nse(**bare, sizes=[3, 2], backend=backend)
    leaves = padded | {name: padded[name].requires_grad_() for name in learning(padded)}
    found = nse(**leaves, sizes=[5, 4], backend=backend)
    torch.testing.assert_close(found.hidden[:, real], expected.hidden)
    torch.testing.assert_close(found.attention[:, real][..., slots], expected.attention)
    torch.testing.assert_close(found.memory[:, slots], expected.memory)
    torch.testing.assert_close(found.attention.sum(), expected.attention.sum())
    assert not found.hidden[:, [1, 4, 5, 7]].any()
    torch.autograd.backward([part.nansum() for part in found])
    for name in learning(padded):
        assert leaves[name].grad.isfinite().all(), name
    assert not leaves["reads"].grad[:, [1, 4, 5, 7]].any()


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize(
    ("sizes", "L", "ragged"), [([3], 1, False), ([2, 1], 2, True)], ids=["dense", "several, ragged"]
)
def test_gradients_are_those_of_the_numbers(sizes: list[int], L: int, ragged: bool, backend: str) -> None:
    given = in_float64(arguments(B=2 if ragged else 1, T=3, D=2, sizes=sizes, L=L, ragged=ragged))
    names = learning(given)

    def run(*numbers: Tensor) -> tuple[Tensor, ...]:
        return tuple(nse(**given | dict(zip(names, numbers, strict=True)), sizes=sizes, backend=backend))

    assert torch.autograd.gradcheck(run, [given[name].requires_grad_() for name in names])


@pytest.mark.parametrize("ragged", [False, True], ids=["dense", "ragged"])
@pytest.mark.parametrize(
    "lengths",
    [
        {"B": 1, "T": 1, "D": 1, "sizes": [1]},
        {"B": 9, "T": 33, "D": 1, "sizes": [5, 3], "L": 2},
        {"B": 33, "T": 1, "D": 100, "sizes": [7]},
        {"B": 9, "T": 33, "D": 7, "sizes": [33]},
        {"B": 5, "T": 17, "D": 100, "sizes": [17], "L": 2},
        {"B": 5, "T": 9, "D": 33, "sizes": [9, 0, 4, 1], "L": 3},
    ],
    ids=lambda lengths: "-".join(map(str, lengths.values())),
)
@pytest.mark.usefixtures("poisoned_memory")
def test_fast_matches_reference(lengths: Arguments, ragged: bool) -> None:
    given = arguments(**lengths, ragged=ragged)
    more = {"sizes": lengths["sizes"], "kept": given.pop("kept")}
    assert_matches_reference(partial(fast.nse, **more), partial(reference.nse, **more), given)


@pytest.mark.parametrize("name", ["reads", "memory", "write_input", "compose"])
def test_fast_is_right_on_sums_of_a_hundred(name: str) -> None:
    given = in_float64(arguments(B=5, T=12, D=9, sizes=[6, 4], ragged=True))
    given[name] *= 100 / given[name].abs().max()
    for one, two in zip(answers(given, [6, 4], "torch"), answers(given, [6, 4], "reference"), strict=True):
        torch.testing.assert_close(one, two, rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("output", range(3))
def test_the_gradient_of_one_output_alone(output: int) -> None:
    given = in_float64(arguments(B=3, T=4, D=5, sizes=[3], ragged=True))
    leaves = [given[name].requires_grad_() for name in ("reads", "memory", "write_bias")]
    one, two = (
        torch.autograd.grad(nse(**given, sizes=[3], backend=name)[output].square().sum(), leaves) for name in BACKENDS
    )
    torch.testing.assert_close(one, two)


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_text_without_tokens_leaves_its_memory(backend: str) -> None:
    given = arguments(B=2, T=0, D=3, sizes=[4])
    found = answers(given, [4], backend)
    assert found[1].equal(given["memory"])
    by_memory = found[3 + learning(given).index("memory")]
    assert by_memory.equal(2 * given["memory"])
    given = arguments(B=2, T=3, D=3, sizes=[4])
    given["mask"][0] = False
    assert nse(**given, sizes=[4], backend=backend).memory[0].equal(given["memory"][0])


@pytest.mark.parametrize("T", [0, 1])
def test_arguments_stay_as_they_are(T: int) -> None:
    given = arguments(B=1, T=T, D=3, sizes=[1])  # sizes of 1, with which a copy is easily none
    before = {name: x.clone() for name, x in given.items()}
    answers(given, [1], "torch")
    found = nse(**given, sizes=[1], backend="torch")
    assert all(x.equal(before[name]) for name, x in given.items())
    storages = {x.untyped_storage().data_ptr() for x in [*found, *given.values()] if x.numel()}
    assert len(storages) == sum(x.numel() > 0 for x in [*found, *given.values()])


def test_what_is_kept_for_the_backward_has_no_memory_for_every_token() -> None:
    B, T, D = 2, 64, 16
    given = arguments(B=B, T=T, D=D, sizes=[T])
    leaves = [given[name].requires_grad_() for name in learning(given)]
    saved = saved_bytes(lambda: nse(**given, sizes=[T], backend="torch"), given=[*leaves, given["kept"]])
    assert saved < 4 * B * (11 * T * D + T * T + 12 * D) < 4 * B * T * T * D / 3


def test_the_fast_one_says_that_it_has_no_second_derivative() -> None:
    given = arguments(B=1, T=2, D=3, sizes=[2])
    reads = given["reads"].requires_grad_()
    hidden = nse(**given, sizes=[2], backend="torch").hidden
    (gradient,) = torch.autograd.grad(hidden.sum(), reads, create_graph=True)
    with pytest.raises(RuntimeError, match="nse cannot be differentiated twice; its reference backend can"):
        torch.autograd.backward(gradient.sum())


@pytest.mark.parametrize(
    ("change", "sizes", "message"),
    [
        # a shared memory of another width
        ({"memory": torch.zeros(3, 5, 6)}, [2, 3], "memory is [3, 5, 6] and must be [B, S, D], here [3, 5, 4]"),
        ({"slots": torch.ones(3, 5)}, [2, 3], "slots is torch.float32 and must be torch.bool"),
        ({"mask": torch.ones(3, 6).bool()}, [2, 3], "mask is [3, 6] and must be [B, T], here [3, 5]"),
        ({"kept": torch.ones(3, 5, 4)}, [2, 3], "kept is [3, 5, 4] and must be [B, T, C], here [3, 5, 12]"),
        (
            {"write_upper": torch.zeros(2, 16, 4)},
            [2, 3],
            "write_upper is [2, 16, 4] and must be [L-1, 4D, D], here [1, 16, 4]",
        ),
        ({"compose_bias": torch.zeros(12).double()}, [2, 3], "compose_bias is torch.float64 and must be torch.float32"),
        ({}, [2, 2], "sizes is [2, 2] and must share out the memory's slots, here 5"),
        ({}, [6, -1], "sizes is [6, -1] and must share out the memory's slots, here 5"),
        ({}, [], "sizes is [] and must share out the memory's slots, here 5"),
        ({}, [5], "compose is [12, 12] and must be [C, C] with C = (N + 1) D, here N = 1 and D = 4"),
    ],
)
def test_what_does_not_fit_is_told_by_name(change: Arguments, sizes: list[int], message: str) -> None:
    with pytest.raises(InputError, match=re.escape(f"nse: {message}")):
        nse(**arguments(B=3, T=5, D=4, sizes=[2, 3], L=2) | change, sizes=sizes)


def test_an_lstm_of_no_layers_is_told() -> None:
    given = arguments(B=3, T=5, D=4, sizes=[2])
    none = {"write_hidden": torch.zeros(0, 16, 4), "write_bias": torch.zeros(0, 16)}
    with pytest.raises(InputError, match="nse: write_"):
        nse(**given | none, sizes=[2])


def test_operators_keep_the_rules_of_torch_library() -> None:
    given = arguments(B=3, T=3, D=2, sizes=[2, 1], L=2, ragged=True)
    given["kept"] = torch.ones(1, 1, 1).expand(3, 3, 6)
    for name in learning(given):
        given[name].requires_grad_()
    leaves = [given[name] for name in AXES]
    torch.library.opcheck(torch.ops.readhead.nse.default, (*leaves, [2, 1]))
    quick = ("test_schema", "test_autograd_registration", "test_faketensor")
    torch.library.opcheck(torch.ops.readhead.nse_reference.default, (*leaves, [2, 1]), test_utils=quick)


def test_compiles_to_one_node_at_any_length_and_trains() -> None:
    assert chosen_backend("nse", torch.device("cpu")).backend == "torch"

    def op(**given: Tensor) -> Memories:
        return nse(**given, sizes=[given["memory"].shape[1]])

    graphs = []

    def backend(graph: torch.fx.GraphModule, _: object) -> torch.fx.GraphModule:
        graphs.append([str(node.target) for node in graph.graph.nodes if "readhead" in str(node.target)])
        return graph

    compiled = torch.compile(op, backend=backend, fullgraph=True, dynamic=True)
    for T in (4, 6):
        given = arguments(B=3, T=T, D=5, sizes=[T + 3], ragged=True)
        torch.testing.assert_close(compiled(**given), op(**given))
    assert graphs == [["readhead.nse"]]
    gradients = []
    for run in (op, torch.compile(op, backend="aot_eager", fullgraph=True)):
        leaves = [given[name].clone().requires_grad_() for name in ("reads", "memory")]
        found = run(**given | dict(zip(("reads", "memory"), leaves, strict=True)))
        torch.autograd.backward([found.hidden.sum(), found.memory.sum()])
        gradients.append([x.grad for x in leaves])
    torch.testing.assert_close(*gradients)


def test_a_first_call_does_not_wait_for_the_compiler() -> None:
    program = (
        "import sys, torch; from readhead.ops import nse; from readhead.bench.timed_ops import nse_inputs, whole_nse;"
        "whole_nse(nse)(**nse_inputs((2, 3, 4), torch.Generator()));"
        "assert 'torch._dynamo' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


def test_mixed_precision_computes_in_float32() -> None:
    given = arguments(B=3, T=4, D=5, sizes=[4], ragged=True)
    half = given | {"reads": given["reads"].bfloat16()}
    with torch.autocast("cpu", dtype=torch.bfloat16):
        mixed = nse(**half, sizes=[4])
    torch.testing.assert_close(mixed, nse(**half | {"reads": half["reads"].float()}, sizes=[4]))


@pytest.mark.gpu
@pytest.mark.parametrize("ragged", [False, True], ids=["dense", "ragged"])
def test_fast_matches_reference_on_a_gpu(ragged: bool) -> None:
    given = {name: x.cuda() for name, x in arguments(B=9, T=33, D=65, sizes=[20, 3], L=2, ragged=ragged).items()}
    more = {"sizes": [20, 3], "kept": given.pop("kept")}
    assert_matches_reference(partial(fast.nse, **more), partial(reference.nse, **more), given)
