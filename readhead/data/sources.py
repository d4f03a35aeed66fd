"""Every corpus and every file of word vectors: what it is, where it comes from, under which licence."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True, kw_only=True, slots=True)
class Source:
    """Where one corpus or one file of vectors comes from.

    title: its full name.
    page: where people read about it; None if there is no such page.
    files: what lies below the corpora directory once it is there.
    url: of the archive or file to fetch; None where it cannot be fetched, and then `note` says why.
    members: by file in `files`, the archive's member it is; empty if the fetched file is kept as it is.
    sha256: of what `url` gives, in hexadecimal; None if not known.
    licence: as its makers word it.
    citation: whom to cite.
    note: what else there is to know.
    """

    title: str
    files: tuple[str, ...]
    licence: str
    page: str | None = None
    url: str | None = None
    members: Mapping[str, str] = field(default_factory=dict)
    sha256: str | None = None
    citation: str | None = None
    note: str | None = None


def _archive(folder: str, stem: str, splits: tuple[str, ...]) -> dict[str, str]:
    return {f"{folder}/{stem}_{split}.jsonl": f"{stem}/{stem}_{split}.jsonl" for split in splits}


_SNLI = _archive("snli", "snli_1.0", ("train", "dev", "test"))
_MULTINLI = _archive("multinli", "multinli_1.0", ("train", "dev_matched", "dev_mismatched"))
_SST = {f"sst/trees/{split}.txt": f"trees/{split}.txt" for split in ("train", "dev", "test")}
_GLOVE = "Pennington, Socher and Manning (2014), GloVe: Global Vectors for Word Representation, EMNLP"

SOURCES: Mapping[str, Source] = {
    "snli": Source(
        title="Stanford Natural Language Inference, 1.0",
        page="https://nlp.stanford.edu/projects/snli/",
        files=tuple(_SNLI),
        url="https://nlp.stanford.edu/projects/snli/snli_1.0.zip",
        members=_SNLI,
        sha256="afb3d70a5af5d8de0d9d81e2637e0fb8c22d1235c2749d83125ca43dab0dbd3e",
        licence="CC BY-SA 4.0",
        citation=(
            "Bowman, Angeli, Potts and Manning (2015), "
            "A large annotated corpus for learning natural language inference, EMNLP"
        ),
        note='a part of the training pairs is snli/snli_1.0_train_partial.jsonl, read with train = "partial"',
    ),
    "multinli": Source(
        title="Multi-Genre Natural Language Inference, 1.0",
        page="https://cims.nyu.edu/~sbowman/multinli/",
        files=tuple(_MULTINLI),
        url="https://cims.nyu.edu/~sbowman/multinli/multinli_1.0.zip",
        members=_MULTINLI,
        sha256="049f507b9e36b1fcb756cfd5aeb3b7a0cfcb84bf023793652987f7e7e0957822",
        licence="mixed: most under the Open American National Corpus licence, fiction under several",
        citation=(
            "Williams, Nangia and Bowman (2018), "
            "A Broad-Coverage Challenge Corpus for Sentence Understanding through Inference, NAACL"
        ),
    ),
    "nli-mixture": Source(
        title="A mixture of parts of five corpora of sentence pairs, 111,428 pairs",
        files=("nli-mixture/train.jsonl",),
        licence="mixed, for research: that of each part",
        note=(
            "made from other corpora and published nowhere; "
            "one object a line with gold_label, sentence1, sentence2 and source: "
            "snli (a part), multinli (20,000 pairs), lingnli, semi-automatic, "
            "cad (revised pairs of counterfactual NLI); no pair of SNLI's dev or test set"
        ),
    ),
    "sst": Source(
        title="Stanford Sentiment Treebank, 11,855 sentences as trees",
        page="https://nlp.stanford.edu/sentiment/",
        files=tuple(_SST),
        url="https://nlp.stanford.edu/sentiment/trainDevTestTrees_PTB.zip",
        members=_SST,
        sha256="5c613a4f673fc74097d523a2c83f38e0cc462984d847b82c7aaf36b01cbbbfcc",
        licence="none stated; for research",
        citation=(
            "Socher, Perelygin, Wu, Chuang, Manning, Ng and Potts (2013), "
            "Recursive Deep Models for Semantic Compositionality Over a Sentiment Treebank, EMNLP"
        ),
    ),
    "ptb": Source(
        title="Penn Treebank, Wall Street Journal, as language models read it",
        page="https://catalog.ldc.upenn.edu/LDC99T42",
        files=tuple(f"ptb/ptb.{split}.txt" for split in ("train", "valid", "test")),
        licence="LDC User Agreement: for those who have the treebank from the Linguistic Data Consortium",
        citation=(
            "Marcus, Santorini and Marcinkiewicz (1993), Building a Large Annotated Corpus of English: "
            "The Penn Treebank, Computational Linguistics 19(2); in this form since Mikolov, Karafiát, Burget, "
            "Černocký and Khudanpur (2010), Recurrent neural network based language model, Interspeech"
        ),
        note=(
            "the text (LDC99T42) must not be passed on; put the three files there yourself: 42,068, 3,370 and 3,761 "
            "lines, a sentence each, words parted by spaces, lower-cased, without punctuation, numbers written N, "
            "rare words written <unk>, no mark at the end"
        ),
    ),
    "glove.840B.300d": Source(
        title="GloVe vectors, 840 billion tokens of Common Crawl, 2.2 million words, 300 numbers each",
        page="https://nlp.stanford.edu/projects/glove/",
        files=("vectors/glove.840B.300d.zip",),
        url="https://nlp.stanford.edu/data/glove.840B.300d.zip",
        sha256="c06db255e65095393609f19a4cfca20bf3a71e20cc53e892aafa490347e3849f",
        licence="Public Domain Dedication and License 1.0",
        citation=_GLOVE,
        note="2.2 GB; read from the .zip as it is",
    ),
    "glove.6B.300d": Source(
        title="GloVe vectors, 6 billion tokens of Wikipedia and news, 400,000 words, 300 numbers each",
        page="https://nlp.stanford.edu/projects/glove/",
        files=("vectors/glove.6B.300d.txt",),
        url="https://nlp.stanford.edu/data/glove.6B.zip",
        members={"vectors/glove.6B.300d.txt": "glove.6B.300d.txt"},
        sha256="617afb2fe6cbd085c235baf7a465b96f4112bd7f7ccb2b2cbd649fed9cbcf2fb",
        licence="Public Domain Dedication and License 1.0",
        citation=_GLOVE,
        note="862 MB to fetch, 1 GB on disk",
    ),
    "own.300d": Source(
        title="Skip-gram vectors of 60,000 lower-cased words, 300 numbers each",
        files=("vectors/own.300d.txt.xz",),
        licence="free to use",
        note=(
            "trained for this project on film reviews, Wikipedia articles and sentence pairs; "
            "published nowhere yet, so there is no address to fetch it from"
        ),
    ),
}
"""By the name that `readhead data` takes: a corpus's recipe name, or a vectors file's name."""


def missing_files(source: Source, directory: Path) -> tuple[Path, ...]:
    """Those of a source's files that are not below the corpora directory."""
    return tuple(path for path in (directory / name for name in source.files) if not path.is_file())
