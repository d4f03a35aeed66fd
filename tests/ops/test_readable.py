"""Which slots a token may read, by hand and against the sentence that says it."""

from __future__ import annotations

import torch
from hypothesis import given
from hypothesis import strategies as st

from readhead.ops.readable import readable_slots, reading_windows

flags = st.lists(st.booleans(), min_size=1, max_size=6)
spans = st.none() | st.integers(1, 4)


def rows(readable: torch.Tensor) -> list[str]:
    """Of the first text, a 1 for each slot that may be read."""
    return ["".join(str(int(slot)) for slot in token) for token in readable[0]]


def test_by_hand() -> None:
    written = torch.tensor([[True, False, True]])
    mask = torch.tensor([[True, True, False, True]])
    assert rows(readable_slots(written, mask)) == ["1010000", "1011000", "0000000", "1011100"]
    assert rows(readable_slots(written, mask, span=2)) == ["1010000", "0011000", "0000000", "0001100"]


@given(written=flags, mask=flags, span=spans)
def test_a_token_reads_the_last_slots_written_before_it(
    written: list[bool], mask: list[bool], span: int | None
) -> None:
    readable = readable_slots(torch.tensor([written]), torch.tensor([mask]), span)[0]
    filled = [*written, *mask]
    for t, real in enumerate(mask):
        before = [slot for slot in range(len(written) + t) if filled[slot]] if real else []
        assert readable[t].nonzero().flatten().tolist() == (before if span is None else before[-span:])


@given(
    written=st.lists(flags, min_size=2, max_size=2), lengths=st.tuples(st.integers(0, 5), st.integers(0, 5)), span=spans
)
def test_windows_hold_all_that_any_text_reads(
    written: list[list[bool]], lengths: tuple[int, int], span: int | None
) -> None:
    slots = torch.tensor([row[: min(map(len, written))] for row in written])
    mask = torch.arange(5) < torch.tensor(lengths).unsqueeze(1)
    windows, unreadable = reading_windows(slots, mask, span)
    inside = torch.zeros_like(readable := readable_slots(slots, mask, span))
    for t, window in enumerate(windows):
        inside[:, t, window] = True
        assert window.stop == slots.shape[1] + t
    if unreadable is None:
        assert inside.equal(readable)
    else:
        assert (inside & ~unreadable).equal(readable)
