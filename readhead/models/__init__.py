"""Whole networks: `Batch` to `Output`. MODELS lists them by their recipe name."""

MODELS = {
    "classifier": "readhead.models.classifier:Classifier",
    "sentence-pair": "readhead.models.sentence_pair:SentencePair",
    "language-model": "readhead.models.language_model:LanguageModel",
    "kneser-ney": "readhead.models.kneser_ney:KneserNey",
    "bilinear": "readhead.models.bilinear:Bilinear",
    "bilinear-attention": "readhead.models.bilinear_attention:BilinearAttention",
    "decomposable": "readhead.models.decomposable:Decomposable",
    "conditional": "readhead.models.conditional:Conditional",
    "lstm-attention": "readhead.models.lstm_attention:LSTMAttention",
    "word-by-word": "readhead.models.word_by_word:WordByWord",
    "mlstm": "readhead.models.match_lstm:MatchLSTM",
    "lstmn-shallow-fusion": "readhead.models.shallow_fusion:ShallowFusion",
    "lstmn-deep-fusion": "readhead.models.deep_fusion:DeepFusion",
    "mma-nse": "readhead.models.mma_nse:MMANSE",
    "mma-nse-attention": "readhead.models.mma_nse_attention:MMANSEAttention",
}
