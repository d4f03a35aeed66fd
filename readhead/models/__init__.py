"""Whole networks: `Batch` to `Output`. MODELS lists them by their recipe name."""

MODELS = {
    "classifier": "readhead.models.classifier:Classifier",
    "sentence-pair": "readhead.models.sentence_pair:SentencePair",
    "decomposable": "readhead.models.decomposable:Decomposable",
}
