"""An n-gram model in backoff form: sorted tables, searched for many tokens at once."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from itertools import chain, pairwise

import numpy as np
from jaxtyping import Bool, Float32, Float64, Int, Int64

from readhead.errors import InputError


@dataclass(frozen=True, slots=True)
class Table:
    """The G n-grams of one order, sorted by their ids.

    Logarithms are to base 10 and of single precision, as in an ARPA file: a model that is written and read again is
    the same, bit for bit.

    keys: [G], ascending: the number of an n-gram's first n - 1 words in the table of the order below, times V, plus
        its last word. A 1-gram's key and number is its id.
    probability: [G], log10 of the probability of the last word after the others.
    backoff: [G], log10 of the factor of a shorter context's probabilities where these n words are the context; 0 in
        the highest order.
    """

    keys: Int64[np.ndarray, " G"]
    probability: Float32[np.ndarray, " G"]
    backoff: Float32[np.ndarray, " G"]


class NGramModel:
    """A backoff model (Katz 1987), the form in which every interpolated n-gram model can be written.

        p(w | h) = p*(h w)           if the model holds the n-gram h w
                   b(h) p(w | h')    if not, with h' the context h without its first word; b(h) = 1 for an h it lacks

    tables: of the orders 1, 2, ... The first holds all V ids; those that are never predicted (the start mark,
        padding) have probability 0.

    Raises:
        InputError: a table is damaged.
    """

    def __init__(self, *, tables: Iterable[Table]) -> None:
        self.tables = tuple(tables)
        self.order = len(self.tables)
        self.vocabulary_size = len(self.tables[0].keys)
        contexts = 1  # the empty one
        for n, table in enumerate(self.tables, start=1):
            _check(table, n, contexts * self.vocabulary_size)
            contexts = len(table.keys)

    @classmethod
    def from_state(cls, state: Mapping[str, np.ndarray]) -> NGramModel:
        """The model whose `state` this is.

        Raises:
            InputError: an array is missing or damaged.
        """
        order = max(sum(name.startswith("keys_") for name in state), 1)
        names = [[f"{field.name}_{n}" for field in fields(Table)] for n in range(1, order + 1)]
        expected = list(chain.from_iterable(names))
        if set(state) != set(expected):
            found = ", ".join(state) or "none"
            raise InputError(f"expected the arrays of an n-gram model, {', '.join(expected)}; found {found}")
        return cls(tables=(Table(*(state[name] for name in of_order)) for of_order in names))

    def state(self) -> dict[str, np.ndarray]:
        """All that the model is: its tables' arrays by name, `keys_1`, `probability_1`, `backoff_1`, `keys_2`, ..."""
        return {
            f"{field.name}_{n}": getattr(table, field.name)
            for n, table in enumerate(self.tables, start=1)
            for field in fields(Table)
        }

    def log_probabilities(
        self, ids: Int[np.ndarray, " T"], bounds: Int[np.ndarray, " bounds"]
    ) -> Float64[np.ndarray, " predicted"]:
        """The log-probability, in nats, of each id but the first of its text, given those before it in the text.

        ids: [T], N texts end to end. A text's first id is given and not predicted: the start mark, or where a text
            goes on from `order - 1` ids that were read before, the first of these.
        bounds: [N + 1], text n is `ids[bounds[n]:bounds[n + 1]]`.

        Returns [T - N], in the order of the ids (T less the number of texts that are not empty).

        Raises:
            ValueError: an id is outside 0 to V - 1.
        """
        self._check_ids(ids)
        is_first = _first_of_text(bounds, len(ids))
        score = self.tables[0].probability[ids].astype(np.float64)  # [T]
        number = ids.astype(np.int64)  # [T], of the n-gram that ends here, -1 where there is none
        for below, table in pairwise(self.tables):
            context = np.roll(number, 1)
            context[is_first] = -1
            backed_off = score + np.where(context >= 0, below.backoff[context], 0)
            number = find(table.keys, context * self.vocabulary_size + ids)
            score = np.where(number >= 0, table.probability[number], backed_off)
        nats: Float64[np.ndarray, " predicted"] = score[~is_first] * math.log(10)
        return nats

    def distribution(self, context: Int[np.ndarray, " t"]) -> Float64[np.ndarray, " V"]:
        """The probability of every id to come next.

        context: [t], the ids before it, the last one last; the last `order - 1` of them matter.

        Returns [V]; it sums to 1 as closely as single precision has it.

        Raises:
            ValueError: an id is outside 0 to V - 1.
        """
        self._check_ids(context)
        probability = 10.0 ** self.tables[0].probability.astype(np.float64)
        for n in range(1, min(self.order, len(context) + 1)):
            number = self._number(context[-n:])
            if number >= 0:
                probability *= 10.0 ** float(self.tables[n - 1].backoff[number])
                followers = self._followers(number, self.tables[n])
                words = self.tables[n].keys[followers] % self.vocabulary_size
                probability[words] = 10.0 ** self.tables[n].probability[followers].astype(np.float64)
        return probability

    def _number(self, words: Int[np.ndarray, " n"]) -> int:
        """The number of an n-gram in the table of its order, -1 if the model lacks it."""
        number = np.asarray(words[0], dtype=np.int64)
        for table, word in zip(self.tables[1:], words[1:], strict=False):
            number = find(table.keys, number * self.vocabulary_size + word)
        return int(number)

    def _followers(self, context: int, table: Table) -> slice:
        """Where the n-grams stand that begin with a context."""
        first = context * self.vocabulary_size
        return slice(*np.searchsorted(table.keys, [first, first + self.vocabulary_size]))

    def _check_ids(self, ids: Int[np.ndarray, " T"]) -> None:
        if len(ids) and not 0 <= ids.min() <= ids.max() < self.vocabulary_size:
            last = self.vocabulary_size - 1
            raise ValueError(f"ids: expected 0 to {last}, found {ids.min()} to {ids.max()}")


def find(keys: Int64[np.ndarray, " G"], wanted: Int64[np.ndarray, "*W"]) -> Int64[np.ndarray, "*W"]:
    """Where each wanted key stands among ascending ones: [*W], -1 where it does not."""
    place = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
    return np.where(keys[place] == wanted, place, -1)


def _first_of_text(bounds: Int[np.ndarray, " bounds"], length: int) -> Bool[np.ndarray, " T"]:
    is_first = np.zeros(length, dtype=np.bool_)
    is_first[bounds[:-1][np.diff(bounds) > 0]] = True
    return is_first


def _check(table: Table, n: int, limit: int) -> None:
    if [array.dtype for array in (table.keys, table.probability, table.backoff)] != [np.int64, np.float32, np.float32]:
        raise InputError(f"the {n}-grams are damaged: expected keys of int64 and logarithms of float32")
    lengths = {len(table.keys), len(table.probability), len(table.backoff)}
    if len(lengths) > 1 or lengths == {0}:
        raise InputError(f"the {n}-grams are damaged: expected arrays of one length above 0, found {sorted(lengths)}")
    if table.keys[0] < 0 or table.keys[-1] >= limit or not (np.diff(table.keys) > 0).all():
        raise InputError(f"the {n}-grams are damaged: expected keys that rise from 0 to below {limit}")
    possible = table.probability[table.probability != -np.inf] if n == 1 else table.probability
    if not (np.isfinite(possible) & (possible <= 0)).all() or not np.isfinite(table.backoff).all():
        raise InputError(f"the {n}-grams are damaged: expected logarithms of probabilities")
