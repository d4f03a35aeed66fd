from __future__ import annotations

import subprocess
import sys

import pytest

from readhead.data.corpora.grammar import HELD_OUT, GrammarCorpus
from readhead.errors import InputError


def test_examples() -> None:
    corpus = GrammarCorpus(size=7)
    examples = list(corpus.read("train", None))
    assert len(examples) == 7
    assert [example.origin for example in examples] == [f"grammar/train:{n}" for n in range(1, 8)]
    assert {example.label for example in examples} == set(corpus.labels)
    assert all(tuple(example.texts) == corpus.fields for example in examples)
    assert examples[0].tags["phenomenon"] == "hypernyms"
    assert examples == list(corpus.read("train", None))


@pytest.mark.parametrize("split", ["dev", "test", "long"])
def test_held_out_splits_have_their_own_size(split: str) -> None:
    assert len(list(GrammarCorpus(size=3).read(split, None))) == HELD_OUT


def test_mistakes_are_told_by_name() -> None:
    with pytest.raises(InputError, match=r"'validation'.*train, dev, test, long"):
        GrammarCorpus().read("validation", None)
    with pytest.raises(InputError, match="size is 0"):
        GrammarCorpus(size=0)


def test_it_does_without_torch() -> None:
    code = "import sys, readhead.data.corpora.grammar; assert 'torch' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)
