"""Interpolated modified Kneser-Ney smoothing as a textbook has it: n-grams in dictionaries, one word at a time."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

Gram = tuple[int, ...]


class Textbook:
    """The model of some texts, each with its start mark and its end mark. predicted: all ids that can come next."""

    def __init__(self, texts: Sequence[Sequence[int]], *, order: int, start: int, predicted: Sequence[int]) -> None:
        self.order, self.predicted = order, predicted
        occurrences: Counter[Gram] = Counter()
        in_front: defaultdict[Gram, set[int]] = defaultdict(set)
        for text in texts:
            for n in range(1, order + 1):
                for begin in range(len(text) - n + 1):
                    gram = tuple(text[begin : begin + n])
                    occurrences[gram] += 1
                    in_front[gram[1:]].add(gram[0])
        self.followers: defaultdict[Gram, dict[int, int]] = defaultdict(dict)
        for gram, count in occurrences.items():
            raw = len(gram) == order or gram[0] == start
            if gram != (start,):
                self.followers[gram[:-1]][gram[-1]] = count if raw else len(in_front[gram])
        self.discounts = {n: self.estimated(n) for n in range(1, order + 1)}

    def estimated(self, n: int) -> list[float]:
        counts = [c for context, words in self.followers.items() if len(context) == n - 1 for c in words.values()]
        t1, t2, t3, t4 = (counts.count(k) for k in (1, 2, 3, 4))
        y = t1 / (t1 + 2 * t2)
        return [0, 1 - 2 * y * t2 / t1, 2 - 3 * y * t3 / t2, 3 - 4 * y * t4 / t3]

    def probability(self, word: int, context: Gram) -> float:
        context = context[len(context) - self.order + 1 :] if len(context) >= self.order else context
        shorter = self.probability(word, context[1:]) if context else 1 / len(self.predicted)
        words = self.followers.get(context)
        if words is None:
            return shorter
        discounts = self.discounts[len(context) + 1]
        total = sum(words.values())
        leftover = sum(discounts[min(count, 3)] for count in words.values()) / total
        count = words.get(word, 0)
        return (count - discounts[min(count, 3)]) / total + leftover * shorter
