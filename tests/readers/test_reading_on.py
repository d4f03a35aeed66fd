"""The laws of readers that read on: however a text is cut, it is read the same."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor

from readhead.errors import InputError
from readhead.readers import READERS
from readhead.readers.causal import CausalReader, State
from readhead.readers.state import open_state, save_state
from tests import laws

CAUSAL = [name for name, target in READERS.items() if issubclass(laws.constructor(target), CausalReader)]
VARIANTS: list[tuple[str, dict[str, Any]]] = [
    *((name, {}) for name in CAUSAL),
    ("lstm", {"num_layers": 1}),
    ("lstmn", {"span": 3}),
    ("lstmn", {"span": 1, "num_layers": 1}),
    ("lstmn", {"skip_connections": True, "span": 100}),
]
every_causal_reader = pytest.mark.parametrize(("name", "options"), VARIANTS)


def make(name: str, options: dict[str, Any]) -> CausalReader:
    reader = laws.make_reader(name, **options)
    assert isinstance(reader, CausalReader)
    return reader


def texts(lengths: list[int], longest: int = 6) -> tuple[Tensor, Tensor]:
    """Embedded tokens, not zero where padded, and the mask."""
    mask = torch.arange(longest) < torch.tensor(lengths).unsqueeze(1)
    return torch.randn(len(lengths), longest, laws.EMBEDDED), mask


def assert_same_from_here(reader: CausalReader, state: State, expected: State, *, atol: float = 1e-6) -> None:
    """Both states go on alike. Where a tape has its unread slots is nobody's business."""
    embedded, mask = texts([3] * len(next(iter(state.values()))), longest=3)
    ours, theirs = (reader.read(embedded, mask, one)[0].outputs for one in (state, expected))
    torch.testing.assert_close(ours, theirs, rtol=0, atol=atol)


def test_there_are_causal_readers() -> None:
    assert {"lstm", "lstmn"} <= set(CAUSAL)


@every_causal_reader
def test_token_by_token_equals_the_batch(name: str, options: dict[str, Any]) -> None:
    reader, (embedded, mask) = make(name, options), texts([6, 6, 6])
    reading, expected = reader.read(embedded, mask, reader.initial_state(3))
    state, outputs = reader.initial_state(3), []
    for token in embedded.unbind(1):
        output, state = reader.step(token, state)
        outputs.append(output)
    torch.testing.assert_close(torch.stack(outputs, dim=1), reading.outputs, rtol=0, atol=1e-6)
    torch.testing.assert_close(reader(embedded, mask).outputs, reading.outputs, rtol=0, atol=1e-6)
    assert_same_from_here(reader, state, expected)


@every_causal_reader
@pytest.mark.parametrize("cut", [1, 4])
def test_two_segments_equal_the_whole(name: str, options: dict[str, Any], cut: int) -> None:
    reader, (embedded, mask) = make(name, options), texts([6, 0, 1, 4, 5])
    whole, expected = reader.read(embedded, mask, reader.initial_state(5))
    first, state = reader.read(embedded[:, :cut], mask[:, :cut], reader.initial_state(5))
    second, state = reader.read(embedded[:, cut:], mask[:, cut:], state)
    outputs = torch.cat([first.outputs, second.outputs], dim=1)
    torch.testing.assert_close(outputs, whole.outputs, rtol=0, atol=1e-6)
    assert_same_from_here(reader, state, expected)


@every_causal_reader
def test_gradients_flow_through_the_state(name: str, options: dict[str, Any]) -> None:
    reader, (embedded, mask) = make(name, options).double(), texts([6, 2])
    embedded = embedded.double()

    def gradients(cuts: list[int]) -> list[Tensor]:
        state, outputs = reader.initial_state(2), []
        for begin, end in zip([0, *cuts], [*cuts, 6], strict=True):
            reading, state = reader.read(embedded[:, begin:end], mask[:, begin:end], state)
            outputs.append(reading.outputs)
        return list(torch.autograd.grad(torch.cat(outputs, dim=1).square().sum(), list(reader.parameters())))

    torch.testing.assert_close(gradients([3]), gradients([]))


