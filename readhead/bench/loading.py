"""`readhead bench loading`: what it takes to have SNLI's 549,367 pairs ready, from the generated corpus.

Each stage is done once, since it takes long enough to be its own average; time is told by the wall and by the
processor, which other programs do not lengthen.
"""

from __future__ import annotations

import os
import resource
import time
from collections.abc import Iterator
from typing import Any

import numpy as np
import torch

from readhead.data.corpora.grammar import GrammarCorpus
from readhead.data.encoded import TokenisedSplit
from readhead.data.sampler import BucketSampler, padding_waste
from readhead.data.tokenizer import Tokenizer
from readhead.data.vocabulary import Vocabulary

FULL, QUICK = 549_367, 5_000
"""Pairs: SNLI's training split, and enough to see that it works."""

BATCH = 32


class _Stages:
    """Times one stage after the other."""

    def __init__(self, pairs: int) -> None:
        self.pairs = pairs
        self._load = os.getloadavg()[0]
        self._begin()

    def _begin(self) -> None:
        self._wall, self._cpu = time.perf_counter(), time.process_time()

    def done(self, stage: str, **more: float) -> dict[str, Any]:
        """The row of the stage that ends now; the next one begins."""
        wall, cpu = time.perf_counter() - self._wall, time.process_time() - self._cpu
        row = {
            "stage": stage,
            "pairs": self.pairs,
            "seconds": wall,
            "cpu_seconds": cpu,
            "pairs_per_cpu_second": self.pairs / cpu,
            "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
            **more,
            "threads": torch.get_num_threads(),
            "disturbed": False,
            "load_before": self._load,
            "load_after": os.getloadavg()[0],
        }
        self._begin()
        return row


def rows(device: torch.device, pairs: int) -> Iterator[dict[str, Any]]:
    """One row a stage: generated, split into words, looked up, ordered, padded.

    device: not used; nothing of this runs on an accelerator.
    pairs: how many.
    """
    corpus, stages = GrammarCorpus(size=pairs), _Stages(pairs)
    examples = list(corpus.read("train", None))
    yield stages.done("generate")
    split = TokenisedSplit(examples, fields=corpus.fields, tokenizer=Tokenizer(lowercase=True), max_tokens=400)
    yield stages.done("split into words")
    vocabulary = Vocabulary.build(split.counts(), vector_words=None, oov="hashed")
    encoded = split.encode(vocabulary, labels=corpus.labels, first="null")
    yield stages.done("look words up", rows=len(vocabulary))
    batches = BucketSampler(lengths=encoded.lengths, batch_size=BATCH, seed=0).epoch(0)
    yield stages.done("order an epoch", padding=padding_waste(encoded.lengths, batches))
    for indices in batches:
        encoded.batch(np.asarray(indices))
    yield stages.done("make its batches")
