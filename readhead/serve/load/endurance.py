"""Minutes of load, with bad items and clients that vanish: is everything still right, and does memory stay flat?"""

from __future__ import annotations

import asyncio
import json
import random
import time
from collections import Counter
from collections.abc import Sequence
from statistics import fmean
from typing import Any

from readhead.serve.load.client import AsyncClient, request
from readhead.serve.load.process import Serving
from readhead.serve.load.texts import BAD, Material, agree

CLIENTS = 32
BAD_ONE_IN = 50  # items
VANISH_ONE_IN = 50  # requests
LISTS = 0.1  # of the requests
LONGEST_LIST = 16
MOST_GROWTH = 0.03
MINUTE = 60


class Load:
    """Clients that ask, and look at what they are answered.

    served: whom they ask.
    material: good records with their answers.
    minutes: for how long.
    seed: what is asked, and when somebody vanishes, follows from it.
    """

    def __init__(self, served: Serving, material: Material, *, minutes: float, seed: int = 0) -> None:
        self.served, self.material, self.minutes = served, material, minutes
        self._chance = random.Random(seed)
        self._counts: Counter[str] = Counter()
        self._wrong: list[str] = []
        self._memory: list[int] = []
        self._end = 0.0

    def run(self) -> dict[str, Any]:
        """What happened, as the figures have it."""
        asyncio.run(self._all())
        second, last = self._memory[MINUTE : 2 * MINUTE], self._memory[-MINUTE:]
        growth = fmean(last) / fmean(second) - 1 if len(self._memory) >= 3 * MINUTE else None
        return {
            "minutes": self.minutes,
            "clients": CLIENTS,
            "bad_items_one_in": BAD_ONE_IN,
            "vanishing_requests_one_in": VANISH_ONE_IN,
            **self._counts,
            "wrong": len(self._wrong),
            "first_wrong": self._wrong[:5],
            "resident_mb": {
                "second_minute": fmean(second) / 2**20 if second else None,
                "last_minute": fmean(last) / 2**20,
                "highest": max(self._memory) / 2**20,
                "each_minute": [
                    fmean(self._memory[at : at + MINUTE]) / 2**20 for at in range(0, len(self._memory), MINUTE)
                ],
            },
            "growth": growth,
            "most_growth": MOST_GROWTH,
            "kept": not self._wrong and (growth is None or growth <= MOST_GROWTH),
        }

    async def _all(self) -> None:
        self._end = time.monotonic() + MINUTE * self.minutes
        await asyncio.gather(self._weigh(), *(self._client() for _ in range(CLIENTS)))

    async def _weigh(self) -> None:
        while time.monotonic() < self._end:
            self._memory.append(self.served.resident_bytes())
            await asyncio.sleep(1)

    async def _client(self) -> None:
        client = AsyncClient(self.served.port)
        while time.monotonic() < self._end:
            alone = self._chance.random() >= LISTS
            places = [self._place() for _ in range(1 if alone else self._chance.randint(2, LONGEST_LIST))]
            items = [self._item(place) for place in places]
            body = request(json.dumps(items[0] if alone else items).encode())
            if self._chance.random() < 1 / VANISH_ONE_IN:
                self._counts["vanished_requests"] += 1
                await client.vanish(body)
                continue
            try:
                self._look(places, alone, *await client.ask(body))
            except ConnectionError as error:
                self._wrong.append(f"{type(error).__name__}: {error}")
                client.close()
        client.close()

    def _place(self) -> int | None:
        """Of a good record; None = a bad one is sent instead."""
        if self._chance.random() < 1 / BAD_ONE_IN:
            return None
        return self._chance.randrange(len(self.material.records))

    def _item(self, place: int | None) -> Any:
        return self._chance.choice(BAD) if place is None else self.material.records[place]

    def _look(self, places: Sequence[int | None], alone: bool, status: int, body: bytes) -> None:
        told = json.loads(body)
        self._counts["requests"] += 1
        self._counts["items"] += len(places)
        self._counts["bad_items"] += sum(place is None for place in places)
        if alone and places[0] is None:
            # A list may be empty, or full of bad items: then it is answered, item by item.
            refused = 400 <= status < 500 and told.keys() == {"error", "detail"}
            right = refused or (status == 200 and isinstance(told, list) and all("error" in one for one in told))
        else:
            right = status == 200 and all(map(self._is_right, [told] if alone else told, places))
        if not right:
            self._wrong.append(f"{status} {body[:200].decode(errors='replace')}")

    def _is_right(self, answer: Any, place: int | None) -> bool:
        return "error" in answer if place is None else agree(answer, self.material.answers[place])
