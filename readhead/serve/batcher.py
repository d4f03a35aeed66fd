"""What waits is read together: the micro-batcher of one run.

Nothing is ever held back in the hope of company. While a batch is being read others arrive, and the next batch is all
of them; a request that arrives alone is read alone, at once. The queue and all its book-keeping live in the event loop,
so that there is nothing to lock; only the reading itself is done in the run's one thread.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from typing import Any, TypeVar

from readhead.serve.refusal import overloaded

Texts = Mapping[str, str]
Answer = dict[str, Any]
T = TypeVar("T")


class _Job:
    """The readings that one request asks for.

    texts: one set for each reading.
    begun: how many of them have been taken to be read.
    done: holds all their answers once they are there.
    """

    __slots__ = ("answers", "begun", "done", "missing", "texts")

    def __init__(self, texts: Sequence[Texts]) -> None:
        self.texts, self.begun, self.missing = texts, 0, len(texts)
        self.answers: list[Answer] = [{}] * len(texts)
        self.done: asyncio.Future[list[Answer]] = asyncio.get_running_loop().create_future()

    @property
    def waiting(self) -> int:
        """Readings that have not begun."""
        return len(self.texts) - self.begun

    def put(self, place: int, answer: Answer) -> None:
        """Takes one answer."""
        self.answers[place] = answer
        self.missing -= 1
        if not self.missing and not self.done.done():
            self.done.set_result(self.answers)

    def fail(self, error: BaseException) -> None:
        """Whoever waits is told."""
        if not self.done.done():
            self.done.set_exception(error)


class _Call:
    """Something else that is to be done in the run's thread, alone."""

    __slots__ = ("done", "work")

    def __init__(self, work: Callable[[], Any]) -> None:
        self.work = work
        self.done: asyncio.Future[Any] = asyncio.get_running_loop().create_future()

    def end(self, made: Future[Any]) -> None:
        """Whoever waits is told what came of it."""
        if self.done.done():
            return
        error = made.exception()
        if error is None:
            self.done.set_result(made.result())
        else:
            self.done.set_exception(error)


Taken = Sequence[tuple[_Job, int]]


class Batcher:
    """Reads for everybody who waits, in turns that are fair.

    A batch takes one reading of each request in the queue, then a second one of each that has more, until it is full: a
    list of a thousand never stands before a single text. Batches take turns with calls that cannot be batched.

    All of it is called from one event loop.

    read: answers one set of texts after the other; it runs in the thread.
    size: readings of a batch, at most.
    room: readings and calls that may wait or be held, at most.
    begin: what the thread does first.
    note: told how many readings each batch had.
    """

    def __init__(
        self,
        read: Callable[[Sequence[Texts]], list[Answer]],
        *,
        size: int,
        room: int,
        begin: Callable[[], None] = lambda: None,
        note: Callable[[int], None] = lambda count: None,
    ) -> None:
        self._read, self.size, self.room, self._note = read, size, room, note
        self._thread = ThreadPoolExecutor(1, initializer=begin)
        self._jobs: deque[_Job] = deque()
        self._apart: deque[tuple[_Job, int]] = deque()  # of a batch that failed: to be read one by one
        self._calls: deque[_Call] = deque()
        self._busy = self._woken = self._batch_last = False
        self._held = 0

    @property
    def waiting(self) -> int:
        """Readings and calls that have not begun, and those that streams hold."""
        readings = sum(job.waiting for job in self._jobs if not job.done.done())
        return readings + len(self._apart) + sum(not call.done.done() for call in self._calls) + self._held

    async def answers(self, texts: Sequence[Texts]) -> list[Answer]:
        """An answer to each set of texts. Who is cancelled while he waits is not read for.

        Raises: Refusal if there is no room; whatever reading raised, to him alone whose text it was.
        """
        if not texts:
            return []
        self._admit(len(texts))
        job = _Job(texts)
        self._jobs.append(job)
        self._wake()
        return await job.done

    async def call(self, work: Callable[[], T]) -> T:
        """What `work` returns, done in the run's thread. Raises: Refusal if there is no room; whatever it raised."""
        self._admit(1)
        return await self._called(work)

    async def steps(self, made: Iterator[T]) -> AsyncIterator[T]:
        """What an iterator yields, each step done in the run's thread, between the batches of others.

        Raises: Refusal if there is no room; whatever the iterator raised.
        """
        over = object()
        with self._holding():
            while (step := await self._called(partial(next, made, over))) is not over:
                yield step

    def close(self) -> None:
        """Lets the thread go, when it has done what it is doing."""
        self._thread.shutdown(wait=False, cancel_futures=True)

    def _admit(self, count: int) -> None:
        # A request of any size that is taken on at all is taken on by a run that has nothing to do.
        waiting = self.waiting
        if waiting and waiting + count > self.room:
            raise overloaded(f"{waiting} texts wait to be read and {self.room} may; try again in a second")

    @contextmanager
    def _holding(self) -> Iterator[None]:
        self._admit(1)
        self._held += 1
        try:
            yield
        finally:
            self._held -= 1

    async def _called(self, work: Callable[[], T]) -> T:
        call = _Call(work)
        self._calls.append(call)
        self._wake()
        result: T = await call.done
        return result

    def _wake(self) -> None:
        # One turn of the event loop later: what arrived together is then read together.
        if not self._busy and not self._woken:
            self._woken = True
            asyncio.get_running_loop().call_soon(self._go_on)

    def _go_on(self) -> None:
        self._woken = False
        if self._busy:
            return
        turns = (self._begin_call, self._begin_batch) if self._batch_last else (self._begin_batch, self._begin_call)
        any(begun() for begun in turns)

    def _begin_call(self) -> bool:
        while self._calls:
            call = self._calls.popleft()
            if not call.done.done():
                self._batch_last = False
                self._begin(call.work, call.end)
                return True
        return False

    def _begin_batch(self) -> bool:
        taken = self._take()
        if taken:
            self._batch_last = True
            self._note(len(taken))
            self._begin(partial(self._read, [job.texts[place] for job, place in taken]), partial(self._deliver, taken))
        return bool(taken)

    def _begin(self, work: Callable[[], Any], end: Callable[[Future[Any]], None]) -> None:
        self._busy = True
        loop = asyncio.get_running_loop()
        self._thread.submit(work).add_done_callback(lambda made: loop.call_soon_threadsafe(self._ended, end, made))

    def _ended(self, end: Callable[[Future[Any]], None], made: Future[Any]) -> None:
        self._busy = False
        end(made)
        self._go_on()

    def _take(self) -> Taken:
        while self._apart:
            job, place = self._apart.popleft()
            if not job.done.done():
                return [(job, place)]
        taken: list[tuple[_Job, int]] = []
        while self._jobs and len(taken) < self.size:
            job = self._jobs.popleft()
            if job.done.done():
                continue
            taken.append((job, job.begun))
            job.begun += 1
            if job.waiting:
                self._jobs.append(job)
        return taken

    def _deliver(self, taken: Taken, made: Future[list[Answer]]) -> None:
        error = made.exception()
        if error is None:
            for (job, place), answer in zip(taken, made.result(), strict=True):
                job.put(place, answer)
        elif len(taken) == 1:
            taken[0][0].fail(error)
        else:
            # One text that cannot be read must not take the others down with it.
            self._apart.extend(taken)