@every_causal_reader
def test_padding_leaves_the_state_as_it_was(name: str, options: dict[str, Any]) -> None:
    reader, lengths = make(name, options), [6, 0, 1, 4]
    first = texts([6] * 4)
    _, begun = reader.read(*first, reader.initial_state(4))  # a state that is not zero
    embedded, mask = texts(lengths)
    reading, state = reader.read(embedded, mask, begun)
    assert not reading.outputs[~mask].any()
    for b, length in enumerate(lengths):
        alone = {key: value[b : b + 1] for key, value in begun.items()}
        if length:
            _, alone = reader.read(embedded[b : b + 1, :length], mask[b : b + 1, :length], alone)
        assert_same_from_here(reader, {key: value[b : b + 1] for key, value in state.items()}, alone)


@every_causal_reader
def test_a_saved_state_goes_on_identically(name: str, options: dict[str, Any], tmp_path: Path) -> None:
    reader, (embedded, mask) = make(name, options), texts([6, 0, 3])
    for state in (reader.initial_state(3), reader.read(embedded, mask, reader.initial_state(3))[1]):
        save_state(tmp_path / "state.safetensors", reader, state)
        opened = open_state(tmp_path / "state.safetensors", reader)
        assert opened.keys() == state.keys()
        assert all(torch.equal(opened[key], value) for key, value in state.items())
        assert_same_from_here(reader, opened, state, atol=0)


@every_causal_reader
def test_a_state_is_bounded_but_for_a_tape_without_a_span(name: str, options: dict[str, Any]) -> None:
    reader = make(name, options)
    state, sizes = reader.initial_state(2), []
    for length in (6, 6, 1, 1, 1):
        embedded, mask = texts([length, length - 1], longest=length)
        _, state = reader.read(embedded, mask, state)
        sizes.append(sum(value.numel() for value in state.values()))
    # With a span of 100 it grows still, and will stop.
    assert (len(set(sizes[1:])) == 1) == (reader.bounded and options.get("span") != 100)
    assert reader.bounded == (name != "lstmn" or "span" in options)
    if "span" in options:
        slots = [value.shape[1] for key, value in state.items() if key.endswith(("tape", "written"))]
        assert slots and max(slots) <= options["span"]


@every_causal_reader
def test_a_state_of_another_number_of_texts_is_refused(name: str, options: dict[str, Any]) -> None:
    reader = make(name, options)
    with pytest.raises(InputError, match=r"the state's 1\.\w+ is of 2 texts, the batch has 3"):
        reader.read(*texts([6, 6, 6]), reader.initial_state(2))


@pytest.mark.parametrize(
    ("reader", "other", "told"),
    [
        (("rnn", {}), ("lstm", {}), "1.memory is none of this reader's; it has 1.hidden, 2.hidden"),
        (("lstm", {}), ("rnn", {}), "1.memory is missing; it has 1.hidden, 1.memory, 2.hidden, 2.memory"),
        (("lstm", {"num_layers": 1}), ("lstm", {"num_layers": 3}), "2.hidden is none of this reader's"),
        (("lstmn", {}), ("lstm", {}), "1.blend is missing"),
        (("lstm", {}), ("lstm", {"hidden_dim": 7}), r"1.hidden is \[B, 7\]; this reader's is \[B, 12\]"),
        (("lstmn", {}), ("lstmn", {"hidden_dim": 7}), r"1.hidden_tape is \[B, M, 7\]; this reader's is \[B, M, 12\]"),
    ],
)
def test_another_reader_s_state_is_refused(reader: Any, other: Any, told: str) -> None:
    ours, state = make(*reader), make(*other).initial_state(2)
    embedded, mask = texts([6, 6])
    with pytest.raises(InputError, match=f"the state's {told}"):
        ours.read(embedded, mask, state)
    with pytest.raises(InputError, match=f"the state's {told}"):
        ours.step(embedded[:, 0], state)


