"""One file = one way to read: embedded tokens to a `Reading`. READERS lists them by their recipe name."""

READERS = {
    "words": "readhead.readers.words:WordsReader",
    "rnn": "readhead.readers.rnn:RNNReader",
    "lstm": "readhead.readers.lstm:LSTMReader",
    "glstm": "readhead.readers.gated_feedback:GatedFeedbackReader",
    "dlstm": "readhead.readers.depth_gated:DepthGatedReader",
    "lstmn": "readhead.readers.lstmn:LSTMNReader",
    "intra-attention": "readhead.readers.intra_attention:IntraAttentionReader",
    "cnn": "readhead.readers.cnn:CNNReader",
    "bilstm": "readhead.readers.bilstm:BiLSTMReader",
    "nse": "readhead.readers.nse:NSEReader",
}
