"""One file = one corpus: files on disk to `Example`s. CORPORA lists them by their recipe name."""

CORPORA = {
    "snli": "readhead.data.corpora.snli:SNLI",
    "multinli": "readhead.data.corpora.multinli:MultiNLI",
    "nli-mixture": "readhead.data.corpora.nli_mixture:NLIMixture",
    "grammar": "readhead.data.corpora.grammar:GrammarCorpus",
    "sst": "readhead.data.corpora.sst:SST",
    "sentiment": "readhead.data.corpora.sentiment:Sentiment",
    "ptb": "readhead.data.corpora.ptb:PTB",
    "imdb-text": "readhead.data.corpora.imdb_text:IMDBText",
    "wikiqa": "readhead.data.corpora.wikiqa:WikiQA",
    "file": "readhead.data.corpora.file:FileCorpus",
}
