"""What the exporter is told of operators that it does not know. TRANSLATIONS lists them by torch's name."""

TRANSLATIONS = {
    "readhead.lstm_layer.default": "readhead.export.translations.recurrent_layer:lstm_layer",
    "readhead.rnn_layer.default": "readhead.export.translations.recurrent_layer:rnn_layer",
    "aten.sort.stable": "readhead.export.translations.sort:stable",
}
"""By an operator's namespace, name and overload: the function that writes it down in ONNX."""
