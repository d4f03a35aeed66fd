"""How right a reader of one's own texts is where nothing is tuned, beside TF-IDF and logistic regression.

Known corpora are written as a user's own CSV files, and trained on as `readhead train --task classify --data FILE`
does. The baselines learn from all of that file; of it the reader sets a tenth aside to choose by.

| data            | to learn from                              | to score by      |
|-----------------|--------------------------------------------|------------------|
| `sst-fine`      | SST's 8,544 sentences, five labels         | its 2,210        |
| `sst-binary`    | its 6,920 that are not neutral, two labels | its 1,821        |
| `imdb-openings` | the first 60 words of 10,000 of the 25,000 | those of 25,000  |
|                 | reviews, drawn anew for each seed          |                  |
"""

from __future__ import annotations

import csv
import os
import random
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from readhead import results
from readhead.data.corpora.rated_reviews import rated_reviews
from readhead.data.corpora.sst import SST
from readhead.errors import InputError
from readhead.own_data import OwnData, own_recipe

OPENING = 60  # words
DRAWN = 10_000  # openings to learn from
BASELINES: dict[str, dict[str, Any]] = {
    "tfidf": {},
    "tfidf-bigrams": {"ngram_range": (1, 2), "sublinear_tf": True},
}
"""What TfidfVectorizer is told; the first is scikit-learn's default, and what a reader must not be worse than."""

Row = tuple[str, str]
"""A text and its label."""


@dataclass(frozen=True, slots=True)
class Data:
    """Texts with labels, to learn from and to score by."""

    train: Sequence[Row]
    test: Sequence[Row]


def sst(corpora: Path, labels: str) -> Data:
    """The sentences of SST; labels: `fine` or `binary`."""
    corpus = SST(labels=labels)  # type: ignore[arg-type]
    read = [
        [(" ".join(example.texts["text"]), str(example.label)) for example in corpus.read(split, corpora)]
        for split in ("train", "test")
    ]
    return Data(*read)


def imdb_openings(corpora: Path, seed: int) -> Data:
    """The openings of IMDB's reviews; seed: of the choice of those to learn from."""
    train, test = (
        [
            (" ".join(review.text.split()[:OPENING]), "positive" if review.rating > 5 else "negative")
            for review in rated_reviews(split, corpora)
        ]
        for split in ("train", "test")
    )
    return Data(random.Random(seed).sample(train, DRAWN), test)


DATA: dict[str, Callable[[Path, int], Data]] = {
    "sst-fine": lambda corpora, seed: sst(corpora, "fine"),
    "sst-binary": lambda corpora, seed: sst(corpora, "binary"),
    "imdb-openings": imdb_openings,
}
"""By name: from the corpora's folder and a seed."""


def measure(
    name: str, seed: int, *, corpora: Path, vectors: Path | None, changes: Sequence[str] = ()
) -> Iterator[dict[str, Any]]:
    """One row for each baseline and each reader, without vectors and, where there are some, with them.

    name: of `DATA`.
    seed: of the choice of openings, and of the training.
    changes: "section.key=value" to try instead of the defaults.
    """
    data = DATA[name](corpora, seed)
    with tempfile.TemporaryDirectory() as folder:
        train, test = Path(folder) / f"{name}.csv", Path(folder) / "test.csv"
        write_csv(train, data.train)
        write_csv(test, data.test)
        about = {"data": name, "seed": seed, "train": len(data.train), "test": len(data.test)}
        for baseline, told in BASELINES.items():
            yield about | {"system": baseline} | timed(partial(baseline_accuracy, data, told))
        for system, file in {"readhead": None, "readhead-vectors": vectors}.items():
            if system == "readhead" or file is not None:
                run = Path(folder) / system
                yield about | {"system": system} | reader_figures(train, test, run, file, changes, seed=seed)


def reader_figures(
    train: Path, test: Path, run: Path, vectors: Path | None, changes: Sequence[str], *, seed: int
) -> dict[str, Any]:
    """Trains as the command line does, and scores another file."""
    from readhead.prediction.evaluation import evaluate_file
    from readhead.run import Run
    from readhead.training.request import Request
    from readhead.training.start import train as start

    chosen = own_recipe(OwnData(task="classify", data=train), vectors, changes)
    request = Request(recipe=chosen, out=run, corpora=run, seed=seed, device="cpu", quiet=True)
    told: dict[str, Any] = timed(lambda: {"record": start(request)})
    record = told.pop("record")
    accuracy = evaluate_file(Run.open(run), test).report.metrics["accuracy"]
    return {
        "accuracy": 100 * accuracy,
        "dev_accuracy": 100 * record.best["value"],
        "recipe": chosen.name,
        "epochs": record.epochs,
        "best_epoch": record.best["epoch"],
        "parameters": record.parameters,
        **told,
    }


def baseline_accuracy(data: Data, told: dict[str, Any]) -> dict[str, Any]:
    """Accuracy of TF-IDF with logistic regression, as scikit-learn has them but for `told`.

    told: keywords of TfidfVectorizer.
    """
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression

    texts, labels = zip(*data.train, strict=True)
    weights = TfidfVectorizer(**told)
    # More rounds than the default, which warns where it has not converged.
    regression = LogisticRegression(max_iter=1_000).fit(weights.fit_transform(texts), labels)
    texts, labels = zip(*data.test, strict=True)
    return {"accuracy": 100 * float(regression.score(weights.transform(texts), labels))}


def check_sklearn() -> None:
    """Raises: InputError where scikit-learn is not installed, naming the extra."""
    if find_spec("sklearn") is None:
        raise InputError("bench own needs scikit-learn: pip install 'readhead[baselines]'")


def write_csv(path: Path, rows: Iterable[Row]) -> None:
    """A file as a user has it: the columns `text` and `label`."""
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([("text", "label"), *rows])


def timed(work: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """What it gives, with the seconds on the clock and of the processor, and the machine's load when it began."""
    load, began, spent = os.getloadavg()[0], time.monotonic(), time.process_time()
    told = work()
    seconds, cpu = time.monotonic() - began, time.process_time() - spent
    return told | {"seconds": round(seconds, 1), "cpu_seconds": round(cpu, 1), "load": round(load, 1)}


def summaries(rows: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """By data and system: accuracy over the seeds, and how much better than the first baseline it is, seed by seed."""
    first = next(iter(BASELINES))
    found = []
    for data, system in dict.fromkeys((row["data"], row["system"]) for row in rows):
        mine, theirs = (
            [row["accuracy"] for row in rows if (row["data"], row["system"]) == (data, of)] for of in (system, first)
        )
        gains = [ours - other for ours, other in zip(mine, theirs, strict=True)]
        seconds = [row["cpu_seconds"] for row in rows if (row["data"], row["system"]) == (data, system)]
        found.append(
            {
                "data": data,
                "system": system,
                "accuracy": results.summary(mine),
                f"over_{first}": results.summary(gains),
                "most_cpu_seconds": max(seconds),
            }
        )
    return found
