"""Attention-and-memory text readers: train one on your own file, read with it, and see why."""

__version__ = "0.1.0"
