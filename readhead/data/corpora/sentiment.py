"""How good a film is found to be, in stars: sentences of the Stanford Sentiment Treebank, reviews of IMDB."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import ClassVar, Literal

from readhead.data.corpora.corpus import check_split, labelled
from readhead.data.corpora.imdb_text import sentences
from readhead.data.corpora.rated_reviews import Review, rated_reviews, table
from readhead.data.corpora.sst import SST
from readhead.data.example import Example
from readhead.errors import InputError

STARS = ("1 star", "2 stars", "3 stars", "4 stars", "5 stars")

_SST = ("very negative", "negative", "neutral", "positive", "very positive")
_OF_PHRASE = dict(zip(_SST, STARS, strict=True))
# Reviews that a reader could take for neutral are not among IMDB's: no rating is 5 or 6.
_OF_RATING = {1: STARS[0], 2: STARS[0], 3: STARS[1], 4: STARS[1], 7: STARS[3], 8: STARS[3], 9: STARS[4], 10: STARS[4]}


class Sentiment:
    """Texts about films with 1 to 5 stars.

    `dev` and `test` are the sentences of SST with its five classes as stars: 1,101 / 2,210. `reviews` are IMDB's 25,000
    reviews to test on, whole, and `openings` the first `passage` words of each; ratings 1 and 2 are 1 star, 3 and 4 are
    2, 7 and 8 are 4, 9 and 10 are 5.

    train: `phrases`, those of SST's training trees, each with each of its labels once; `passages`, IMDB's reviews to
        train on, cut into passages of whole sentences, each with the stars of its review; `both`, one after the other.
    passage: the most words of a passage; a sentence that is longer is cut.
    last: how many passages of a review are trained on, from its end, where most say what they think; None = all.

    Raises:
        InputError: less than one word, or one passage.
    """

    fields = ("text",)
    labels = STARS
    splits = ("train", "dev", "test", "openings", "reviews")
    complete = True
    sizes: ClassVar[Mapping[str, int]] = {"dev": 1_101, "test": 2_210, "openings": 25_000, "reviews": 25_000}

    def __init__(
        self, *, train: Literal["phrases", "passages", "both"] = "phrases", passage: int = 60, last: int | None = None
    ) -> None:
        for name, number in (("passage", passage), ("last", last)):
            if number is not None and number < 1:
                raise InputError(f"[corpus] {name} = {number}: expected at least 1")
        self._train, self._passage, self._last = train, passage, last
        self._sst = SST(train="phrases")
        self.dropped: Counter[str] = Counter()

    def read(self, split: str, directory: Path | None) -> Iterator[Example]:
        """Streams a split, in the order of its file. Raises `InputError`."""
        check_split(split, self.splits)
        return labelled(self._examples(split, directory), split=split, dropped=self.dropped)

    def files(self, directory: Path | None) -> dict[str, Path]:
        """By split, the file it is read from, where it is there; the second of two to train on is `passages`."""
        trees = self._sst.files(directory)
        if self._train == "passages":
            trees.pop("train", None)
        reviews = {"phrases": {}, "passages": {"train": "train"}, "both": {"passages": "train"}}[self._train]
        reviews |= {"openings": "test", "reviews": "test"}
        tables = {name: table(of, directory) for name, of in reviews.items()}
        return trees | {name: path for name, path in tables.items() if path is not None}

    def _examples(self, split: str, directory: Path | None) -> Iterator[Example]:
        match split:
            case "train":
                return self._training(directory)
            case "openings":
                return _with_stars(rated_reviews("test", directory), self._opening)
            case "reviews":
                return _with_stars(rated_reviews("test", directory), lambda review: [review])
        return _in_stars(self._sst.read(split, directory))

    def _training(self, directory: Path | None) -> Iterator[Example]:
        if self._train != "passages":
            yield from _in_stars(_each_once(self._sst.read("train", directory)))
        if self._train != "phrases":
            yield from _with_stars(rated_reviews("train", directory), self._passages)

    def _opening(self, review: str) -> list[str]:
        return [" ".join(review.split()[: self._passage])]

    def _passages(self, review: str) -> list[str]:
        found = list(passages(review, self._passage))
        return found if self._last is None else found[-self._last :]


def passages(review: str, words: int) -> Iterator[str]:
    """A review cut into passages of whole sentences, as many together as stay within `words`.

    A sentence that is longer than that stands alone, without what is too much.
    """
    passage: list[str] = []
    for sentence in sentences(review):
        going_on = sentence.split()
        if passage and len(passage) + len(going_on) > words:
            yield " ".join(passage)
            passage = []
        passage = (passage + going_on)[:words]
    yield " ".join(passage)


def _with_stars(reviews: Iterable[Review], cut: Callable[[str], Iterable[str]]) -> Iterator[Example]:
    for review in reviews:
        for text in cut(review.text):
            yield Example({"text": text}, _OF_RATING[review.rating], review.origin)


def _in_stars(phrases: Iterable[Example]) -> Iterator[Example]:
    for phrase in phrases:
        yield replace(phrase, label=_OF_PHRASE[str(phrase.label)])


def _each_once(phrases: Iterable[Example]) -> Iterator[Example]:
    """The phrases without those that come again with the same label."""
    known: set[tuple[object, object]] = set()
    for phrase in phrases:
        if (what := (phrase.texts["text"], phrase.label)) not in known:
            known.add(what)
            yield phrase
