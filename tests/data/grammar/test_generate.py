from __future__ import annotations

import itertools
import re
from collections import Counter

import pytest

from readhead.data.grammar.generate import LONGEST, SPLITS, Pair, pairs
from readhead.data.grammar.inference import LABELS
from readhead.data.grammar.meaning import (
    Both,
    Concepts,
    Counted,
    Either,
    Formula,
    Holds,
    Meaning,
    Not,
    Related,
)
from readhead.data.grammar.phenomena import PHENOMENA
from tests.data.grammar import shallow_reader

EACH = len(PHENOMENA) * len(LABELS)
GRAMMAR_WORDS = frozenset(
    ["a", "an", "the", "is", "are", "and", "or", "but", "not", "neither", "nor", "being", "by", "that"]
)


@pytest.fixture(scope="module")
def made() -> dict[str, list[Pair]]:
    return {split: list(pairs(split, seed=0, size=100 * EACH)) for split in SPLITS}


def words(text: str) -> list[str]:
    return re.findall(r"[\w-]+", text.lower())


@pytest.mark.parametrize("split", SPLITS)
def test_every_phenomenon_has_every_label_equally_often(made: dict[str, list[Pair]], split: str) -> None:
    counts = Counter((pair.phenomenon, pair.label) for pair in made[split])
    assert counts == dict.fromkeys(itertools.product(PHENOMENA, LABELS), 100)


@pytest.mark.parametrize("split", SPLITS)
def test_a_hypothesis_has_every_label_once(made: dict[str, list[Pair]], split: str) -> None:
    for three in _threes(made[split]):
        assert {pair.label for pair in three} == set(LABELS)
        assert len({pair.hypothesis for pair in three}) == 1
        assert all(pair.premise != pair.hypothesis for pair in three)


def _threes(stream: list[Pair]) -> list[tuple[Pair, Pair, Pair]]:
    return list(zip(stream[::3], stream[1::3], stream[2::3], strict=True))


def test_the_premises_of_word_order_are_made_of_the_same_words(made: dict[str, list[Pair]]) -> None:
    for three in _threes([pair for pair in made["test"] if pair.phenomenon == "word order"]):
        assert len({tuple(sorted(words(pair.premise))) for pair in three}) == 1
        assert len({pair.premise for pair in three}) == 3


def test_no_pair_twice_in_the_held_out_splits_and_none_in_two_splits(made: dict[str, list[Pair]]) -> None:
    texts = {split: [(pair.premise, pair.hypothesis) for pair in made[split]] for split in SPLITS}
    for split in ("dev", "test", "long"):
        assert len(set(texts[split])) == len(texts[split])
    for one, other in itertools.combinations(SPLITS, 2):
        assert not set(texts[one]) & set(texts[other])


def test_hypotheses_of_dev_and_test_are_in_no_training_split_of_any_seed(made: dict[str, list[Pair]]) -> None:
    held_out = {pair.hypothesis for split in ("dev", "test") for pair in made[split]}
    assert held_out.isdisjoint(pair.hypothesis for pair in pairs("train", seed=99, size=6_000))


def test_long_premises_are_longer_than_any_other(made: dict[str, list[Pair]]) -> None:
    for split in SPLITS:
        for pair in made[split]:
            assert (len(pair.premise.split()) > LONGEST) is (split == "long")


def test_the_same_seed_gives_the_same_pairs_and_another_seed_others() -> None:
    first = list(pairs("train", seed=5, size=60))
    assert first == list(pairs("train", seed=5, size=300))[:60]
    assert first != list(pairs("train", seed=6, size=60))


def test_lengths_are_those_of_sentence_pairs_in_the_wild(made: dict[str, list[Pair]]) -> None:
    def mean(texts: list[str]) -> float:
        return sum(len(re.findall(r"[\w-]+|[,.]", text)) for text in texts) / len(texts)

    assert 12 <= mean([pair.premise for pair in made["train"]]) <= 14
    assert 7 <= mean([pair.hypothesis for pair in made["train"]]) <= 9


# What the sentences say is what their logical forms say.


