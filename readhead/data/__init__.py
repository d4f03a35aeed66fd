"""Text to batches: tokenizer, vocabulary, vectors, sampler, corpora. Knows no model."""
