"""Every corpus and every file of word vectors: what it is, where it comes from, under which licence."""

from __future__ import annotations

from collections.abc import Mapping

from readhead.data.contents import Members
from readhead.data.mixture_parts import MIXTURE_PARTS
from readhead.data.reviews import ReviewTables
from readhead.data.source import Download, Source


def _archive(folder: str, stem: str, splits: tuple[str, ...]) -> Members:
    return Members({f"{folder}/{stem}_{split}.jsonl": f"{stem}/{stem}_{split}.jsonl" for split in splits})


_SPLITS = ("train", "dev", "test")
_GLOVE = "Pennington, Socher and Manning (2014), GloVe: Global Vectors for Word Representation, EMNLP"
_WIT3 = "Cettolo, Girardi and Federico (2012), WIT3: Web Inventory of Transcribed and Translated Talks, EAMT"
_TED = "CC BY-NC-ND, by TED: not for commerce, nor to be passed on changed"
_TALKS = {
    f"iwslt14/de-en/{name}": f"de-en/{name}"
    for language in ("de", "en")
    for name in (
        f"train.tags.de-en.{language}",
        *(f"IWSLT14.{part}.de-en.{language}.xml" for part in ("TED.dev2010", "TEDX.dev2012")),
        *(f"IWSLT14.TED.tst{year}.de-en.{language}.xml" for year in (2010, 2011, 2012)),
    )
}

