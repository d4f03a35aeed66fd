"""What `readhead train --search N` tries, by the recipe of a task and a reader.

| recipe                     | key                       | values                              |
|----------------------------|---------------------------|-------------------------------------|
| classify/words             | vectors.dim               | 50, 100, 200, 300                   |
|                            | embedding.dropout         | 0.1, 0.3, 0.5, 0.7                  |
|                            | model.num_layers          | 0, 1, 2                             |
|                            | optimizer.learning_rate   | 0.0003, 0.0005, 0.001, 0.002, 0.004 |
| classify/cnn               | vectors.dim               | 50, 100, 200                        |
|                            | embedding.dropout         | 0.1, 0.3, 0.5                       |
|                            | reader.hidden_dim         | 25, 50, 100, 200                    |
|                            | optimizer.learning_rate   | 0.0003, 0.0005, 0.001, 0.002        |
| classify/cnn-static        | embedding.dropout         | 0.1, 0.3, 0.5, 0.7                  |
|                            | reader.hidden_dim         | 25, 50, 100, 200                    |
|                            | optimizer.learning_rate   | 0.0003, 0.0005, 0.001, 0.002        |
| classify/lstm              | vectors.dim               | 50, 100, 200                        |
|                            | reader.hidden_dim         | 50, 100, 200                        |
|                            | model.dropout             | 0.1, 0.3, 0.5                       |
|                            | optimizer.learning_rate   | 0.0005, 0.001, 0.002, 0.004         |
| pair/decomposable          | vectors.dim               | 50, 100, 200                        |
|                            | model.hidden_dim          | 50, 100, 200                        |
|                            | model.dropout             | 0.0, 0.2, 0.4                       |
|                            | optimizer.learning_rate   | 0.0003, 0.0005, 0.001, 0.002        |
| pair/words                 | vectors.dim               | 50, 100, 200                        |
|                            | model.hidden_dim          | 50, 100, 200                        |
|                            | model.dropout             | 0.0, 0.2, 0.4                       |
|                            | optimizer.learning_rate   | 0.0003, 0.0005, 0.001, 0.002        |
| pair/lstm                  | vectors.dim               | 50, 100, 200                        |
|                            | reader.hidden_dim         | 50, 100, 200                        |
|                            | model.dropout             | 0.0, 0.2, 0.4                       |
|                            | optimizer.learning_rate   | 0.0005, 0.001, 0.002, 0.004         |
| rank/decomposable          | vectors.dim               | 50, 100, 200                        |
|                            | model.hidden_dim          | 50, 100, 200                        |
|                            | model.dropout             | 0.0, 0.2, 0.4                       |
|                            | optimizer.learning_rate   | 0.0003, 0.0005, 0.001, 0.002        |
| rank/lstm                  | vectors.dim               | 50, 100, 200                        |
|                            | reader.hidden_dim         | 50, 100, 200                        |
|                            | model.dropout             | 0.0, 0.2, 0.4                       |
|                            | optimizer.learning_rate   | 0.0005, 0.001, 0.002, 0.004         |
| language-model/lstm        | vectors.dim               | 50, 100, 200                        |
|                            | reader.hidden_dim         | 100, 200, 300                       |
|                            | model.dropout             | 0.1, 0.3, 0.5                       |
|                            | optimizer.learning_rate   | 0.0005, 0.001, 0.002, 0.004         |
| language-model/lstmn       | vectors.dim               | 50, 100, 200                        |
|                            | reader.hidden_dim         | 100, 200, 300                       |
|                            | model.dropout             | 0.1, 0.3, 0.5                       |
|                            | optimizer.learning_rate   | 0.0005, 0.001, 0.002, 0.004         |
| language-model/kn5         | model.order               | 2, 3, 4, 5, 6                       |

Values go upwards: what lies between two good ones is a good guess. What `--set` gives is not searched, nor is
`vectors.dim` with `--vectors`, whose file says it. Nothing is searched that would change what the dev figure is of (a
language model's words) or only how long it takes (batches, epochs).

`--reader` names the reader; without it a search tries the default and those of `ALSO_SEARCHED`. They take about as long
as each other; an LSTM takes ten times as long as a bag of words, and is searched by those who ask for it.
"""

from __future__ import annotations

from collections.abc import Mapping

Value = int | float

ALSO_SEARCHED: Mapping[str, tuple[str, ...]] = {"classify": ("cnn", "words"), "pair": ("decomposable", "words")}
"""The readers that a search tries, by task, where nobody names one; other tasks' have the default alone."""

_RATES = (0.0003, 0.0005, 0.001, 0.002)
_RECURRENT_RATES = (0.0005, 0.001, 0.002, 0.004)
_WIDTHS = (50, 100, 200)
_ALIGNED: Mapping[str, tuple[Value, ...]] = {
    "vectors.dim": _WIDTHS,
    "model.hidden_dim": _WIDTHS,
    "model.dropout": (0.0, 0.2, 0.4),
    "optimizer.learning_rate": _RATES,
}
_ENCODED: Mapping[str, tuple[Value, ...]] = {
    "vectors.dim": _WIDTHS,
    "reader.hidden_dim": _WIDTHS,
    "model.dropout": (0.0, 0.2, 0.4),
    "optimizer.learning_rate": _RECURRENT_RATES,
}
_FORETELLING: Mapping[str, tuple[Value, ...]] = {
    "vectors.dim": _WIDTHS,
    "reader.hidden_dim": (100, 200, 300),
    "model.dropout": (0.1, 0.3, 0.5),
    "optimizer.learning_rate": _RECURRENT_RATES,
}

SPACES: Mapping[str, Mapping[str, tuple[Value, ...]]] = {
    "classify/words": {
        "vectors.dim": (50, 100, 200, 300),
        "embedding.dropout": (0.1, 0.3, 0.5, 0.7),
        "model.num_layers": (0, 1, 2),
        "optimizer.learning_rate": (0.0003, 0.0005, 0.001, 0.002, 0.004),
    },
    "classify/cnn": {
        "vectors.dim": _WIDTHS,
        "embedding.dropout": (0.1, 0.3, 0.5),
        "reader.hidden_dim": (25, 50, 100, 200),
        "optimizer.learning_rate": _RATES,
    },
    "classify/cnn-static": {
        "embedding.dropout": (0.1, 0.3, 0.5, 0.7),
        "reader.hidden_dim": (25, 50, 100, 200),
        "optimizer.learning_rate": _RATES,
    },
    "classify/lstm": {
        "vectors.dim": _WIDTHS,
        "reader.hidden_dim": _WIDTHS,
        "model.dropout": (0.1, 0.3, 0.5),
        "optimizer.learning_rate": _RECURRENT_RATES,
    },
    "pair/decomposable": _ALIGNED,
    "pair/words": _ALIGNED,
    "pair/lstm": _ENCODED,
    "rank/decomposable": _ALIGNED,
    "rank/lstm": _ENCODED,
    "language-model/lstm": _FORETELLING,
    "language-model/lstmn": _FORETELLING,
    "language-model/kn5": {"model.order": (2, 3, 4, 5, 6)},
}
"""The table: by recipe and key, the values, the least first."""