def _concepts(formula: Formula | Counted) -> tuple[Concepts, list[str]]:
    """The concepts of a formula, and the other words that it stands for."""
    if isinstance(formula, Counted):
        return formula.restrictor + formula.scope, [formula.quantifier.words]
    if isinstance(formula, Holds):
        return formula.concepts, [formula.who]
    if isinstance(formula, Related):
        relation = formula.relation
        told = (relation.words, relation.passive, relation.many, relation.converse)
        return (), [*told, formula.first, formula.second]
    if isinstance(formula, Not):
        return _concepts(formula.part)
    assert isinstance(formula, Both | Either)
    parts = [_concepts(part) for part in formula.parts]
    return tuple(c for concepts, _ in parts for c in concepts), [w for _, others in parts for w in others]


def _accounted(meaning: Meaning) -> tuple[list[tuple[str, str]], set[str]]:
    concepts, others = _concepts(meaning.main)
    for fact in meaning.scene:
        concepts, others = concepts + fact.concepts, [*others, fact.who]
    forms = [(concept.word, concept.plural) for concept in concepts]
    return forms, {word for text in [*others, *itertools.chain(*forms)] for word in words(text)}


@pytest.mark.parametrize("split", ["train", "long"])
def test_words_and_logical_form_account_for_each_other(made: dict[str, list[Pair]], split: str) -> None:
    for pair in made[split]:
        for text, meaning in zip((pair.premise, pair.hypothesis), pair.meanings, strict=True):
            forms, known = _accounted(meaning)
            assert all(one.lower() in text.lower() or many in text for one, many in forms), text
            assert set(words(text)) <= known | GRAMMAR_WORDS, text


def test_sentences_look_like_sentences(made: dict[str, list[Pair]]) -> None:
    for pair in itertools.chain.from_iterable(made.values()):
        for text in (pair.premise, pair.hypothesis):
            assert re.fullmatch(r"[A-Z][^.]*\w\.", text), text
            assert not re.search(r"  | ,|,,|\ba [aeio]|\ban [^aeiou]", text), text


def test_at_least_five_hundred_content_words(made: dict[str, list[Pair]]) -> None:
    seen = {word for pair in pairs("train", seed=0, size=9_000) for word in words(pair.premise)}
    everything = [meaning for pair in made["train"] for meaning in pair.meanings]
    names = {m.main.who for m in everything if isinstance(m.main, Holds) and m.main.who[0].isupper()}
    assert len(seen - {name.lower() for name in names} - GRAMMAR_WORDS) >= 500 + 80  # numbers, prepositions, ...


# No artefacts


def labelled(stream: list[Pair], text: str) -> list[tuple[str, int]]:
    return [(getattr(pair, text), LABELS.index(pair.label)) for pair in stream]


def test_a_hypothesis_alone_does_not_give_its_label_away(made: dict[str, list[Pair]]) -> None:
    train, test = labelled(made["train"], "hypothesis"), labelled(made["test"], "hypothesis")
    assert shallow_reader.accuracy(train, test) < 0.40


def test_a_premise_alone_gives_little_away(made: dict[str, list[Pair]]) -> None:
    train, test = labelled(made["train"], "premise"), labelled(made["test"], "premise")
    assert shallow_reader.accuracy(train, test) < 0.50


def test_the_shallow_reader_finds_what_is_there() -> None:
    examples = [(f"the {word} {n}", label) for n in range(30) for label, word in enumerate(("cat", "dog", "owl"))]
    assert shallow_reader.accuracy(examples[:60], examples[60:]) == 1.0


def test_overlapping_words_alone_do_not_solve_it(made: dict[str, list[Pair]]) -> None:
    """The best rule by how many words of the hypothesis the premise lacks, learnt on the test split."""
    tables: dict[int, Counter[str]] = {}
    for pair in made["test"]:
        missing = len(set(words(pair.hypothesis)) - set(words(pair.premise)))
        tables.setdefault(missing, Counter())[pair.label] += 1
    right = sum(table.most_common(1)[0][1] for table in tables.values())
    assert right / len(made["test"]) < 0.55
