"""One file = one way to read: embedded tokens to a `Reading`. READERS lists them by their recipe name."""

READERS = {
    "words": "readhead.readers.words:WordsReader",
    "lstm": "readhead.readers.lstm:LSTMReader",
    "intra-attention": "readhead.readers.intra_attention:IntraAttentionReader",
}