@every_causal_reader
def test_a_state_of_another_type_is_refused(name: str, options: dict[str, Any]) -> None:
    reader = make(name, options)
    state, embedded = reader.initial_state(2), torch.randn(2, laws.EMBEDDED, dtype=torch.float64)
    reader.step(embedded.float(), state)
    with pytest.raises(InputError, match=r"the state's 1\.\w+ is torch.float32; this reader's is torch.float64"):
        reader.double().step(embedded, state)
    reader.step(embedded, reader.initial_state(2))


@every_causal_reader
def test_a_state_in_pieces_is_refused(name: str, options: dict[str, Any]) -> None:
    reader = make(name, options)
    state, embedded = dict(reader.initial_state(2)), torch.randn(2, laws.EMBEDDED)
    for key, value in state.items():
        with pytest.raises(InputError, match=r"the state's \S+ is of \d texts, others are of \d"):
            reader.step(embedded, state | {key: value[:1]})
        with pytest.raises(InputError, match=rf"the state's {key} is \[.*\]; this reader's is \["):
            reader.step(embedded, state | {key: value.unsqueeze(-1)})
        with pytest.raises(InputError, match=rf"the state's {key} is missing"):
            reader.step(embedded, {other: state[other] for other in state if other != key})


@every_causal_reader
@pytest.mark.parametrize("lengths", [[6, 6, 6], [6, 0, 3]], ids=["full", "padded"])
def test_mixed_precision_reads_on(name: str, options: dict[str, Any], lengths: list[int]) -> None:
    reader, (embedded, mask) = make(name, options), texts(lengths)
    exact, _ = reader.read(embedded, mask, reader.initial_state(3))
    with torch.autocast("cpu", dtype=torch.bfloat16):
        reading, state = reader.read(embedded, mask, reader.initial_state(3))
        again, _ = reader.read(embedded.bfloat16(), mask, state)
        whole = reader(embedded.bfloat16(), mask).outputs
    torch.testing.assert_close(reading.outputs.float(), exact.outputs, rtol=0, atol=0.05)
    torch.testing.assert_close(whole.float(), exact.outputs, rtol=0, atol=0.05)
    assert again.outputs.isfinite().all()
    assert {value.dtype for value in state.values()} <= {torch.float32, torch.bool}
    whole.float().square().sum().backward()
    assert all(p.grad is not None and p.grad.isfinite().all() for p in reader.parameters())


@pytest.mark.parametrize("name", ["rnn", "lstm"])
def test_torch_s_networks_compute_in_float32_on_a_cpu(name: str) -> None:
    reader, (embedded, mask) = make(name, {}), texts([6, 6])
    with torch.autocast("cpu", dtype=torch.bfloat16):
        outputs = reader(embedded, mask).outputs
    assert torch.equal(outputs, reader(embedded, mask).outputs)


@pytest.mark.parametrize("name", CAUSAL)
@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"hidden_dim": 0}, "hidden_dim = 0: .* at least 1 feature"),
        ({"num_layers": 0}, "num_layers = 0: .* at least 1 layer"),
        ({"dropout": 1.0}, "dropout is 1.0; expected a probability"),
        ({"num_layers": 1, "dropout": 0.5}, r"dropout \(0.5\) stands between layers; it has only one"),
    ],
)
def test_impossible_sizes_are_refused(name: str, options: dict[str, Any], told: str) -> None:
    with pytest.raises(InputError, match=f"{name} reader.*{told}|{told}"):
        laws.constructor(READERS[name])(**{"input_dim": 3, "hidden_dim": 4, "num_layers": 2} | options)


@pytest.mark.parametrize("name", CAUSAL)
def test_dropout_stands_between_layers(name: str) -> None:
    reader = laws.constructor(READERS[name])(input_dim=laws.EMBEDDED, hidden_dim=8, num_layers=2, dropout=0.5)
    embedded, mask = texts([6, 6])
    assert not torch.equal(reader(embedded, mask).outputs, reader(embedded, mask).outputs)
    reader.eval()
    assert torch.equal(reader(embedded, mask).outputs, reader(embedded, mask).outputs)
