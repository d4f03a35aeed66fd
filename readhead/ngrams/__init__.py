"""n-gram language models: estimated from ids, kept as sorted arrays, exchanged as ARPA files. Knows no torch."""

from readhead.ngrams.arpa_reading import read_arpa
from readhead.ngrams.arpa_writing import write_arpa
from readhead.ngrams.kneser_ney import check_options, estimate
from readhead.ngrams.model import NGramModel

__all__ = ["NGramModel", "check_options", "estimate", "read_arpa", "write_arpa"]
