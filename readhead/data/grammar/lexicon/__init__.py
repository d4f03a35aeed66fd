"""The words: one file for each part of the world they speak of."""
