"""The micro-batcher: what waits is read together, fairly, and nobody is read for who has gone."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import pytest

from readhead.serve.batcher import Answer, Batcher, Texts
from readhead.serve.refusal import Refusal


class Reader:
    """Answers each text with itself, when it is let; remembers its batches."""

    def __init__(self) -> None:
        self.batches: list[list[str]] = []
        self.may, self.began = threading.Semaphore(0), threading.Semaphore(0)

    def __call__(self, texts: Sequence[Texts]) -> list[Answer]:
        self.batches.append([one["text"] for one in texts])
        self.began.release()
        self.may.acquire()
        if any(one["text"] == "poison" for one in texts):
            raise ValueError("poison")
        return [{"label": one["text"]} for one in texts]

    async def begun(self) -> None:
        """Until it reads a batch."""
        await asyncio.to_thread(self.began.acquire)


def texts(*given: str) -> list[Texts]:
    return [{"text": one} for one in given]


def tried(case: Callable[[Reader, Batcher], Awaitable[None]], *, size: int = 4, room: int = 100) -> list[list[str]]:
    """The batches that were read while the case ran."""
    reader = Reader()
    batcher = Batcher(reader, size=size, room=room)
    try:
        asyncio.run(asyncio.wait_for(case(reader, batcher), 10))
    finally:
        reader.may.release(100)
        batcher.close()
    return reader.batches


def test_what_waits_is_read_together() -> None:
    async def case(reader: Reader, batcher: Batcher) -> None:
        first = asyncio.create_task(batcher.answers(texts("a")))
        await reader.begun()
        others = [asyncio.create_task(batcher.answers(texts(one))) for one in "bcdef"]
        await asyncio.sleep(0)
        assert batcher.waiting == 5
        reader.may.release(9)
        told = await asyncio.gather(first, *others)
        assert told == [[{"label": one}] for one in "abcdef"]

    assert tried(case) == [["a"], ["b", "c", "d", "e"], ["f"]]


def test_what_arrives_together_is_read_together() -> None:
    async def case(reader: Reader, batcher: Batcher) -> None:
        reader.may.release(9)
        await asyncio.gather(*(batcher.answers(texts(one)) for one in "abc"))

    assert tried(case) == [["a", "b", "c"]]


def test_a_long_list_stands_before_nobody() -> None:
    async def case(reader: Reader, batcher: Batcher) -> None:
        long = asyncio.create_task(batcher.answers(texts(*"123456789")))
        await reader.begun()
        short = asyncio.create_task(batcher.answers(texts("a")))
        await asyncio.sleep(0)
        reader.may.release(2)
        assert await short == [{"label": "a"}]
        reader.may.release(9)
        assert [answer["label"] for answer in await long] == list("123456789")

    assert tried(case) == [list("1234"), ["5", "a", "6", "7"], ["8", "9"]]


def test_nobody_is_read_for_who_has_gone() -> None:
    async def case(reader: Reader, batcher: Batcher) -> None:
        first = asyncio.create_task(batcher.answers(texts("a")))
        await reader.begun()
        gone = asyncio.create_task(batcher.answers(texts(*"bcd")))
        stays = asyncio.create_task(batcher.answers(texts("e")))
        await asyncio.sleep(0)
        gone.cancel()
        await asyncio.sleep(0)
        assert batcher.waiting == 1
        reader.may.release(9)
        await asyncio.gather(first, stays)

    assert tried(case) == [["a"], ["e"]]


def test_one_text_that_cannot_be_read_fails_alone() -> None:
    async def case(reader: Reader, batcher: Batcher) -> None:
        reader.may.release(9)
        told = await asyncio.gather(
            *(batcher.answers(texts(one)) for one in ("a", "poison", "b")), return_exceptions=True
        )
        assert [told[0], told[2]] == [[{"label": "a"}], [{"label": "b"}]]
        assert isinstance(told[1], ValueError)
        assert batcher.waiting == 0

    assert tried(case) == [["a", "poison", "b"], ["a"], ["poison"], ["b"]]


def test_there_is_so_much_room_and_no_more() -> None:
    async def case(reader: Reader, batcher: Batcher) -> None:
        large = asyncio.create_task(batcher.answers(texts(*"abcdefgh")))  # nobody else waits: it is taken on
        await reader.begun()
        with pytest.raises(Refusal) as refused:
            await batcher.answers(texts("i"))
        assert (refused.value.status, refused.value.headers) == (429, {"Retry-After": "1"})
        reader.may.release(9)
        await large
        assert await batcher.answers(texts("i")) == [{"label": "i"}]

    tried(case, room=4)


def test_calls_and_batches_take_turns() -> None:
    done: list[Any] = []

    async def case(reader: Reader, batcher: Batcher) -> None:
        first = asyncio.create_task(batcher.answers(texts("a")))
        await reader.begun()
        calls = [asyncio.create_task(batcher.call(lambda n=n: done.append((n, len(reader.batches))))) for n in range(3)]
        await asyncio.sleep(0)
        batch = asyncio.create_task(batcher.answers(texts(*"bcdef")))
        await asyncio.sleep(0)
        reader.may.release(9)
        await asyncio.gather(first, batch, *calls)

    tried(case, size=3)
    assert [number for number, _ in done] == [0, 1, 2]
    assert [batches for _, batches in done] == [1, 2, 3], "a batch between two calls"


def test_a_stream_goes_on_between_batches() -> None:
    async def case(reader: Reader, batcher: Batcher) -> None:
        steps = batcher.steps(iter("xyz"))
        assert await anext(steps) == "x"
        assert batcher.waiting == 1, "it holds its place while it lasts"
        batch = asyncio.create_task(batcher.answers(texts("a")))
        await reader.begun()
        reader.may.release()
        await batch
        assert [step async for step in steps] == ["y", "z"]
        assert batcher.waiting == 0

    tried(case)


def test_what_an_iterator_raises_comes_to_who_waits() -> None:
    def broken() -> Any:
        yield 1
        raise ValueError("broken")

    async def case(reader: Reader, batcher: Batcher) -> None:
        with pytest.raises(ValueError, match="broken"):
            async for _ in batcher.steps(broken()):
                pass
        assert batcher.waiting == 0

    tried(case)
