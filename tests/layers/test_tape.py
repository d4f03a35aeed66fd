from __future__ import annotations

import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor

from readhead.layers.tape import Tape, last_written


def tape(*rows: list[int]) -> Tape:
    """A slot's h is its number, c the number's negative; 0 stands for a slot that is not written."""
    numbers = torch.tensor(rows).float().unsqueeze(-1)  # [B, M, 1]
    return Tape(numbers, -numbers, numbers.squeeze(-1) > 0)


def readable(tape: Tape) -> list[list[int]]:
    """Each text's written slots, in order; both tapes must agree."""
    assert torch.equal(tape.hidden, -tape.memory)
    return [row[real].int().flatten().tolist() for row, real in zip(tape.hidden, tape.written, strict=True)]


def test_rows_of_different_lengths() -> None:
    kept = last_written(tape([1, 2, 3, 4, 5], [1, 2, 0, 0, 0], [0, 0, 0, 0, 0], [1, 0, 2, 0, 3]), 3)
    assert readable(kept) == [[3, 4, 5], [1, 2], [], [1, 2, 3]]
    assert kept.written.tolist() == [[True] * 3, [False, True, True], [False] * 3, [True] * 3]


def test_a_short_tape_or_no_span_changes_nothing() -> None:
    short = tape([1, 2, 0], [0, 1, 2])
    assert last_written(short, None) is short
    assert last_written(short, 3) is short


@given(
    rows=st.integers(1, 9).flatmap(
        lambda M: st.lists(st.lists(st.booleans(), min_size=M, max_size=M), min_size=1, max_size=4)
    ),
    span=st.integers(1, 9),
)
def test_it_keeps_the_last_slots_of_each_text(rows: list[list[bool]], span: int) -> None:
    numbered = [[number if real else 0 for number, real in enumerate(row, start=1)] for row in rows]
    kept = last_written(tape(*numbered), span)
    assert kept.written.shape[1] == min(span, len(rows[0]))
    expected = [[number for number in row if number] for row in numbered]
    if len(rows[0]) > span:
        expected = [row[-span:] for row in expected]
    assert readable(kept) == expected


def test_gradients_go_to_the_slots_that_stay() -> None:
    hidden: Tensor = torch.ones(1, 3, 2, requires_grad=True)
    last_written(Tape(hidden, hidden, torch.tensor([[True, True, False]])), 1).hidden.sum().backward()
    assert torch.equal(hidden.grad, torch.tensor([[[0.0, 0.0], [1.0, 1.0], [0.0, 0.0]]]))


def test_one_tape_after_the_other() -> None:
    assert readable(tape([1, 0]).then(tape([2, 3]))) == [[1, 2, 3]]


def test_an_empty_tape_is_one_slot_of_zeros_that_can_be_read() -> None:
    hidden, memory, written = Tape.empty(2, 3, torch.ones(5, dtype=torch.float64))
    assert torch.equal(hidden, torch.zeros(2, 1, 3, dtype=torch.float64))
    assert torch.equal(memory, hidden)
    assert written.tolist() == [[True], [True]]
