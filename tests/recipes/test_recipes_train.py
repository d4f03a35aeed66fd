"""Every recipe in the package is read, built and trained two steps on its corpus's fixture."""

from __future__ import annotations

import itertools
import json
import lzma
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import torch

from readhead import recipe
from readhead.data.corpora import grammar, imdb_text
from readhead.data.corpora.corpus import Corpus
from readhead.data.tokenizer import Tokenizer
from readhead.prediction.predictor import Predictor
from readhead.recipe import Recipe
from readhead.run import Run
from readhead.training.material import gather
from readhead.training.request import Request
from readhead.training.start import train
from tests.explain.shown import expect_shown

FIXTURES = Path(__file__).parents[1] / "fixtures"
NAMES = list(recipe.shipped())
OWN = {
    "pair": FIXTURES / "own" / "pairs.csv",
    "classify": FIXTURES / "own" / "reviews.tsv",
    "rank": FIXTURES / "own" / "questions.csv",
    "language-model": FIXTURES / "own" / "stories.txt",
}
DIM = 12  # of vectors whose width a recipe leaves to the file
STEPS = 2


@pytest.fixture(scope="module", autouse=True)
def short_splits() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(grammar, "HELD_OUT", 21)
        patched.setattr(imdb_text, "HELD_OUT", 3)
        yield