SOURCES: Mapping[str, Source] = {
    "snli": Source(
        title="Stanford Natural Language Inference, 1.0",
        page="https://nlp.stanford.edu/projects/snli/",
        downloads=(
            Download(
                url="https://nlp.stanford.edu/projects/snli/snli_1.0.zip",
                place="snli/snli_1.0.zip",
                contents=_archive("snli", "snli_1.0", _SPLITS),
                sha256="afb3d70a5af5d8de0d9d81e2637e0fb8c22d1235c2749d83125ca43dab0dbd3e",
            ),
        ),
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
        downloads=(
            Download(
                url="https://cims.nyu.edu/~sbowman/multinli/multinli_1.0.zip",
                place="multinli/multinli_1.0.zip",
                contents=_archive("multinli", "multinli_1.0", ("train", "dev_matched", "dev_mismatched")),
                sha256="049f507b9e36b1fcb756cfd5aeb3b7a0cfcb84bf023793652987f7e7e0957822",
            ),
        ),
        licence="mixed: most under the Open American National Corpus licence, fiction under several",
        citation=(
            "Williams, Nangia and Bowman (2018), "
            "A Broad-Coverage Challenge Corpus for Sentence Understanding through Inference, NAACL"
        ),
    ),
    "nli-mixture": Source(
        title="A mixture of parts of five corpora of sentence pairs, 111,428 pairs",
        by_hand=("nli-mixture/train.jsonl",),
        licence="mixed, for research: that of each part",
        note=(
            "made from other corpora and published nowhere; `readhead data fetch` gets those: snli (a part of it), "
            "multinli (20,000 pairs), lingnli, semi-automatic and cad; one object a line with gold_label, sentence1, "
            "sentence2 and source, which is one of these names; no pair of SNLI's dev or test set"
        ),
    ),
    **MIXTURE_PARTS,
    "sst": Source(
        title="Stanford Sentiment Treebank, 11,855 sentences as trees",
        page="https://nlp.stanford.edu/sentiment/",
        downloads=(
            Download(
                url="https://nlp.stanford.edu/sentiment/trainDevTestTrees_PTB.zip",
                place="sst/trainDevTestTrees_PTB.zip",
                contents=Members({f"sst/trees/{split}.txt": f"trees/{split}.txt" for split in _SPLITS}),
                sha256="5c613a4f673fc74097d523a2c83f38e0cc462984d847b82c7aaf36b01cbbbfcc",
            ),
        ),
        licence="none stated; for research",
        citation=(
            "Socher, Perelygin, Wu, Chuang, Manning, Ng and Potts (2013), "
            "Recursive Deep Models for Semantic Compositionality Over a Sentiment Treebank, EMNLP"
        ),
    ),
    "ptb": Source(
        title="Penn Treebank, Wall Street Journal, as language models read it",
        page="https://catalog.ldc.upenn.edu/LDC99T42",
        by_hand=tuple(f"ptb/ptb.{split}.txt" for split in ("train", "valid", "test")),
        licence="LDC User Agreement: for those who have the treebank from the Linguistic Data Consortium",
        citation=(
            "Marcus, Santorini and Marcinkiewicz (1993), Building a Large Annotated Corpus of English: "
            "The Penn Treebank, Computational Linguistics 19(2); in this form since Mikolov, Karafiát, Burget, "
            "Černocký and Khudanpur (2010), Recurrent neural network based language model, Interspeech"
        ),
        note=(
            "the text (LDC99T42) is for members of the Linguistic Data Consortium and must not be passed on; its three "
            "files have 42,068, 3,370 and 3,761 lines, a sentence each, words parted by spaces, lower-cased, without "
            "punctuation, numbers written N, rare words written <unk>, no mark at the end"
        ),
    ),
    "wikiqa": Source(
        title="WikiQA, questions with the sentences of an article, each of which answers it or not",
        page="https://www.microsoft.com/en-us/download/details.aspx?id=52419",
        downloads=(
            Download(
                url="https://download.microsoft.com/download/E/5/f/E5FCFCEE-7005-4814-853D-DAA7C66507E0/WikiQACorpus.zip",
                place="wikiqa/WikiQACorpus.zip",
                contents=Members({f"wikiqa/WikiQA-{s}.tsv": f"WikiQACorpus/WikiQA-{s}.tsv" for s in _SPLITS}),
                sha256="467c13f9e104552c0a9c16f41836ca8d89f9c0cc4b6e4355e104d5c3109ffa45",
            ),
        ),
        licence="Microsoft Research Data License Agreement: for research",
        citation=("Yang, Yih and Meek (2015), WikiQA: A Challenge Dataset for Open-Domain Question Answering, EMNLP"),
        note="20,360, 2,733 and 6,165 pairs; quotes are plain characters",
    ),
    "imdb": Source(
        title="Large Movie Review Dataset, 50,000 rated reviews from IMDB",
        page="https://ai.stanford.edu/~amaas/data/sentiment/",
        downloads=(
            Download(
                url="https://ai.stanford.edu/~amaas/data/sentiment/aclImdb_v1.tar.gz",
                place="imdb/aclImdb_v1.tar.gz",
                contents=ReviewTables({"imdb/train.tsv.xz": "train", "imdb/test.tsv.xz": "test"}),
                sha256="c40f74a18d3b61f90feba1e17730e0d38e8b97c05fde7008942e91923d1658fe",
            ),
        ),
        licence="none stated; for research",
        citation=("Maas, Daly, Pham, Huang, Ng and Potts (2011), Learning Word Vectors for Sentiment Analysis, ACL"),
        note="84 MB to fetch; made into a table a split: polarity, number, rating (1-4, 7-10) and text",
    ),
    "iwslt14": Source(
        title="IWSLT 2014 German-English, TED talks as systems read them: tokenised, lower-cased",
        page="https://wit3.fbk.eu/2014-01",
        by_hand=tuple(
            f"iwslt14/{split}.{language}" for split in ("train", "valid", "test") for language in ("de", "en")
        ),
        licence=_TED,
        citation=_WIT3,
        note=(
            "made from iwslt14-raw, which `readhead data fetch iwslt14-raw` gets: by Moses's tokeniser and in lower "
            "case, a sentence a line, &apos; for apostrophes; the same line of .de and .en is a pair"
        ),
    ),
    "iwslt14-raw": Source(
        title="IWSLT 2014 German-English, TED talks as published",
        page="https://wit3.fbk.eu/2014-01",
        downloads=(
            Download(
                url="https://dl.fbaipublicfiles.com/fairseq/data/iwslt14/de-en.tgz",
                place="iwslt14/de-en.tgz",
                contents=Members(_TALKS),
            ),
        ),
        licence=_TED,
        citation=_WIT3,
        note="a copy: the campaign's own page hands out only all of its languages together",
    ),
    "glove.840B.300d": Source(
        title="GloVe vectors, 840 billion tokens of Common Crawl, 2.2 million words, 300 numbers each",
        page="https://nlp.stanford.edu/projects/glove/",
        downloads=(
            Download(
                url="https://nlp.stanford.edu/data/glove.840B.300d.zip",
                place="vectors/glove.840B.300d.zip",
                sha256="c06db255e65095393609f19a4cfca20bf3a71e20cc53e892aafa490347e3849f",
            ),
        ),
        licence="Public Domain Dedication and License 1.0",
        citation=_GLOVE,
        note="2.2 GB; read from the .zip as it is",
    ),
    "glove.6B.300d": Source(
        title="GloVe vectors, 6 billion tokens of Wikipedia and news, 400,000 words, 300 numbers each",
        page="https://nlp.stanford.edu/projects/glove/",
        downloads=(
            Download(
                url="https://nlp.stanford.edu/data/glove.6B.zip",
                place="vectors/glove.6B.zip",
                contents=Members({"vectors/glove.6B.300d.txt": "glove.6B.300d.txt"}),
                sha256="617afb2fe6cbd085c235baf7a465b96f4112bd7f7ccb2b2cbd649fed9cbcf2fb",
            ),
        ),
        licence="Public Domain Dedication and License 1.0",
        citation=_GLOVE,
        note="862 MB to fetch, 1 GB on disk",
    ),
    "own.300d": Source(
        title="Skip-gram vectors of 60,000 lower-cased words, 300 numbers each",
        by_hand=("vectors/own.300d.txt.xz",),
        licence="free to use",
        note=(
            "trained for this project on film reviews, Wikipedia articles and sentence pairs; "
            "published nowhere yet, so there is no address to fetch it from"
        ),
    ),
}
"""By the name that `readhead data` takes: a corpus's recipe name, or a vectors file's name."""
