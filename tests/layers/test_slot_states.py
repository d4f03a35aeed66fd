"""What stands in memories, step by step: by hand, and as the readers' own definitions leave it."""

from __future__ import annotations

import torch

from readhead.data.batch import Batch, Text
from readhead.layers.memory import Memory
from readhead.layers.slot_states import Appended, BeforeTheLast, Rewritten
from readhead.ops.nse import reference
from readhead.readers.lstmn import LSTMNReader
from readhead.readers.many_memories import ManyMemoryReader
from tests.laws import make_batch, make_model


def test_a_memory_that_is_rewritten_by_hand() -> None:
    start = Memory(torch.tensor([[[3.0, 4.0], [0.0, 2.0], [9.0, 9.0]]]), torch.tensor([[True, True, False]]))
    keys = torch.tensor([[[0.5, 0.5, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 0.0]]])  # the third token is padding
    hidden = torch.tensor([[[-3.0, -4.0], [6.0, 8.0], [0.0, 0.0]]])
    expected = torch.tensor([[[0.0, (1.5**2 + 1) ** 0.5, 0.0], [10.0, (1.5**2 + 1) ** 0.5, 0.0]]])
    expected = torch.cat([expected, expected[:, -1:]], dim=1)
    torch.testing.assert_close(Rewritten(start, keys, hidden).norms(), expected)


def test_a_tape_by_hand() -> None:
    memory = torch.tensor([[[3.0, 4.0], [0.0, 2.0], [1.0, 0.0], [7.0, 7.0]]])
    mask = torch.tensor([[True, True, True, False]])
    whole = torch.tensor([[[5.0, 0, 0, 0], [5, 2, 0, 0], [5, 2, 1, 0], [0, 0, 0, 0]]])
    assert torch.equal(Appended(memory, mask).norms(), whole)
    bounded = torch.tensor([[[5.0, 0, 0, 0], [5, 2, 0, 0], [0, 2, 1, 0], [0, 0, 0, 0]]])
    assert torch.equal(Appended(memory, mask, span=2).norms(), bounded)
    unread = BeforeTheLast(Appended(memory[:, :2], mask[:, :2])).norms()
    assert torch.equal(unread, torch.tensor([[[5.0, 0, 0], [5, 2, 0], [5, 2, 0]]]))


def test_an_nse_s_memories_are_what_the_definition_leaves_after_each_token() -> None:
    dim, own = 4, make_batch(3, longest=5).texts["premise"]
    reader = ManyMemoryReader(input_dim=dim, num_shared=1).eval()
    embedded = torch.randn(*own.mask.shape, dim) * own.mask.unsqueeze(2)
    shared = Memory(torch.randn(3, 6, dim), torch.rand(3, 6) < 0.7)
    read = reader(embedded, own.mask, [shared])
    states = [read.reading.memory["memory"].norms(), read.states[0].norms()]
    reads, _ = reader.lstm(embedded)
    for t in range(own.mask.shape[1]):
        so_far = own.mask & (torch.arange(own.mask.shape[1]) <= t)
        left = reference.nse(
            reads=reads,
            mask=so_far,
            memory=torch.cat([embedded, shared.slots], dim=1),
            slots=torch.cat([own.mask, shared.mask], dim=1),
            compose=reader.nse.compose.weight,
            compose_bias=reader.nse.compose.bias,
            kept=torch.ones(*own.mask.shape, 3 * dim),
            write_input=reader.nse.write_input,
            write_upper=reader.nse.write_upper,
            write_hidden=reader.nse.write_hidden,
            write_bias=reader.nse.write_bias,
            sizes=[own.mask.shape[1], 6],
        ).memory.split([own.mask.shape[1], 6], dim=1)
        for norms, memory, real in zip(states, left, (own.mask, shared.mask), strict=True):
            torch.testing.assert_close(norms[:, t], memory.norm(dim=2) * real)


def test_an_lstmn_s_slots_are_those_of_its_tape() -> None:
    text, span = make_batch(3).texts["premise"], 2
    reader = LSTMNReader(input_dim=4, hidden_dim=5, num_layers=2, span=span).eval()
    embedded = torch.randn(*text.mask.shape, 4)
    reading, state = reader.read(embedded, text.mask, reader.initial_state(3))
    assert list(reading.memory) == list(reading.attention) == ["intra 1", "intra 2"]
    for layer, states in enumerate(reading.memory.values(), start=1):
        last = states.norms()[range(3), text.mask.sum(dim=1) - 1]  # [B, T]
        held = [norms[norms > 0] for norms in last]
        on_tape = [norms[norms > 0] for norms in state[f"{layer}.memory_tape"].norm(dim=2)]
        torch.testing.assert_close(held, on_tape)


def test_models_hand_on_what_their_readers_remember() -> None:
    pair = {"premise->premise", "hypothesis->hypothesis"}
    expected = {
        ("mma-nse", None): pair | {"hypothesis->premise"},
        ("mma-nse-attention", None): pair | {"hypothesis->premise (memory)"},
        ("lstmn-deep-fusion", None): pair,
        ("lstmn-shallow-fusion", None): pair,
        ("sentence-pair", "lstmn"): {f"{name} (intra {layer})" for name in pair for layer in (1, 2)},
        ("decomposable", "nse"): pair,
        ("bilinear-attention", "nse"): pair,
        ("sentence-pair", "lstm"): set(),
    }
    batch = make_batch(2)
    for (model, reader), names in expected.items():
        output = make_model(model, reader)(batch)
        assert output.memory.keys() == names, model
        assert names <= output.attention.keys(), model
        for name in names:
            assert output.memory[name].norms().shape == output.attention[name].shape, (model, name)


def test_a_language_model_s_last_token_is_foretold_and_never_read() -> None:
    text = Text(torch.tensor([[1, 5, 4, 2]]), torch.ones(1, 4, dtype=torch.bool))
    output = make_model("language-model", "lstmn")(Batch({"text": text}))
    for name, weights in output.attention.items():
        norms = output.memory[name].norms()
        assert norms.shape == weights.shape
        assert torch.equal(norms[:, 3], norms[:, 2])
        assert not norms[:, :, 3].any()
