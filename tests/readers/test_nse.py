"""NSE and its many-memory form, against the paper's equations written out text by text."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
import torch
from torch import Tensor

from readhead.errors import InputError
from readhead.layers.memory import Memory
from readhead.ops.nse import reference
from readhead.readers.many_memories import ManyMemoryReader
from readhead.readers.nse import NSEReader

D = 4
READ_ORDER, WRITE_ORDER = (0, 1, 3, 2), (0, 1, 2, 3)  # where i, f, o, ĉ stand: torch's order, and the op's

Cell = tuple[Tensor, Tensor]  # h and c of a layer


def step(x: Tensor, cell: Cell, weights: Sequence[Tensor], order: tuple[int, ...]) -> Cell:
    """One LSTM reads one x. weights: of x, of h, the bias."""
    sums = (weights[0] @ x + weights[1] @ cell[0] + weights[2]).chunk(4)
    i, f, o, candidate = (sums[place] for place in order)
    memory = f.sigmoid() * cell[1] + i.sigmoid() * candidate.tanh()
    return o.sigmoid() * memory.tanh(), memory


def step_up(x: Tensor, cells: list[Cell], layers: list[list[Tensor]], order: tuple[int, ...]) -> Tensor:
    """The same of LSTMs on top of one another. Returns the last one's h."""
    for layer, weights in enumerate(layers):
        cells[layer] = step(x, cells[layer], weights, order)
        x = cells[layer][0]
    return x


def read_weights(reader: ManyMemoryReader) -> list[list[Tensor]]:
    names = ("weight_ih_l", "weight_hh_l", "bias_ih_l")
    return [[getattr(reader.lstm, f"{name}{layer}") for name in names] for layer in range(reader.lstm.num_layers)]


def write_weights(reader: ManyMemoryReader) -> list[list[Tensor]]:
    inputs = [reader.nse.write_input, *reader.nse.write_upper]
    return [list(weights) for weights in zip(inputs, reader.nse.write_hidden, reader.nse.write_bias, strict=True)]


def by_the_equations(
    reader: ManyMemoryReader, x: Tensor, shared: Sequence[Tensor]
) -> tuple[Tensor, list[Tensor], list[Tensor]]:
    """One text without padding. x: [T, D]; shared: [S, D] each. Returns h [T, D], the memories and each z [T, S]."""
    memories = [x, *shared]
    zero = torch.zeros(D, dtype=x.dtype)
    reading, writing = ([(zero, zero)] * reader.lstm.num_layers for _ in range(2))
    outputs, attention = [], []
    for token in x:
        o = step_up(token, reading, read_weights(reader), READ_ORDER)  # (1)
        z = [torch.softmax(memory @ o, dim=0) for memory in memories]  # (2), (8)
        m = [weights @ memory for weights, memory in zip(z, memories, strict=True)]  # (3), (9)
        c = reader.nse.compose.weight @ torch.cat([o, *m]) + reader.nse.compose.bias  # (4), (12)
        h = step_up(c, writing, write_weights(reader), WRITE_ORDER)  # (5), (13)
        memories = [
            memory * (1 - weights)[:, None] + weights[:, None] * h for weights, memory in zip(z, memories, strict=True)
        ]  # (6), (14), (15)
        outputs.append(h)
        attention.append(z)
    return torch.stack(outputs), memories, [torch.stack(z) for z in zip(*attention, strict=True)]


LENGTHS = torch.tensor([5, 1, 3])
MASK = torch.arange(5) < LENGTHS[:, None]


def embedded() -> Tensor:
    return torch.randn(3, 5, D, dtype=torch.float64)  # not zero where padded


def texts_memory(*lengths: int) -> Memory:
    mask = torch.arange(max(lengths)) < torch.tensor(lengths)[:, None]
    return Memory(torch.randn(*mask.shape, D, dtype=torch.float64), mask)


