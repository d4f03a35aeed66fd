"""A run directory to answers."""
