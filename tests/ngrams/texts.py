"""Texts of a little language of numbers: enough rare and frequent n-grams to estimate discounts from."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

WORDS = ["<pad>", "<s>", "</s>", "<unk>", *(f"word{number}" for number in range(120)), "never-seen"]
PADDING, START, END, UNKNOWN = range(4)
SILENT = (PADDING, START)
V = len(WORDS)


def texts(count: int, seed: int = 0) -> list[list[int]]:
    """Each word leans on the one before; frequencies fall steeply enough for 5-grams to come again."""
    generator = np.random.default_rng(seed)
    chances = 1 / np.arange(1, 122) ** 1.5
    chances /= chances.sum()
    made = []
    for length in generator.integers(1, 12, size=count):
        text = [START]
        for drawn in generator.choice(121, size=length, p=chances):
            text.append(UNKNOWN + int(drawn * (1 + text[-1] % 3)) % 121)
        made.append([*text, END])
    return made


def flat(parts: Sequence[Sequence[int]]) -> tuple[np.ndarray, np.ndarray]:
    """All ids end to end, and the texts' bounds."""
    ids = np.array([number for part in parts for number in part], dtype=np.int32)
    return ids, np.cumsum([0, *map(len, parts)])