@pytest.mark.parametrize("num_layers", [1, 2])
@pytest.mark.parametrize("lengths", [[], [(2, 4, 1)], [(2, 4, 1), (3, 1, 2)]], ids=["own", "one", "two"])
def test_the_whole_reader_is_the_equations(num_layers: int, lengths: list[tuple[int, ...]]) -> None:
    """With no shared memory (1)-(6), with one (7)-(15), with two what follows from them."""
    reader = ManyMemoryReader(input_dim=D, num_shared=len(lengths), num_layers=num_layers).double()
    x, shared = embedded(), [texts_memory(*of_one) for of_one in lengths]
    found = reader(x, MASK, shared)
    for b, length in enumerate(LENGTHS.tolist()):
        alone = [memory.slots[b, memory.mask[b]] for memory in shared]
        outputs, memories, attention = by_the_equations(reader, x[b, :length], alone)
        torch.testing.assert_close(found.reading.outputs[b, :length], outputs, rtol=0, atol=1e-12)
        assert not found.reading.outputs[b, length:].any()
        for ours, theirs in zip([found.own, *found.shared], memories, strict=True):
            torch.testing.assert_close(ours.slots[b, ours.mask[b]], theirs, rtol=0, atol=1e-12)
        weights = [found.reading.attention["memory"], *found.attention]
        for ours, theirs, mask in zip(weights, attention, [MASK, *(m.mask for m in shared)], strict=True):
            torch.testing.assert_close(ours[b, :length][:, mask[b]], theirs, rtol=0, atol=1e-12)
            assert not ours[b, length:].any()
            assert not ours[b][:, ~mask[b]].any()


def test_a_batch_is_the_reference_s_with_its_gradients() -> None:
    """(1)-(6) as `readhead.ops.nse.reference` has them, from the embedded words on; the reader's own is a fast one."""
    reader, x = ManyMemoryReader(input_dim=D, num_shared=0, num_layers=2).double(), embedded()
    reading, writing = read_weights(reader), reader.nse
    to_op = [torch.cat([weight.chunk(4)[place] for place in READ_ORDER]) for layer in reading for weight in layer]
    reads = reference.read(
        inputs=x,
        mask=MASK,
        read_input=to_op[0],
        read_upper=to_op[3].unsqueeze(0),
        read_hidden=torch.stack(to_op[1::3]),
        read_bias=torch.stack(to_op[2::3]),
    )
    expected = reference.nse(
        reads=reads,
        mask=MASK,
        memory=x,
        slots=MASK,
        compose=writing.compose.weight,
        compose_bias=writing.compose.bias,
        kept=torch.ones(3, 5, 2 * D, dtype=torch.float64),
        write_input=writing.write_input,
        write_upper=writing.write_upper,
        write_hidden=writing.write_hidden,
        write_bias=writing.write_bias,
        sizes=[5],
    )
    found = reader(x, MASK, [])
    parameters = list(reader.parameters())
    answers = [(found.reading.outputs, found.own.slots), (expected.hidden, expected.memory)]
    directions = torch.randn(3, 5, D, dtype=torch.float64), torch.randn(3, 5, D, dtype=torch.float64)
    ours, theirs = (torch.autograd.grad(answer, parameters, directions) for answer in answers)
    for mine, wanted in zip([*answers[0], *ours], [*answers[1], *theirs], strict=True):
        torch.testing.assert_close(mine, wanted, rtol=0, atol=1e-11)


def test_masked_slots_stay_as_they_were() -> None:
    reader, shared = ManyMemoryReader(input_dim=D, num_shared=1).double(), texts_memory(2, 4, 1)
    x = embedded()
    found = reader(x, MASK, [shared])
    assert torch.equal(found.own.slots[~MASK], x[~MASK])
    assert torch.equal(found.shared[0].slots[~shared.mask], shared.slots[~shared.mask])
    assert not torch.equal(found.shared[0].slots[shared.mask], shared.slots[shared.mask])


