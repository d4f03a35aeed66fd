"""The exported reader's own rules are the run's."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some

from readhead.data.vocabulary import MARKERS, Vocabulary

pytest.importorskip("onnxruntime")

from readhead.export import reader as exported

WORDS = ("baker", "sings", "the line's\u2028end", "naïve")
ANY_WORD = some.one_of(some.sampled_from([*WORDS, "<pad>", "<unk>", "<unk-3>", "<start>"]), some.text(min_size=1))


@pytest.fixture(scope="module", params=[1, 100])
def vocabularies(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Vocabulary, Path]:
    path = tmp_path_factory.mktemp("words") / "vocabulary.txt"
    vocabulary = Vocabulary(words=WORDS, oov_rows=request.param)
    vocabulary.save(path)
    return vocabulary, exported.Vocabulary(path)


@given(word=ANY_WORD)
def test_every_word_has_its_row(vocabularies: tuple[Vocabulary, exported.Vocabulary], word: str) -> None:
    ours, theirs = vocabularies
    assert theirs.row(word) == ours.ids([word])[0]


def test_markers_have_their_rows(vocabularies: tuple[Vocabulary, exported.Vocabulary]) -> None:
    ours, theirs = vocabularies
    assert [theirs.marker(name) for name in MARKERS] == [ours.marker_row(name) for name in MARKERS]


@given(lengths=some.lists(some.integers(0, 9000), max_size=200))
def test_batches_hold_every_text_once(lengths: list[int]) -> None:
    batches = list(exported._batches(lengths))
    assert sorted(place for batch in batches for place in batch) == list(range(len(lengths)))
    for batch in batches:
        longest = max(lengths[place] for place in batch)
        assert len(batch) == 1 or (len(batch) <= exported.TEXTS and len(batch) * longest <= exported.TOKENS)


def reader_that_answers(*, answers: str, several: str | None = None) -> exported.Reader:
    """Without a model: what is told of numbers is looked at alone."""
    reader = exported.Reader.__new__(exported.Reader)
    reader.config = {"answers": answers, "several": several, "temperature": 2.0, "labels": ["no", "yes"]}
    reader.vocabulary = exported.Vocabulary.__new__(exported.Vocabulary)
    reader.vocabulary.unknown = range(1, 2)
    return reader


def test_candidates_are_ranked_by_their_logits_the_first_of_equals_first() -> None:
    reader = reader_that_answers(answers="ranking", several="candidate")
    texts = [{"candidate": name, "question": "who?"} for name in ("a", "b", "c")]
    told = [reader._told(np.array([logit]), {}) for logit in (0.0, 2.0, 0.0)]
    ranking = reader._record(texts, told)["ranking"]
    assert [(one["candidate"], one["place"]) for one in ranking] == [("b", 1), ("a", 0), ("c", 2)]
    assert [one["score"] for one in ranking] == pytest.approx([1 / (1 + np.exp(-1)), 0.5, 0.5])


def test_a_surprise_is_told_in_bits() -> None:
    reader = reader_that_answers(answers="surprisal")
    text = exported.Encoded([3, 1, 4], ["⊢", "zyxomma", "⊣"], False)
    told = reader._told(np.array([np.log(4), np.log(2), 99.0]), {"text": text})  # the last is of padding
    assert told == {
        "perplexity": pytest.approx(8**0.5),
        "surprisal": pytest.approx([2, 1]),
        "tokens": ["zyxomma", "⊣"],
        "unknown": [0],
    }


def test_grouped_labels_are_told_with_what_their_labels_have() -> None:
    reader = reader_that_answers(answers="classes")
    reader.config |= {"labels": ["bad", "so-so", "good", "great"], "groups": {"down": ["bad"], "up": ["great", "good"]}}
    told = reader._told(2 * np.log([0.2, 0.5, 0.1, 0.2]), {})  # the temperature is 2
    assert (told["label"], told["groups"]) == ("so-so", pytest.approx({"down": 0.4, "up": 0.6}))
    far_apart = reader._told(np.array([-9e3, 9e3, -9e3, -9e3]), {})
    assert far_apart["groups"] == pytest.approx({"down": 1 / 3, "up": 2 / 3})


@pytest.mark.parametrize("config", [{}, {"groups": None}])
def test_a_folder_without_groups_tells_none(config: dict[str, None]) -> None:
    reader = reader_that_answers(answers="classes")
    reader.config |= config
    assert list(reader._told(np.array([0.0, 1.0]), {})) == ["label", "scores"]