@pytest.fixture(scope="module")
def corpora(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The corpora's fixtures, and every file of vectors that a recipe names, in small."""
    folder = tmp_path_factory.mktemp("corpora")
    for path in (FIXTURES / "corpora").iterdir():
        shutil.copytree(path, folder / path.name)
    _write_reviews(folder / "imdb")
    (folder / "vectors").mkdir()
    plans = {recipe.read(name).vectors for name in NAMES}
    for name, dim in {(plan.file, plan.dim or DIM) for plan in plans if plan.file is not None}:
        _write_vectors(folder / "vectors" / f"{name}.txt", _words(folder), dim)
    return folder


def _words(corpora: Path) -> list[str]:
    """Two of three words of the fixtures, so that each policy for words without a vector is met."""
    tokenizer, words = Tokenizer(lowercase=True), set()
    for file in (corpora / "sst").rglob("*.txt"):
        words |= {leaf.lower() for leaf in re.findall(r" ([^ ()]+)\)", file.read_text(encoding="utf-8"))}
    for file in corpora.rglob("*.jsonl"):
        for line in file.read_text(encoding="utf-8").splitlines():
            pair = json.loads(line)
            words |= {*tokenizer(pair["sentence1"]).words, *tokenizer(pair["sentence2"]).words}
    for file in (corpora / "wikiqa").rglob("*.tsv"):
        words |= {*tokenizer(file.read_text(encoding="utf-8")).words}
    return [word for place, word in enumerate(sorted(words)) if place % 3]


def _write_reviews(folder: Path) -> None:
    """The rows of our own reviews as IMDB's table has them."""
    folder.mkdir()
    reviews = ("Dull. Very dull, and it never ends. The parrot was good.", "A joy. I laughed! So did Mr. Brown.")
    rows = [f"{side}\t{n}\t{r}\t{reviews[r > 5]}\n" for side, r in (("neg", 2), ("pos", 9)) for n in range(6)]
    for split in ("train", "test"):
        (folder / f"{split}.tsv.xz").write_bytes(lzma.compress("".join(rows).encode()))


def _write_vectors(path: Path, words: list[str], dim: int) -> None:
    rows = np.random.default_rng(0).normal(size=(len(words), dim)).round(2)
    with path.open("w", encoding="utf-8") as file:
        for word, row in zip(words, rows, strict=True):
            file.write(f"{word} {' '.join(map(str, row))}\n")


def _shortened(name: str, corpora: Path) -> Recipe:
    """The recipe with one epoch of two steps, and first weights of another scale. A model that counts, counts all."""
    if "training" not in recipe.read(name).parts:
        return recipe.read(name, _small_corpus(recipe.read(name)))
    changes = ["training.epochs=1", *_small_corpus(recipe.read(name)), *_greater_weights(recipe.read(name))]
    corpus: Corpus = recipe.read(name, changes).parts["corpus"].build()
    examples = sum(1 for _ in corpus.read(corpus.splits[0], corpora))
    return recipe.read(name, [*changes, f"training.batch_size={-(-examples // STEPS)}"])


def _small_corpus(chosen: Recipe) -> list[str]:
    corpus = chosen.parts["corpus"]
    match corpus.kind:
        case "grammar":
            return ["corpus.size=32"]
        case "file":
            return [f"corpus.train={OWN[corpus.options['task']]}"]
    return []


def _greater_weights(chosen: Recipe) -> list[str]:
    # From 0.01 the attention's weights move by less in two steps than float32 can add to them.
    known = {section: chosen.parts[section].options for section in ("reader", "model") if section in chosen.parts}
    return [f"{section}.init_std=0.1" for section, options in known.items() if "init_std" in options]


def test_recipes_were_found() -> None:
    assert len(NAMES) >= 15
    assert len(NAMES) == len(list(recipe.SHIPPED.rglob("*.toml")))


@pytest.mark.parametrize("name", NAMES)
def test_a_recipe_trains_two_steps_and_answers(name: str, corpora: Path, tmp_path: Path) -> None:
    chosen = _shortened(name, corpora)
    record = train(Request(recipe=chosen, out=tmp_path / "run", corpora=corpora, device="cpu", quiet=True))
    (line,) = (tmp_path / "run" / "metrics.jsonl").read_text().splitlines()
    if "training" in chosen.parts:
        assert -(-record.examples["train"] // chosen.training.batch_size) == STEPS
    assert np.isfinite(list(json.loads(line).values())).all()
    run = Run.open(tmp_path / "run")
    _assert_trained(run, corpora)
    _assert_answers(run, corpora)
    _assert_explained(run, corpora)


def _assert_trained(run: Run, corpora: Path) -> None:
    """Every trainable weight is another than what the seed drew."""
    material = gather(run.recipe, corpora=corpora, seed=0)
    torch.manual_seed(0)
    num_classes = material.task.num_classes(material.vocabulary)
    fresh = run.recipe.build_model(table=material.table, pretrained=material.pretrained, num_classes=num_classes)
    trained = dict(run.model.named_parameters())
    still = [
        name for name, drawn in fresh.named_parameters() if drawn.requires_grad and torch.equal(drawn, trained[name])
    ]
    assert not still, f"did not move: {still}"


def _assert_explained(run: Run, corpora: Path) -> None:
    """A page, files and a printout of one reading; of a ranking, of a question with its candidates."""
    corpus: Corpus = run.recipe.parts["corpus"].build()
    example = next(iter(corpus.read("train", corpora)))
    predictor = Predictor(run=run)
    expect_shown(predictor.explain(dict(example.texts)))
    if (several := run.task.several) is not None:
        (other,) = (field for field in run.task.fields if field != several)
        candidates = [example.texts[several], "something else"]
        expect_shown(predictor.explain_ranking(example.texts[other], candidates))


def _assert_answers(run: Run, corpora: Path) -> None:
    corpus: Corpus = run.recipe.parts["corpus"].build()
    asked = [dict(example.texts) for example in itertools.islice(corpus.read("train", corpora), 3)]
    for answer in Predictor(run=run).answers(asked):
        if not run.record.labels:
            assert len(answer["tokens"]) == len(answer["surprisal"])
            assert np.log2(answer["perplexity"]) == pytest.approx(np.mean(answer["surprisal"]), rel=1e-4)
            continue
        if run.task.several is not None:
            assert 0 <= answer["score"] <= 1
            continue
        assert set(answer["scores"]) == set(run.record.labels)
        assert sum(answer["scores"].values()) == pytest.approx(1)