def test_a_shared_memory_without_slots_gives_nothing() -> None:
    reader = ManyMemoryReader(input_dim=D, num_shared=1).double()
    x, nothing = embedded(), Memory(torch.randn(3, 2, D).double(), torch.zeros(3, 2, dtype=torch.bool))
    found, other = reader(x, MASK, [nothing]), reader(x, MASK, [nothing._replace(slots=nothing.slots + 1)])
    assert torch.equal(found.reading.outputs, other.reading.outputs)
    assert not found.attention[0].any()


def test_gradients_come_back_through_a_memory_that_was_handed_over() -> None:
    writer, sharer = ManyMemoryReader(input_dim=D, num_shared=0), ManyMemoryReader(input_dim=D, num_shared=1)
    before = writer(torch.randn(2, 3, D), torch.ones(2, 3, dtype=torch.bool), [])
    after = sharer(torch.randn(2, 4, D), torch.ones(2, 4, dtype=torch.bool), [before.own])
    after.reading.outputs.sum().backward()
    assert all(parameter.grad is not None and parameter.grad.any() for parameter in writer.parameters())


def test_the_memory_begins_as_the_words_before_dropout() -> None:
    reader = ManyMemoryReader(input_dim=D, num_shared=0, dropout=0.5).double()
    with torch.no_grad():
        for parameter in reader.parameters():
            parameter.zero_()
    # All h are 0 and every z is uniform over T slots: after T tokens a slot has kept (1 - 1/T)^T of its word.
    x, mask = torch.randn(2, 4, D, dtype=torch.float64), torch.ones(2, 4, dtype=torch.bool)
    torch.testing.assert_close(reader(x, mask, []).own.slots, x * 0.75**4)


def test_dropout_is_on_what_the_read_lstm_reads() -> None:
    reader, mask = ManyMemoryReader(input_dim=D, num_shared=0), torch.ones(2, 4, dtype=torch.bool)
    reader.dropout.p = 0.5  # and none on what the write LSTM reads
    x = torch.randn(2, 4, D)
    assert not torch.equal(reader(x, mask, []).reading.outputs, reader(x, mask, []).reading.outputs)
    reader.eval()
    assert torch.equal(reader(x, mask, []).reading.outputs, reader(x, mask, []).reading.outputs)


def test_nse_is_the_one_without_shared_memories() -> None:
    reader = NSEReader(input_dim=D, num_layers=2).double()
    x = embedded()
    reading, expected = reader(x, MASK), reader.reader(x, MASK, []).reading
    assert torch.equal(reading.outputs, expected.outputs)
    assert list(reading.attention) == ["memory"]


def test_what_can_not_be_is_refused() -> None:
    with pytest.raises(InputError, match="num_layers = 0: an NSE needs at least 1 layer"):
        NSEReader(input_dim=D, num_layers=0)
    with pytest.raises(InputError, match=r"dropout is 1\.5; expected a probability"):
        NSEReader(input_dim=D, dropout=1.5)
    reader, memory = ManyMemoryReader(input_dim=D, num_shared=1).double(), texts_memory(2, 4, 1)
    with pytest.raises(InputError, match="0 shared memories; this reader was made for 1"):
        reader(embedded(), MASK, [])
    with pytest.raises(InputError, match="a shared memory's slots are 3 wide; this reader's are 4"):
        reader(embedded(), MASK, [memory._replace(slots=memory.slots[..., :3])])
    with pytest.raises(InputError, match="a shared memory is of 2 texts; the batch has 3"):
        reader(embedded(), MASK, [Memory(memory.slots[:2], memory.mask[:2])])


def test_reading_changes_no_weight() -> None:
    """Not even that of one word of one text, whose bias needs no copy to be as large as its gates."""
    reader = NSEReader(input_dim=D)
    before = [parameter.clone() for parameter in reader.parameters()]
    reader(torch.randn(1, 1, D), torch.ones(1, 1, dtype=torch.bool))
    assert all(torch.equal(now, then) for now, then in zip(reader.parameters(), before, strict=True))
